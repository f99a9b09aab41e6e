/** A place of its own for every test: a project, a home and a state directory, and the built program in it. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { harmlessTools } from "../../src/hosts/claude-code/tools.ts";
import type { EventName } from "../../src/kernel/event.ts";
import { policies } from "../../src/policies/index.ts";
import { agentAbove } from "../../src/world/agent-above.ts";
import { type Files, filesIn } from "../files.ts";

export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Which of the two gates; by default the one whose matcher the tool meets. */
export type Gate = "change" | "harmless";

interface Sending {
  readonly gate?: Gate | undefined;
  /** Over the stage's own environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The fields of an audit line that the tests look at. */
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

/** `write` and `read` are about the project. */
export interface Stage extends Files {
  /** Holds everything; removed when the test ends. */
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** What XDG_STATE_HOME names. Not there until something is kept. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** This project's directory below the state. */
  journal(): string;
  /** One event through the registered command, as the client sends it. */
  send(event: EventName, fields?: object, sending?: Sending): Answer;
  /** The same with any bytes at all. */
  sendBytes(event: EventName, body: string | Uint8Array, sending?: Sending): Answer;
  /** A tool use at its gate: `bash("ls")`, `use("Read", {…})`. */
  bash(command: string, fields?: object): Answer;
  use(tool: string, input: object, fields?: object): Answer;
  /** Starts the hook and leaves its input to the test. */
  start(event: EventName, sending?: Sending): ChildProcessWithoutNullStreams;
  /** The words that start the hook, for a test that starts it its own way. */
  command(event: EventName, sending?: Sending): readonly [string, ...string[]];
  /** A command of ours, as a person would type it in the project. */
  sekisho(...args: readonly string[]): Answer;
  run(program: string, args: readonly string[], options?: { cwd?: string; input?: string; timeout?: number }): Answer;
  git(...args: readonly string[]): string;
  audit(...args: readonly string[]): readonly AuditLine[];
}

const DIST = join(import.meta.dirname, "..", "..", "dist");

/** A copy, so that a build that goes on meanwhile does not change the program under a test. */
export const program = copyProgram();
/** Inside an agent's processes the commands for people refuse, as they should: then they cannot be tested. */
const agent = agentAbove(process.env, process.pid);
export const forPeople = { skip: agent !== undefined, why: agent === undefined ? "" : ` (skipped: ${agent})` };
export const mounting = {
  skip: process.geteuid?.() !== 0 || process.platform !== "linux",
  why: process.geteuid?.() !== 0 ? " (skipped: only root can mount)" : "",
};

interface StageOptions {
  readonly git?: boolean;
  readonly registered?: boolean;
  /** The code cache is there already, as it is after the first events of a machine. */
  readonly warm?: boolean;
}

/** Registered as `sekisho init` registers; `commands.test.ts` shows that both are the same. */
export function openStage(options: StageOptions = {}): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-e2e-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  for (const directory of ["project", "home", "tmp"]) mkdirSync(join(root, directory));
  const stage = stageAt(root);
  if (options.git !== false) stage.git("init", "--quiet", "--initial-branch", "main");
  if (options.registered !== false) register(stage);
  if (options.warm) warmUp(stage);
  return stage;
}

function warmUp({ state, bash, send }: Stage): void {
  const warm = join(dirname(program.bundle), "warm");
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

function stageAt(root: string): Stage {
  const project = join(root, "project");
  const env = environment(root);
  let calls = 0;
  const run: Stage["run"] = (name, args, { cwd = project, input = "", timeout } = {}) =>
    answerOf(spawnSync(name, args, { cwd, env, input, timeout, encoding: "utf8", maxBuffer: 1 << 28 }));
  const sendBytes: Stage["sendBytes"] = (event, body, sending) => {
    const [name, ...args] = commandFor(event, sending);
    const options = { cwd: project, env: { ...env, ...sending?.env }, input: body, encoding: "utf8" } as const;
    return answerOf(spawnSync(name, args, options));
  };
  const send: Stage["send"] = (event, fields = {}, sending = {}) => {
    const { tool_name: tool } = fields as { tool_name?: unknown };
    const gate = sending.gate ?? (harmlessTools().includes(String(tool)) ? "harmless" : "change");
    const payload = { session_id: "s1", cwd: project, permission_mode: "default", hook_event_name: event, ...fields };
    return sendBytes(event, JSON.stringify(payload), { ...sending, gate });
  };
  const use: Stage["use"] = (tool, input, fields) =>
    send("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `call-${++calls}`, ...fields });
  const sekisho: Stage["sekisho"] = (...args) => run(program.node, [program.bundle, ...args]);
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
    run,
    git: (...args) => gitOutput(run("git", args)),
    audit: (...args) => auditLines(sekisho("audit", "--json", "--kind", "all", "--tail", "100000", ...args)),
    ...filesIn(project),
  };
}

/** The only environment there is: the test plays the client, whose process the hook's parent must be. */
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

function copyProgram() {
  if (!existsSync(join(DIST, "sekisho.cjs"))) throw new Error("dist/ is empty: run `npm run build` first.");
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-e2e-program-")));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(DIST, directory, { recursive: true, filter: (path) => !path.includes(".build-") });
  return { node: process.execPath, bundle: join(directory, "sekisho.cjs") };
}

function answerOf({ status, stdout, stderr, error }: ReturnType<typeof spawnSync>): Answer {
  // A hook that does not read its input is no error here; one that cannot be started is.
  if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  return { code: status, stdout: String(stdout), stderr: String(stderr) };
}

/** How a process that was started ended. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Answer> {
  child.stdin.on("error", () => undefined);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

/** The directories of projects: everything but what all of them share. */
export function journalsIn(state: string): readonly string[] {
  const shared = ["code-cache", "gatehouse", "registrations", "sessions", "versions"];
  return readdirSync(state).filter((name) => !shared.includes(name));
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

/** Where exit code 2 means a refusal to the client. */
const REFUSED_BY_EXIT_CODE: ReadonlySet<string> = new Set([
  "PreToolUse",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "TaskCreated",
  "TaskCompleted",
  "PreCompact",
  "PreModelSwitch",
  "ConfigChange",
]);

/** What the client accepts as an answer to this event, and nothing beside it. */
export function expectValid(event: string, { code, stdout, stderr }: Answer): void {
  expect([0, 2]).toContain(code);
  if (code === 2) {
    expect(REFUSED_BY_EXIT_CODE).toContain(event);
    expect(stdout).toBe("");
    expect(stderr).not.toBe("");
    return;
  }
  expect(stderr).toBe("");
  if (stdout === "") return;
  expect(stdout).toMatch(/^\{[\s\S]*\}$/);
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  const known = ["systemMessage", "hookSpecificOutput", "decision", "reason"];
  expect(known).toEqual(expect.arrayContaining(Object.keys(answer)));
  if ("decision" in answer) {
    expect(["Stop", "SubagentStop"]).toContain(event);
    expect(answer).toMatchObject({ decision: "block", reason: expect.stringMatching(/\S/) });
  }
  const specific = answer["hookSpecificOutput"] as Record<string, unknown> | undefined;
  if (specific) expect(specific["hookEventName"]).toBe(event);
  if (specific && "permissionDecision" in specific) {
    expect(event).toBe("PreToolUse");
    expect(specific).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringMatching(/\S/),
    });
  }
}

export type Verdict = "pass" | "ask" | "deny";

/** A command at its gate, as the client writes it. */
export function whole(command: unknown, more: object = {}): string {
  return JSON.stringify({
    session_id: "s1",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call-1",
    ...more,
  });
}

/** What a gate's answer comes to. */
export function verdictOf({ code, stdout }: Answer): Verdict {
  if (code === 2) return "deny";
  return stdout.includes('"permissionDecision":"ask"') ? "ask" : "pass";
}

/** The words for the person, if there are any. */
export function noticeOf({ stdout }: Answer): string {
  return stdout === "" ? "" : String((JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? "");
}
