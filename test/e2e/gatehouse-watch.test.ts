/** The challenge at the door, and the turns of a session that see to it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isProven, proofOf } from "../../src/gatehouse/challenge.ts";
import { isNewer } from "../../src/gatehouse/probe.ts";
import { copyOf, endHouse, type House, housesOf, openHouse, turnCommand, until } from "./house.ts";
import { endOf, noticeOf, openStage } from "./stage.ts";

/** Takes the port the gatehouse had. */
async function takePort(house: House, listener: RequestListener): Promise<void> {
  endHouse(house.stage);
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        server.once("error", () => resolve(false));
        server.listen(house.door.port, "127.0.0.1", () => resolve(true));
      }),
    "the port",
  );
}

/** The same turn while this process goes on: whoever plays the stranger must be able to answer. */
async function turn(
  house: House,
  fields: object = {},
): Promise<{ readonly notice: string; readonly code: number | null }> {
  const [name, ...args] = turnCommand("UserPromptSubmit", house.door);
  const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
  child.stdin.end(
    JSON.stringify({
      session_id: "s1",
      cwd: house.stage.project,
      hook_event_name: "UserPromptSubmit",
      prompt: "go",
      ...fields,
    }),
  );
  const answer = await endOf(child);
  return { notice: noticeOf(answer), code: answer.code };
}

const challenge = (port: number, nonce: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    get(`http://127.0.0.1:${port}/challenge/${nonce}`, { agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += String(chunk);
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
    }).on("error", reject);
  });

describe("the challenge", () => {
  it("is answered with the key, for this nonce and this port, and without any token", async () => {
    const house = openHouse();
    const [nonce, other] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
    const answer = await challenge(house.door.port, nonce);
    expect(isProven(house.key, nonce, house.door.port, answer)).toBe(true);
    // A replay, another port, another key, another word of it.
    expect(isProven(house.key, other, house.door.port, answer)).toBe(false);
    expect(isProven(house.key, nonce, house.door.port + 1, answer)).toBe(false);
    expect(isProven("x".repeat(43), nonce, house.door.port, answer)).toBe(false);
    expect(isProven(house.key, nonce, house.door.port, { ...(answer as object), supervisor: 1 })).toBe(false);
    expect(isProven(house.key, nonce, house.door.port, { ...(answer as object), version: "9.9.9" })).toBe(false);
    for (const nothing of [null, undefined, 7, "x", [], {}, { proof: "" }]) {
      expect(isProven(house.key, nonce, house.door.port, nothing)).toBe(false);
    }
    expect(JSON.stringify(answer)).not.toContain(house.key);
  });

  it("versions are compared by their numbers", () => {
    const pairs = [
      ["0.2.0", "0.1.9", true],
      ["0.10.0", "0.9.0", true],
      ["1.0.0", "0.99.99", true],
      ["0.1.0", "0.1.0", false],
      ["0.1.0", "0.2.0", false],
      ["", "0.1.0", false],
      ["latest", "0.1.0", false],
    ] as const;
    expect(pairs.map(([version, than]) => isNewer(version, than))).toEqual(pairs.map(([, , is]) => is));
  });
});

describe("a stranger at the door", () => {
  it.each<readonly [string, RequestListener]>([
    ["that says yes to everything", (_request, response) => void response.end("{}")],
    ["that replays an old answer", (_request, response) => void response.end(JSON.stringify(replayed()))],
    [
      "that talks without end",
      (_request, response) => {
        response.on("error", () => undefined);
        const talk = setInterval(() => response.write("x".repeat(100_000)), 1);
        response.on("close", () => clearInterval(talk));
      },
    ],
    [
      "that talks slowly",
      (_request, response) => {
        const talk = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(talk));
      },
    ],
    ["that says nothing", () => undefined],
    [
      "that sends elsewhere",
      (_request, response) => void response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
    ],
  ])("%s: the hooks are moved to the plain lane, ours and no others", async (_name, listener) => {
    const house = openHouse();
    const foreign = { matcher: "Bash", hooks: [{ type: "command", command: "echo", args: ["mine"], timeout: 3 }] };
    const foreignHttp = { hooks: [{ type: "http", url: "http://127.0.0.1:1/mine", timeout: 3 }] };
    const settings = JSON.parse(readFileSync(house.settings, "utf8"));
    settings.hooks.PreToolUse.unshift(foreign);
    settings.hooks.Stop.push(foreignHttp);
    settings.permissions = { allow: ["Bash(ls)"] };
    writeFileSync(house.settings, JSON.stringify(settings));
    await takePort(house, listener);
    const { notice, code } = await turn(house);
    expect(code).toBe(0);
    expect(notice).toMatch(/moved to the plain lane/);
    const after = JSON.parse(readFileSync(house.settings, "utf8"));
    expect(after.permissions).toEqual({ allow: ["Bash(ls)"] });
    expect(after.hooks.PreToolUse[0]).toEqual(foreign);
    expect(after.hooks.Stop).toContainEqual(foreignHttp);
    const ours = JSON.stringify(after).replace(JSON.stringify(foreignHttp), "");
    expect(ours).not.toContain("http://");
    expect(after.hooks.PreToolUse.length).toBe(3);
    // From here on the plain lane answers, whoever stands at the port.
    expect(house.stage.bash("git reset --hard").code).toBe(2);
  });

  it("in the middle, relaying to the true one at another port, proves nothing", async () => {
    const house = openHouse();
    const relay = createRawServer((socket: Socket) => {
      const onward = connect(house.door.port, "127.0.0.1");
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on("error", () => end.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void relay.close());
    const { port } = relay.address() as AddressInfo;
    const nonce = randomBytes(16).toString("hex");
    // The Host header tells the port that was asked for, and the true one answers for its own only.
    await expect(challenge(port, nonce)).rejects.toThrow("not for you");
    // With the header mended, the proof still is one for the other port.
    const mended = proofOf(house.key, nonce, house.door.port, { version: "", build: "", pid: 1, supervisor: 1 });
    expect(isProven(house.key, nonce, port, { version: "", build: "", pid: 1, supervisor: 1, proof: mended })).toBe(
      false,
    );
  });
});

/** An answer that was true once, for another nonce. */
function replayed(): object {
  const identity = { version: "0.1.0", build: "0", pid: 1, supervisor: 1 };
  return { ...identity, proof: proofOf("a key of somebody else's", "00", 1, identity) };
}

describe("a turn of the session", () => {
  it("finds it down and starts it; a Stop is held once, and the session's input is not lost", async () => {
    const house = openHouse();
    endHouse(house.stage);
    const stopped = house.turn("Stop", { last_assistant_message: "done" });
    expect(stopped.code).toBe(0);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ decision: "block", reason: expect.stringMatching(/up again/) });
    expect(housesOf(house.stage).length).toBe(2);
    expect(house.turn("Stop").stdout).toBe("");
    const events = house.stage.audit().map(({ event, session_id: session, unbound }) => [event, session, unbound]);
    expect(events).toEqual([
      ["SessionStart", "s1", false],
      ["Stop", "s1", false],
      ["Stop", "s1", false],
    ]);
  });

  it("reads an input larger than any pipe, and one that comes late, after it has started the gatehouse", async () => {
    const house = openHouse();
    endHouse(house.stage);
    const prompt = "go on ".repeat(200_000);
    expect((await turn(house, { prompt })).code).toBe(0);
    expect(house.stage.audit().filter(({ kind }) => kind === "fault")).toEqual([]);
    expect(house.stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", session_id: "s1", unbound: false });
    endHouse(house.stage);
    const [name, ...args] = turnCommand("Stop", house.door);
    const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
    await until(() => housesOf(house.stage).length > 0, "the start");
    child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }));
    expect((await endOf(child)).stdout).toContain("up again");
  });

  it("whose door was taken away says so, and goes back to the plain lane", async () => {
    const house = openHouse();
    rmSync(join(house.directory, "door.json"));
    const { notice } = await turn(house);
    expect(notice).toMatch(/moved to the plain lane/);
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
  });

  it("whose door was exchanged, key or port, does not take the new one for its own", async () => {
    for (const change of [{ key: "k".repeat(43) }, { port: 0 }, { token: "t".repeat(32) }]) {
      const house = openHouse();
      const path = join(house.directory, "door.json");
      const door = JSON.parse(readFileSync(path, "utf8"));
      const port = "port" in change ? { port: house.door.port === 31_999 ? 20_000 : house.door.port + 1 } : {};
      writeFileSync(path, JSON.stringify({ ...door, ...change, ...port }));
      const { notice } = await turn(house);
      expect(notice).toMatch(/moved to the plain lane/);
      expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
      expect(house.stage.bash("git reset --hard").code).toBe(2);
    }
  });

  it("that can neither start it nor write anything still answers, and says what is wrong", async () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    endHouse(stage);
    writeFileSync(join(dirname(copy.bundle), "gatehouse.cjs"), "throw new Error('broken')");
    const [name, ...args] = turnCommand("Stop", house.door, copy);
    const child = spawn(name, args, { cwd: stage.project, env: stage.env });
    const began = performance.now();
    child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }));
    const answer = await endOf(child);
    // The client would wait for fifteen seconds.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/moved to the plain lane/);
  });

  it("without its helper still judges the event", () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    rmSync(join(dirname(copy.bundle), "watch.cjs"));
    const answer = house.turn("UserPromptSubmit", { prompt: "go on" });
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/gatehouse is down/);
    expect(stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", unbound: false });
  });

  it("rewrites no settings that it cannot read, and hangs on none that is a pipe", async () => {
    const house = openHouse();
    const user = join(house.stage.home, ".claude");
    mkdirSync(user, { recursive: true });
    house.stage.run("mkfifo", [join(user, "settings.json")]);
    const broken = '{"hooks": {"PreToolUse": [';
    writeFileSync(join(user, "settings.local.json"), broken);
    await takePort(house, (_request, response) => void response.end("{}"));
    const { code } = await turn(house);
    expect(code).toBe(0);
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
    expect(readFileSync(join(user, "settings.local.json"), "utf8")).toBe(broken);
    expect(existsSync(join(user, "settings.json"))).toBe(true);
  });
});
