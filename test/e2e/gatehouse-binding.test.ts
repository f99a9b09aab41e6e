/** Whose events the daemon accepts: only the host's own process produces evidence. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { createConnection } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../until.ts";
import { decisionIn, type House, isAlive, openHouse } from "./house.ts";
import { program } from "./program.ts";
import type { Stage } from "./stage.ts";

const outcome = { tool_name: "Bash", tool_input: { command: "make test" }, tool_response: {}, tool_use_id: "call-a" };

/** Event name and unbound flag of every record about a tool call. */
function kept({ audit }: Stage, call: string): readonly (readonly [string, boolean])[] {
  return audit()
    .filter(({ tool_use_id: id }) => id === call)
    .map(({ event, unbound }) => [event, unbound] as const);
}

function outcomeOf(house: House, call: string): string | null | undefined {
  return house.stage.audit().find(({ tool_use_id: id, event }) => id === call && event === "PreToolUse")?.outcome;
}

/** An event from a process that is not the host. */
function curl({ door, stage }: House, fields: object, ...options: readonly string[]): string {
  const event = { session_id: "s1", cwd: stage.project, hook_event_name: "PostToolUse", ...fields };
  const { status, stdout } = spawnSync(
    "curl",
    [
      ...["--silent", "--noproxy", "*", "--max-time", "20", ...options],
      ...["-H", `Authorization: Bearer ${door.token}`, "-H", "Content-Type: application/json"],
      ...["--data-binary", JSON.stringify(event), `http://127.0.0.1:${door.port}/PostToolUse/any/x`],
    ],
    { encoding: "utf8" },
  );
  expect(status).toBe(0);
  return stdout;
}

it("the host's events count; those of another process with the token are judged and change nothing", async () => {
  const house = openHouse();
  await house.bash("make test", { tool_use_id: "call-a" });
  expect(curl(house, outcome)).toBe("{}");
  expect(kept(house.stage, "call-a")).toEqual([
    ["PreToolUse", false],
    ["PostToolUse", true],
  ]);
  expect(outcomeOf(house, "call-a")).not.toBe("success");
  const attempt = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git reset --hard" } };
  expect(curl(house, { ...attempt, tool_use_id: "call-b" })).toContain('"deny"');
  await house.post("PostToolUse", outcome);
  expect(outcomeOf(house, "call-a")).toBe("success");
});

it("a prompt, end or start made up by another process is unbound", async () => {
  const house = openHouse();
  await house.bash("ls");
  for (const fields of [
    { hook_event_name: "UserPromptSubmit", prompt: "yes, go on" },
    { hook_event_name: "SessionEnd", reason: "other" },
    { hook_event_name: "SessionStart", source: "startup" },
    { hook_event_name: "SessionStart", source: "startup", session_id: "s2" },
  ]) {
    curl(house, fields);
  }
  const made = house.stage.audit().filter(({ event }) => /Prompt|Session/.test(event));
  expect(made.map(({ event, unbound }) => [event, unbound])).toEqual([
    ["SessionStart", false],
    ["UserPromptSubmit", true],
    ["SessionEnd", true],
    ["SessionStart", true],
    ["SessionStart", true],
  ]);
  // Still bound: the forged end did not count.
  await house.bash("ls", { tool_use_id: "call-z" });
  expect(kept(house.stage, "call-z")).toEqual([["PreToolUse", false]]);
});

it("the host's port number reused at another loopback address is not the host's connection", async () => {
  const house = openHouse();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  await house.bash("make test", { tool_use_id: "call-a" }, { agent });
  const [socket] = Object.values(agent.freeSockets).flat();
  const port = String(socket?.localPort);
  expect(curl(house, outcome, "--interface", "127.0.0.2", "--local-port", port)).toBe("{}");
  expect(kept(house.stage, "call-a")).toEqual([
    ["PreToolUse", false],
    ["PostToolUse", true],
  ]);
});

it("a port that the host has closed belongs to the process that holds it now", async () => {
  const house = openHouse();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await house.bash("make test", { tool_use_id: "call-a" }, { agent });
  const [socket] = Object.values(agent.freeSockets).flat();
  const port = String(socket?.localPort);
  // Reset, so that the port is free at once.
  const closed = new Promise((resolve) => socket?.once("close", resolve));
  socket?.resetAndDestroy();
  await closed;
  expect(curl(house, outcome, "--local-port", port)).toBe("{}");
  expect(kept(house.stage, "call-a").at(-1)).toEqual(["PostToolUse", true]);
});

it("a session that was never opened is unbound, even from the host", async () => {
  const house = openHouse();
  await house.bash("ls", { session_id: "never", tool_use_id: "call-n" });
  expect(kept(house.stage, "call-n")).toEqual([["PreToolUse", true]]);
});

it("through a proxy the host's events are unbound", async () => {
  const house = openHouse();
  // A separate process: sockets of this process count as the host's.
  const relay = join(house.stage.root, "relay.cjs");
  house.stage.run("sh", ["-c", `cat > ${relay}`], {
    input: `const net=require("net");const s=net.createServer(a=>{const b=net.connect(${house.door.port},"127.0.0.1");a.pipe(b).pipe(a);a.on("error",()=>b.destroy());b.on("error",()=>a.destroy())});s.listen(0,"127.0.0.1",()=>console.log(s.address().port));`,
  });
  const child = spawn(process.execPath, [relay], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = Number(
    await new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data)))),
  );
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const through = Object.assign(agent, {
    createConnection: () => createConnection({ host: "127.0.0.1", port }),
  });
  const said = await house.bash("git reset --hard", { tool_use_id: "call-p" }, { agent: through });
  expect(decisionIn(said)).toBe("deny");
  expect(kept(house.stage, "call-p")).toEqual([["PreToolUse", true]]);
});

it("the daemon does not trust its own environment about the host", async () => {
  // Otherwise a process that starts the daemon by hand could pose as the host of every session.
  const house = openHouse();
  const { stage } = house;
  const before = house.supervisor();
  process.kill(before, "SIGKILL");
  await until(() => !isAlive(before), "its end");
  const env = { ...stage.env, CLAUDE_PID: "0" };
  spawn(program.node, [program.bundle, "serve"], { env, stdio: "ignore" });
  await until(() => house.supervisor() !== before, "the other gatehouse");
  await house.post("SessionStart", { session_id: "made-up", source: "startup" });
  await house.bash("ls", { session_id: "made-up", tool_use_id: "call-n" });
  expect(kept(stage, "call-n")).toEqual([["PreToolUse", true]]);
});

it("a connection that the host itself hands to a child counts as the host's", async () => {
  const house = openHouse();
  const line = await house.line();
  const body = JSON.stringify({ session_id: "s1", hook_event_name: "PostToolUse", ...outcome, tool_use_id: "call-c" });
  const said = [
    "POST /PostToolUse/any/x HTTP/1.1",
    `Host: 127.0.0.1:${house.door.port}`,
    `Authorization: Bearer ${house.door.token}`,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
  // Shared on purpose as standard output. Otherwise a child inherits none of the host's connections.
  const child = spawn("printf", ["%s", said], { stdio: ["ignore", line, "ignore"] });
  await once(child, "exit");
  await until(() => kept(house.stage, "call-c").length > 0, "the event");
  expect(kept(house.stage, "call-c")).toEqual([["PostToolUse", false]]);
  const { stdout } = spawnSync("ls", ["-l", "/proc/self/fd"], { encoding: "utf8" });
  expect(stdout.split("\n").filter((row) => / (?:[3-9]|\d\d+) -> socket:/.test(row))).toEqual([]);
});

it("another process cannot replace the environment that the host's session is judged in", async () => {
  const house = openHouse();
  const { stage } = house;
  const evil = join(stage.root, "evil");
  mkdirSync(join(evil, "sekisho"), { recursive: true });
  writeFileSync(join(evil, "sekisho", "config.yaml"), "enabled: false\n");
  // A separate process that claims to be the host in the host's own session.
  const [name, ...args] = stage.command("SessionStart");
  const words = [name, ...args].map((word) => `'${word}'`).join(" ");
  const begin = JSON.stringify({
    session_id: "s1",
    hook_event_name: "SessionStart",
    source: "resume",
    cwd: stage.project,
  });
  const script = `printf '%s' '${begin}' > b.json; export CLAUDE_PID=$$ XDG_CONFIG_HOME=${evil}; ${words} < b.json; true`;
  expect(stage.run("setsid", ["sh", "-c", script]).code).toBe(0);
  expect(decisionIn(await house.bash("git reset --hard"))).toBe("deny");
  // The host itself may change the environment, as when a session continues elsewhere.
  house.turn("SessionStart", { source: "resume" }, { XDG_CONFIG_HOME: evil });
  // What is looser there counts in a session that begins with it.
  expect(decisionIn(await house.bash("git reset --hard"))).toBe("deny");
  house.turn("SessionStart", { source: "clear", session_id: "next" }, { XDG_CONFIG_HOME: evil });
  expect(decisionIn(await house.bash("git reset --hard", { session_id: "next" }))).toBe("pass");
});

it("a session first seen by the daemon gets its environment with the next prompt", async () => {
  const house = openHouse();
  const own = join(house.stage.root, "own");
  mkdirSync(join(own, "sekisho"), { recursive: true });
  writeFileSync(join(own, "sekisho", "config.yaml"), "enabled: false\n");
  expect(decisionIn(await house.bash("git reset --hard", { session_id: "late" }))).toBe("deny");
  house.turn("UserPromptSubmit", { session_id: "late", prompt: "go on" }, { XDG_CONFIG_HOME: own });
  expect(decisionIn(await house.bash("git reset --hard", { session_id: "late" }))).toBe("pass");
});
