/** A stage with a running daemon. The test acts as the host: it opens the session and then sends requests. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { harmlessTools } from "../../src/hosts/claude-code/tools.ts";
import type { Door } from "../../src/hosts/registration.ts";
import type { EventName } from "../../src/kernel/event.ts";
import { ensureDoor, readKey } from "../../src/store/door.ts";
import { lookUp } from "../../src/world/machine/caller.ts";
import { daemonsOf, endDaemons } from "../processes.ts";
import type { Answer } from "./answer.ts";
import { program } from "./program.ts";
import { openStage, registeredEvents, type Stage } from "./stage.ts";
import { type Payload, transcriptIn } from "./transcript.ts";

export interface Said {
  readonly status: number;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
  readonly localAddress?: string;
}

export interface House {
  readonly stage: Stage;
  readonly door: Door;
  readonly key: string;
  /** The daemon's directory. */
  readonly directory: string;
  readonly settings: string;
  /** Posts an event as the host does, over a persistent connection. */
  post(event: string, fields?: object, asking?: Asking): Promise<Said>;
  /** The same with an arbitrary body. */
  postBytes(event: string, body: string | Uint8Array, asking?: Asking): Promise<Said>;
  use(tool: string, input: object, fields?: object, asking?: Asking): Promise<Said>;
  bash(command: string, fields?: object, asking?: Asking): Promise<Said>;
  /** An event that stays on the plain lane, through the command that the fast lane registers for it. */
  turn(event: "SessionStart" | "UserPromptSubmit" | "Stop", fields?: object, env?: Record<string, string>): Answer;
  /** Closes the persistent connection, which may not know yet that its other end is gone. */
  hangUp(): void;
  /** A new connection. */
  line(): Promise<Socket>;
  supervisor(): number;
  /** The pids of the current workers. */
  workers(): readonly number[];
}

/** Starts the daemon, with the session s1 opened by this process. */
export function openHouse(stage: Stage = openStage(), files = program): House {
  const root = join(stage.state, "sekisho");
  const door = ensureDoor(root);
  const settings = join(stage.project, ".claude", "settings.local.json");
  const ours = withOurs(undefined, registeredEvents, { ...files, door }, { lane: "fast" });
  if ("problem" in ours) throw new Error(ours.problem);
  stage.write(".claude/settings.local.json", ours.text);
  onTestFinished(() => endHouse(stage));
  const house = houseOf(stage, door, settings, files);
  const { code, stderr } = house.turn("SessionStart", { source: "startup" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return house;
}

function houseOf(stage: Stage, door: Door, settings: string, files: typeof program): House {
  const root = join(stage.state, "sekisho");
  const directory = join(root, "gatehouse");
  const lasting = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => lasting.destroy());
  let calls = 0;
  const postBytes: House["postBytes"] = (event, body, asking = {}) => ask(door, lasting, event, body, asking);
  const transcript = transcriptIn(stage.home);
  const payload = (event: string, fields: object): Payload => {
    const common = { session_id: "s1", cwd: stage.project, permission_mode: "default", hook_event_name: event };
    const given = { ...common, ...fields };
    return { ...given, ...transcript.fields(given) };
  };
  const post: House["post"] = async (event, fields = {}, asking) => {
    const sent = payload(event, fields);
    transcript.before(sent);
    const said = await postBytes(event, JSON.stringify(sent), asking);
    transcript.after(sent, /"(?:deny|ask|block)"/.test(said.text));
    return said;
  };
  const use: House["use"] = (tool, input, fields, asking) =>
    post(
      "PreToolUse",
      { tool_name: tool, tool_input: input, tool_use_id: `post-${++calls}`, ...fields },
      { path: `/PreToolUse/${harmlessTools().includes(tool) ? "harmless" : "any"}/x`, ...asking },
    );
  const supervisor = (): number =>
    (JSON.parse(readFileSync(join(directory, "run.json"), "utf8")) as { pid: number }).pid;
  return {
    stage,
    door,
    key: readKey(root) ?? "",
    directory,
    settings,
    post,
    postBytes,
    use,
    bash: (command, fields, asking) => use("Bash", { command }, fields, asking),
    turn: (event, fields = {}, env = {}) => {
      const [name, ...args] = turnCommand(event, door, files);
      const options = { cwd: stage.project, env: { ...stage.env, ...env }, encoding: "utf8" } as const;
      const sent = payload(event, fields);
      transcript.before(sent);
      const ended = spawnSync(name, args, { ...options, input: JSON.stringify(sent) });
      transcript.after(sent, ended.status === 2);
      return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
    },
    hangUp: () => lasting.destroy(),
    line: () => lineTo(door.port),
    supervisor,
    workers: () => childrenOf(supervisor()),
  };
}

export function turnCommand(event: EventName, door: Door, files = program): readonly [string, ...string[]] {
  const [slot] = slots([event], { ...files, door }, "fast");
  if (slot?.hook.type !== "command") throw new Error(`${event} is not of the plain lane.`);
  return [slot.hook.command, ...slot.hook.args];
}

function ask(door: Door, lasting: Agent, event: string, body: string | Uint8Array, asking: Asking): Promise<Said> {
  const { method = "POST", path = `/${event}/any/x`, headers = {}, agent = lasting, localAddress } = asking;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: door.port,
        method,
        path,
        agent,
        ...(localAddress !== undefined && { localAddress }),
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${door.token}`,
          "Content-Length": String(Buffer.byteLength(body)),
          ...headers,
        },
      },
      (response) => {
        text(response).then((said) => resolve({ status: response.statusCode ?? 0, text: said }), reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export async function lineTo(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

/** A copy of the program that the test may damage; `change` is applied to every bundle. */
export function copyOf(stage: Stage, name: string, change: (text: string) => string = (text) => text): typeof program {
  const directory = join(stage.root, name);
  mkdirSync(directory);
  for (const file of readdirSync(dirname(program.bundle)).filter((entry) => entry.endsWith(".cjs"))) {
    writeFileSync(join(directory, file), change(readFileSync(join(dirname(program.bundle), file), "utf8")));
  }
  return { node: program.node, bundle: join(directory, "sekisho.cjs") };
}

export async function untilClosed(socket: Socket): Promise<string> {
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1");
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return heard;
}

export type Decision = "pass" | "ask" | "deny";

export function decisionIn({ status, text: said }: Said): Decision {
  expect(status).toBe(200);
  const { hookSpecificOutput } = JSON.parse(said) as { hookSpecificOutput?: { permissionDecision?: Decision } };
  return hookSpecificOutput?.permissionDecision ?? "pass";
}

export function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return children === "" ? [] : children.split(" ").map(Number);
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  return lookUp(pid) !== undefined;
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Daemon processes with this stage's state directory. */
export function housesOf({ state }: Stage): readonly number[] {
  return daemonsOf(state);
}

export function endHouse({ state }: Stage): Promise<void> {
  return endDaemons(state);
}
