/** An isolated environment for every test: project, home, state directory, and the built program. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { harmlessTools } from "../../src/hosts/claude-code/tools.ts";
import type { EventName } from "../../src/kernel/event.ts";
import { policies } from "../../src/policies/index.ts";
import { type Files, filesIn } from "../files.ts";
import { stageDirectory } from "../temp.ts";
import type { Answer } from "./answer.ts";
import { inDriver } from "./driver.ts";
import { journalsIn } from "./journals.ts";
import { inProcess, program, type Start } from "./program.ts";
import { transcriptIn } from "./transcript.ts";

/** Which of the two gates; by default the one whose matcher fits the tool. */
export type Gate = "change" | "harmless";

interface Sending {
  readonly gate?: Gate | undefined;
  /** Somebody else than the host sends it, so the transcript does not show its cause. */
  readonly isForged?: boolean;
  /** Added to the stage's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The fields of an audit line that the tests use. */
export interface AuditLine {
  readonly timestamp: string;
  readonly kind: string;
  readonly id: string;
  readonly event: string;
  readonly session_id: string;
  readonly tool_name: string | null;
  readonly tool_use_id: string | null;
  readonly tool_input: unknown;
  readonly verdict: string | null;
  readonly policies: readonly string[];
  readonly reason: string | null;
  readonly outcome: string | null;
  readonly unbound: boolean;
}

/** `write` and `read` take paths in the project. */
export interface Stage extends Files {
  /** Contains everything; removed when the test ends. */
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** The value of XDG_STATE_HOME. Created with the first record. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** This project's directory in the state directory. */
  journal(): string;
  /** Sends one event through the registered command, as the host does. */
  send(event: EventName, fields?: object, sending?: Sending): Answer;
  /** The same with an arbitrary body. */
  sendBytes(event: EventName, body: string | Uint8Array, sending?: Sending): Answer;
  /** A tool call at its gate: `bash("ls")`, `use("Read", {…})`. */
  bash(command: string, fields?: object): Answer;
  use(tool: string, input: object, fields?: object): Answer;
  /** Starts the hook; the test writes its input. */
  start(event: EventName, sending?: Sending): ChildProcessWithoutNullStreams;
  /** The command line of the hook, for a test that starts it itself. */
  command(event: EventName, sending?: Sending): readonly [string, ...string[]];
  /** Runs a Sekisho command in the project as a person would. */
  sekisho(...args: readonly string[]): Answer;
  /** The same with a changed environment. */
  sekishoWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Answer;
  run(program: string, args: readonly string[], options?: { cwd?: string; input?: string; timeout?: number }): Answer;
  git(...args: readonly string[]): string;
  audit(...args: readonly string[]): readonly AuditLine[];
}

interface StageOptions {
  readonly git?: boolean;
  readonly registered?: boolean;
  /**
   * Start a process for every event and command, for tests of the process itself. `warm` begins with a filled code
   * cache, as after the first events on a machine.
   */
  readonly processes?: "cold" | "warm";
}

/** Registered as `sekisho init` does it; `init.test.ts` checks that both are the same. */
export function openStage(options: StageOptions = {}): Stage {
  const root = stageDirectory("e2e");
  for (const directory of ["project", "home", "tmp"]) mkdirSync(join(root, directory));
  const stage = stageAt(root, options.processes ? inProcess : inDriver);
  if (options.git !== false) stage.git("init", "--quiet", "--initial-branch", "main");
  if (options.registered !== false) register(stage);
  if (options.processes === "warm") warmUp(stage);
  return stage;
}

function warmUp({ state, bash, send }: Stage): void {
  const warm = join(dirname(program.bundle), `warm-${process.pid}`);
  const cache = join(state, "sekisho", "code-cache");
  if (!existsSync(warm)) {
    bash("ls");
    send("Stop");
    cpSync(cache, warm, { recursive: true });
    rmSync(state, { recursive: true });
  }
  mkdirSync(dirname(cache), { recursive: true, mode: 0o700 });
  cpSync(warm, cache, { recursive: true });
}

export const registeredEvents: readonly EventName[] = [...new Set(policies.flatMap(({ on }) => on))];

function register(stage: Stage): void {
  const ours = withOurs(undefined, registeredEvents, program);
  if ("problem" in ours) throw new Error(ours.problem);
  stage.write(".claude/settings.local.json", ours.text);
}

function stageAt(root: string, start: Start): Stage {
  const project = join(root, "project");
  const env = environment(root);
  const transcript = transcriptIn(join(root, "home"));
  let calls = 0;
  const run: Stage["run"] = (name, args, { cwd = project, input = "", timeout } = {}) =>
    inProcess([name, ...args], { cwd, env, input, timeout });
  const sendBytes: Stage["sendBytes"] = (event, input, sending) =>
    start(commandFor(event, sending), { cwd: project, env: { ...env, ...sending?.env }, input });
  const send: Stage["send"] = (event, fields = {}, sending = {}) => {
    const { tool_name: tool } = fields as { tool_name?: unknown };
    const gate = sending.gate ?? (harmlessTools().includes(String(tool)) ? "harmless" : "change");
    const given = { session_id: "s1", cwd: project, permission_mode: "default", hook_event_name: event, ...fields };
    const payload = { ...given, ...transcript.fields(given) };
    if (!sending.isForged) transcript.before(payload);
    const answer = sendBytes(event, JSON.stringify(payload), { ...sending, gate });
    if (!sending.isForged) transcript.after(payload, isDenied(answer));
    return answer;
  };
  const use: Stage["use"] = (tool, input, fields) =>
    send("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `call-${++calls}`, ...fields });
  const sekishoWith: Stage["sekishoWith"] = (more, ...args) =>
    start([program.node, program.bundle, ...args], { cwd: project, env: { ...env, ...more }, input: "" });
  const sekisho: Stage["sekisho"] = (...args) => sekishoWith({}, ...args);
  return {
    root,
    project,
    home: join(root, "home"),
    state: join(root, "state"),
    env,
    journal: () => journalOf(join(root, "state", "sekisho")),
    send,
    sendBytes,
    use,
    bash: (command, fields) => use("Bash", { command }, fields),
    start: (event, sending) => {
      const [name, ...args] = commandFor(event, sending);
      const child = spawn(name, args, { cwd: project, env: { ...env, ...sending?.env } });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    },
    command: commandFor,
    sekisho,
    sekishoWith,
    run,
    git: (...args) => gitOutput(run("git", args)),
    audit: (...args) => auditLines(sekisho("audit", "--json", "--kind", "all", "--tail", "100000", ...args)),
    ...filesIn(project),
  };
}

function isDenied({ code, stdout }: Answer): boolean {
  return code === 2 || /"permissionDecision": ?"(?:deny|ask)"|"decision": ?"block"/.test(stdout);
}

/** The complete environment: the test acts as the host, which must be the hook's parent process. */
function environment(root: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(root, "home"),
    XDG_STATE_HOME: join(root, "state"),
    TMPDIR: join(root, "tmp"),
    LANG: "C.UTF-8",
    CLAUDE_PID: String(process.pid),
    CLAUDE_PROJECT_DIR: join(root, "project"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "dev",
    GIT_AUTHOR_EMAIL: "dev@example.invalid",
    GIT_COMMITTER_NAME: "dev",
    GIT_COMMITTER_EMAIL: "dev@example.invalid",
  };
}

function commandFor(event: EventName, { gate }: Sending = {}): readonly [string, ...string[]] {
  const found = slots([event], program);
  const slot = gate === "harmless" && event === "PreToolUse" ? found.at(1) : found.at(0);
  if (!slot) throw new Error(`No hook for ${event}.`);
  return [slot.hook.command, ...slot.hook.args];
}

function journalOf(state: string): string {
  const names = journalsIn(state);
  if (names.length !== 1) throw new Error(`Not one journal below ${state}: ${names.join(", ") || "none"}`);
  return join(state, names[0] ?? "");
}

function gitOutput({ code, stdout, stderr }: Answer): string {
  if (code !== 0) throw new Error(`git: ${stderr}`);
  return stdout;
}

function auditLines({ code, stdout, stderr }: Answer): readonly AuditLine[] {
  if (code !== 0) throw new Error(`sekisho audit ended with ${code}: ${stderr}`);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AuditLine]));
}
