/** The supervisor of the daemon: it keeps the port, and there is always a worker that answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../until.ts";
import {
  copyOf,
  decisionIn,
  endHouse,
  type House,
  housesOf,
  isAlive,
  openFiles,
  openHouse,
  turnCommand,
} from "./house.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

const refused = async (house: House): Promise<boolean> =>
  house.bash("git reflog expire --all").then(
    (said) => decisionIn(said) === "deny",
    () => false,
  );

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen({ port, host: "127.0.0.1", exclusive: true });
  const heard = await Promise.race([
    once(server, "listening").then(() => true),
    once(server, "error").then(() => false),
  ]).catch(() => false);
  server.close();
  return heard;
}

describe("a worker", () => {
  it("that is killed is replaced: its open requests fail, later ones are answered, no connection is refused", async () => {
    const house = openHouse();
    const agent = new Agent({ keepAlive: false });
    let isDone = false;
    const failures: string[] = [];
    let answered = 0;
    const client = (async () => {
      while (!isDone) {
        await house.bash("ls", {}, { agent }).then(
          () => answered++,
          (error: NodeJS.ErrnoException) => failures.push(String(error.code)),
        );
      }
    })();
    for (let killed = 0; killed < 4; killed++) {
      const before = answered;
      await until(() => answered > before + 3, "answers");
      const [worker = 0] = house.workers();
      process.kill(worker, "SIGKILL");
      await until(() => !house.workers().includes(worker) && house.workers().length > 0, "another worker");
    }
    const before = answered;
    await until(() => answered > before + 3, "answers");
    isDone = true;
    await client;
    expect(failures).not.toContain("ECONNREFUSED");
    // Requests are sequential, so each kill can cost one.
    expect(failures.length).toBeLessThanOrEqual(4);
    expect(await refused(house)).toBe(true);
  });

  it("that hangs is killed and replaced; waiting requests go to the next one, and no connection leaks", async () => {
    const house = openHouse();
    const [worker = 0] = house.workers();
    const supervisor = house.supervisor();
    const files = openFiles(supervisor);
    process.kill(worker, "SIGSTOP");
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => house.bash("git reflog expire --all", {}, { agent })),
    );
    expect(isAlive(worker)).toBe(false);
    const answers = asked.flatMap((one) => (one.status === "fulfilled" ? [decisionIn(one.value)] : []));
    // Only a request that the hanging worker had already accepted may be lost.
    expect(answers.length).toBeGreaterThanOrEqual(19);
    expect(new Set(answers)).toEqual(new Set(["deny"]));
    agent.destroy();
    await until(() => openFiles(supervisor) <= files, "the end of the supervisor's lines");
  });

  it("that cannot start is retried with pauses, and runs once its file is back", async () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    const file = join(dirname(copy.bundle), "gatehouse.cjs");
    const whole = readFileSync(file);
    writeFileSync(file, "throw new Error('broken');");
    const supervisor = house.supervisor();
    const starts = (): number =>
      readFileSync(join(house.directory, "gatehouse.log"), "utf8").match(/ worker \d+ from /g)?.length ?? 0;
    process.kill(house.workers()[0] ?? 0, "SIGKILL");
    const [before, began] = [starts(), Date.now()];
    await until(() => starts() >= before + 4, "some tries");
    // Repeated signals still cause one attempt at a time.
    for (let times = 0; times < 20; times++) process.kill(supervisor, "SIGHUP");
    await until(() => starts() >= before + 9, "more tries");
    expect(house.workers().length).toBeLessThanOrEqual(1);
    // The pauses grow by 100 ms, so nine attempts take at least a second even with the signals.
    expect(Date.now() - began).toBeGreaterThan(1000);
    const waiting = house.bash("git reflog expire --all");
    writeFileSync(file, whole);
    expect(decisionIn(await waiting)).toBe("deny");
    expect(house.supervisor()).toBe(supervisor);
  });

  it("whose program was removed is started from the program the daemon was started with", async () => {
    const stage = openStage();
    const house = openHouse(stage);
    writeFileSync(join(house.directory, "program.json"), JSON.stringify({ bundle: "/nowhere/sekisho.cjs" }));
    process.kill(house.workers()[0] ?? 0, "SIGKILL");
    await until(() => refused(house), "an answer");
  });
});

describe("the supervisor", () => {
  it("takes the worker with it when killed, and the port is free", async () => {
    const house = openHouse();
    const [supervisor, [worker = 0]] = [house.supervisor(), house.workers()];
    process.kill(supervisor, "SIGKILL");
    await until(() => !isAlive(supervisor) && !isAlive(worker), "their end");
    await until(() => isFree(house.door.port), "the port");
  });

  it("exits when its directory is removed, and not when door.json is unreadable for a moment", async () => {
    const house = openHouse();
    const door = join(house.directory, "door.json");
    const [supervisor, [worker = 0]] = [house.supervisor(), house.workers()];
    const content = readFileSync(door);
    writeFileSync(door, "");
    expect(await refused(house)).toBe(true);
    writeFileSync(door, content);
    rmSync(join(house.stage.state, "sekisho"), { recursive: true });
    await until(() => !isAlive(supervisor) && !isAlive(worker), "their end");
    await until(() => isFree(house.door.port), "the port");
    expect(existsSync(join(house.directory, "gatehouse.log"))).toBe(false);
  });

  it("hands over under load without losing or refusing a request", async () => {
    const house = openHouse();
    let isDone = false;
    let answered = 0;
    const agents = [true, false, true, false].map((keepAlive) => new Agent({ keepAlive, maxSockets: 1 }));
    onTestFinished(() => agents.forEach((agent) => void agent.destroy()));
    const clients = agents.map(async (agent) => {
      while (!isDone) {
        expect(decisionIn(await house.bash("git reflog expire --all", {}, { agent }))).toBe("deny");
        answered++;
      }
    });
    const supervisor = house.supervisor();
    for (let times = 0; times < 5; times++) {
      const [before, old] = [answered, house.workers()];
      process.kill(supervisor, "SIGHUP");
      await until(() => answered > before + 8, "answers");
      await until(() => house.workers().some((pid) => !old.includes(pid)), "another worker");
    }
    isDone = true;
    await Promise.all(clients);
    for (const agent of agents) agent.destroy();
    // Replaced workers exit with their last connection.
    await until(() => house.workers().length === 1, "the end of the others");
    expect(house.supervisor()).toBe(supervisor);
  });

  it("exists once, however many processes start it at the same time", async () => {
    const house = openHouse();
    const before = house.supervisor();
    process.kill(before, "SIGKILL");
    await until(() => !isAlive(before), "its end");
    const [name, ...args] = turnCommand("UserPromptSubmit", house.door);
    const turns = Array.from({ length: 5 }, () => {
      const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
      child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "go on" }));
      return once(child, "exit");
    });
    expect((await Promise.all(turns)).map(([code]) => code)).toEqual([0, 0, 0, 0, 0]);
    await until(() => housesOf(house.stage).length === 2, "one supervisor and one worker");
    expect(await refused(house)).toBe(true);
    expect(readFileSync(house.settings, "utf8")).toContain("http://127.0.0.1:");
  });

  it.skipIf(forPeople.skip)(`starts with \`up\` and stops with \`down\`${forPeople.why}`, async () => {
    const house = openHouse();
    const { sekisho } = house.stage;
    expect(sekisho("up").code).toBe(0);
    expect(sekisho("down")).toMatchObject({ code: 0, stdout: expect.stringContaining("is down") });
    expect(housesOf(house.stage)).toEqual([]);
    expect(await isFree(house.door.port)).toBe(true);
    expect(sekisho("down").code).toBe(0);
    const both = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(program.node, [program.bundle, "up"], { env: house.stage.env, stdio: "ignore" });
        return (await once(child, "exit"))[0] as number;
      }),
    );
    expect(both).toEqual([0, 0]);
    await until(() => housesOf(house.stage).length === 2, "one gatehouse");
    expect(await refused(house)).toBe(true);
  });

  it.skipIf(forPeople.skip)(`is replaced by \`up\` when it is stopped${forPeople.why}`, async () => {
    const house = openHouse();
    const stopped = house.supervisor();
    process.kill(stopped, "SIGSTOP");
    expect(house.stage.sekisho("up")).toMatchObject({ code: 0, stderr: "" });
    expect(isAlive(stopped)).toBe(false);
    expect(await refused(house)).toBe(true);
  });

  it.skipIf(forPeople.skip)(
    `does not inherit the Node options of the shell that runs \`up\`${forPeople.why}`,
    async () => {
      const house = openHouse();
      await endHouse(house.stage);
      const trap = join(house.stage.root, "trap.cjs");
      writeFileSync(
        trap,
        `require("fs").appendFileSync(${JSON.stringify(`${trap}.sprung`)}, process.argv[2] + "\\n");`,
      );
      const env = { ...house.stage.env, NODE_OPTIONS: `--require=${trap}` };
      const child = spawn(program.node, [program.bundle, "up"], { env, stdio: "ignore" });
      expect((await once(child, "exit"))[0]).toBe(0);
      expect(await refused(house)).toBe(true);
      expect(readFileSync(`${trap}.sprung`, "utf8")).toBe("up\n");
    },
  );

  it("inherits nothing that would load foreign code, and nothing of the session", () => {
    const house = openHouse();
    process.kill(house.supervisor(), "SIGKILL");
    const trap = join(house.stage.root, "trap.cjs");
    writeFileSync(trap, `require("fs").appendFileSync(${JSON.stringify(`${trap}.sprung`)}, process.argv.join(" "));`);
    const tricks = {
      NODE_OPTIONS: `--require=${trap}`,
      NODE_PATH: house.stage.root,
      LD_PRELOAD: "",
      NODE_EXTRA_CA_CERTS: "/dev/null",
      HTTP_PROXY: "http://127.0.0.1:9",
      CLAUDE_CODE_SESSION_ID: "s1",
    };
    expect(house.turn("Stop", {}, tricks).code).toBe(0);
    for (const pid of housesOf(house.stage)) {
      const env = readFileSync(`/proc/${pid}/environ`, "utf8")
        .split("\0")
        .map((line) => line.split("=")[0]);
      expect(env.filter((name) => name && (name in tricks || name.startsWith("CLAUDE")))).toEqual([]);
    }
    expect(housesOf(house.stage).length).toBeGreaterThan(0);
    expect(existsSync(`${trap}.sprung`)).toBe(false);
  });
});
