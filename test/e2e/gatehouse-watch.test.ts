/** The challenge to the daemon, and other programs on its port. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { get, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { isProven, proofOf } from "../../src/daemon/challenge.ts";
import { isNewer } from "../../src/daemon/probe.ts";
import { openHouse } from "./house.ts";
import { takePort, turn } from "./house-turn.ts";

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
  it("is answered with a proof for this nonce and this port, without any token", async () => {
    const house = openHouse();
    const [nonce, other] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
    const answer = await challenge(house.door.port, nonce);
    expect(isProven(house.key, nonce, house.door.port, answer)).toBe(true);
    // A replay, another port, another key, altered fields.
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

  it("versions are compared numerically", () => {
    const pairs = [
      ["0.2.0", "0.1.9", true],
      ["0.10.0", "0.9.0", true],
      ["1.0.0", "0.99.99", true],
      ["0.1.0", "0.1.0", false],
      ["0.1.0", "0.2.0", false],
      ["0.2.0-dev.0", "0.1.0", true],
      ["0.1.0", "0.2.0-dev.0", false],
      ["0.2.0", "0.2.0-dev.0", true],
      ["0.2.0-dev.0", "0.2.0", false],
      ["0.2.0-dev.1", "0.2.0-dev.0", false],
      ["", "0.1.0", false],
      ["latest", "0.1.0", false],
    ] as const;
    expect(pairs.map(([version, than]) => isNewer(version, than))).toEqual(pairs.map(([, , is]) => is));
  });
});

describe("another program on the daemon's port", () => {
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
  ])("%s: our hooks are moved to the plain lane, and no others", async (_name, listener) => {
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
    // From here on the plain lane answers, whatever listens on the port.
    expect(house.stage.bash("git reset --hard").code).toBe(2);
  });

  it("that relays to the real daemon on another port proves nothing", async () => {
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
    // The Host header has the requested port, and the daemon answers for its own port only.
    await expect(challenge(port, nonce)).rejects.toThrow("not for you");
    // With the header corrected, the proof is still for the other port.
    const mended = proofOf(house.key, nonce, house.door.port, { version: "", build: "", pid: 1, supervisor: 1 });
    expect(isProven(house.key, nonce, port, { version: "", build: "", pid: 1, supervisor: 1, proof: mended })).toBe(
      false,
    );
  });
});

/** An answer that was valid for another nonce. */
function replayed(): object {
  const identity = { version: "0.1.0", build: "0", pid: 1, supervisor: 1 };
  return { ...identity, proof: proofOf("a key of somebody else's", "00", 1, identity) };
}
