/** A throw-away world for one story: project, home, state and a copy of the program, with the real client in it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { towardsModel } from "../../src/cli/doctor/messages-api.ts";
import { type Files, filesIn } from "../files.ts";
import { clientBinary } from "./client.ts";
import { type Lane, type ModelRequest, type Step, startModel } from "./scripted-model.ts";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");
const client = clientBinary();

/** `write` and `read` are about the project. */
export interface Stage extends Files {
  readonly project: string;
  readonly home: string;
  /** What XDG_STATE_HOME names. */
  readonly state: string;
  /** The story's own copy of the program, which it may damage. */
  readonly program: string;
  /** Where our hooks are registered. */
  readonly settings: string;
  /** More words for the client, and more in its environment, in the sessions to come. */
  readonly flags: string[];
  readonly env: Record<string, string>;
  /** The client itself, with other words than for a session. */
  client(...args: readonly string[]): Ended;
  git(...args: readonly string[]): string;
  /** Runs a command of ours as a person would, in the project. */
  sekisho(...args: readonly string[]): Ended;
  /** The same with more in its environment. */
  sekishoWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Ended;
  /** Our journal, as `sekisho audit` tells it. */
  audit(): readonly AuditLine[];
  /** The line about a tool use: what was asked, and what came of it. */
  call(id: string): AuditLine | undefined;
  /** One headless session of the client; every step is a turn of the model. */
  session(steps: readonly Step[], ...lanes: readonly Lane[]): Promise<Session>;
  /** The same with flags and a prompt of its own: a session that is resumed, say. */
  play(how: Playing, steps: readonly Step[], ...lanes: readonly Lane[]): Promise<Session>;
}

type Playing = {
  readonly flags?: readonly string[];
  readonly prompt?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the client may do without asking; by default all that stories use, so that only we stand in the way. */
  readonly allowed?: string;
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Session extends Omit<Ended, "stdout"> {
  readonly events: readonly StreamEvent[];
  readonly requests: readonly ModelRequest[];
  /** What the model was told about a tool use. */
  told(call: string): string;
}

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The fields of an audit line that the stories look at. */
interface AuditLine {
  readonly kind: string;
  readonly event: string;
  readonly session_id: string;
  readonly agent_type: string | null;
  readonly tool_name: string | null;
  readonly tool_use_id: string | null;
  readonly verdict: string | null;
  readonly policies: readonly string[];
  readonly reason: string | null;
  readonly outcome: string | null;
  readonly unbound: boolean;
}

/** Everything is removed when the story ends. `env` is what our own commands get besides. */
export function openStage(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
  lane: "plain" | "fast" = laneOfRun(),
): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "story-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const stage = stageAt(root, env);
  for (const directory of ["project", "home", "state", "tmp"]) mkdirSync(join(root, directory));
  for (const [path, content] of Object.entries({ "hello.txt": "hello\nworld\n", ...files })) stage.write(path, content);
  copyProgram(stage.program);
  stage.git("init", "--quiet", "--initial-branch", "main");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  trust(stage);
  if (lane === "fast") onTestFinished(() => endGatehouse(stage));
  const init = stage.sekisho("init", "--yes", "--scope", "local", "--lane", lane);
  if (init.code !== 0) throw new Error(`sekisho init ended with ${init.code}: ${init.stdout}${init.stderr}`);
  return stage;
}

/** By its number: the story may have broken the program that would end it. */
function endGatehouse({ state }: Stage): void {
  const note = join(state, "sekisho", "gatehouse", "run.json");
  if (!existsSync(note)) return;
  const { pid } = JSON.parse(readFileSync(note, "utf8")) as { pid: number };
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // The story has ended it already.
    void error;
  }
}

/** Every story is played on both lanes: see vitest.config.ts. */
export function laneOfRun(): "plain" | "fast" {
  return process.env["SEKISHO_LANE"] === "fast" ? "fast" : "plain";
}

/** Refused by us and by nobody else, without harm to anything but the project's one file. */
export const forbidden = "git reset --hard";

/** Whatever of ours the model or the person got to see. Nothing else in a story bears the name. */
export function spokenOf({ requests, events }: Session): readonly string[] {
  const heard = [...requests.map(({ body }) => body), ...events.map((event) => JSON.stringify(event))];
  return heard.flatMap((text) => /.{0,100}(?:sekisho|関所).{0,100}/i.exec(text)?.[0] ?? []);
}

function stageAt(root: string, own: Readonly<Record<string, string>>): Stage {
  const project = join(root, "project");
  const program = join(root, "program", "sekisho.cjs");
  const sekisho: Stage["sekisho"] = (...args) => sekishoWith({}, ...args);
  const sekishoWith: Stage["sekishoWith"] = (more, ...args) => {
    const surroundings = { ...environment(root), ...own, ...more };
    const options = { cwd: project, env: surroundings, encoding: "utf8", timeout: 60_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { code: status, stdout, stderr };
  };
  const [flags, env]: [string[], Record<string, string>] = [[], {}];
  const runClient = (...args: readonly string[]): Ended => {
    const options = { cwd: project, env: clientEnvironment(root, ""), encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(client, args, options);
    return { code: status, stdout, stderr };
  };
  const audit = (): readonly AuditLine[] => readAudit(sekisho("audit", "--json", "--kind", "all", "--tail", "100000"));
  return {
    project,
    home: join(root, "home"),
    state: join(root, "state"),
    program,
    settings: join(project, ".claude", "settings.local.json"),
    git: (...args) => git(root, args),
    sekisho,
    sekishoWith,
    audit,
    call: (id) => callOf(id, audit()),
    session: (steps, ...lanes) => playSession(root, { flags, env }, steps, lanes),
    play: (how, steps, ...lanes) =>
      playSession(root, { env, ...how, flags: [...flags, ...(how.flags ?? [])] }, steps, lanes),
    flags,
    env,
    client: runClient,
    ...filesIn(project),
  };
}

/** The only environment that anything in a story gets: nothing of the surrounding one comes through. */
function environment(root: string): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(root, "home"),
    XDG_STATE_HOME: join(root, "state"),
    TMPDIR: join(root, "tmp"),
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    USER: "dev",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}

function clientEnvironment(root: string, url: string): Record<string, string> {
  return {
    ...environment(root),
    ...towardsModel(url),
    CLAUDE_CODE_TMPDIR: join(root, "tmp"),
  };
}

function copyProgram(program: string): void {
  if (!existsSync(join(DIST, "sekisho.cjs"))) throw new Error("dist/ is empty: run `npm run build` first.");
  cpSync(DIST, dirname(program), { recursive: true });
}

function git(root: string, args: readonly string[]): string {
  const who = ["-c", "user.name=dev", "-c", "user.email=dev@example.invalid"];
  const options = { cwd: join(root, "project"), env: environment(root), encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("git", [...who, ...args], options);
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout;
}

/** As if a person had said yes to the client's question about this folder. */
function trust({ home, project }: Stage): void {
  const accepted = { hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(accepted));
}

const ALLOWED_TOOLS = "Bash,Read,Edit,Write,Agent";
const SESSION_MS_MAX = 30_000;

async function playSession(
  root: string,
  { flags = [], prompt = "Play the story.", env = {}, allowed = ALLOWED_TOOLS }: Playing,
  steps: readonly Step[],
  lanes: readonly Lane[],
): Promise<Session> {
  const model = await startModel(steps, lanes);
  const format = ["-p", "--output-format", "stream-json", "--verbose", "--allowedTools", allowed];
  try {
    const surroundings = { ...clientEnvironment(root, model.url), ...env };
    const { code, stdout, stderr } = await ended([...format, ...flags, "--", prompt], root, surroundings);
    const { requests } = model;
    const events = linesOfJson<StreamEvent>(stdout);
    return { code, stderr, events, requests, told: (call: string) => told(call, requests) };
  } finally {
    await model.close();
  }
}

async function ended(args: readonly string[], root: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(client, args, {
    cwd: join(root, "project"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: SESSION_MS_MAX,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (signal !== null) throw new Error(`The client was ended by ${signal}.\n${stdout.slice(-2000)}\n${stderr}`);
  return { code, stdout, stderr };
}

function told(call: string, requests: readonly ModelRequest[]): string {
  const words = requests.map(({ results }) => results.get(call)).find((result) => result !== undefined);
  if (words === undefined) throw new Error(`The model was told nothing about ${call}.`);
  return words;
}

function readAudit({ code, stdout, stderr }: Ended): readonly AuditLine[] {
  if (code !== 0) throw new Error(`sekisho audit ended with ${code}: ${stderr}`);
  return linesOfJson<AuditLine>(stdout);
}

/** Calls that never reached the gate have no line of their own there, and are told of by what came of them. */
function callOf(id: string, lines: readonly AuditLine[]): AuditLine | undefined {
  const about = lines.filter(({ tool_use_id: call }) => call === id);
  return about.find(({ event }) => event === "PreToolUse") ?? about[0];
}

function linesOfJson<T>(text: string): readonly T[] {
  return text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as T] : []));
}
