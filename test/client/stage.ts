/** A temporary environment for one test: project, home, state, a copy of the program, and the real host. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { towardsModel } from "../../src/hosts/claude-code/trial/messages-api.ts";
import { type Files, filesIn } from "../files.ts";
import { endDaemons } from "../processes.ts";
import { stageDirectory } from "../temp.ts";
import { clientBinary } from "./client.ts";
import { type Lane, type ModelRequest, type Step, startModel } from "./scripted-model.ts";

/** The copy of the build, see global-setup.ts. */
const DIST = process.env["SEKISHO_TEST_PROGRAM"] ?? "";
const client = clientBinary();

/** `write` and `read` take paths in the project. */
export interface Stage extends Files {
  readonly project: string;
  readonly home: string;
  /** The value of XDG_STATE_HOME. */
  readonly state: string;
  /** The test's own copy of the program, which it may damage. */
  readonly program: string;
  /** The settings file with our hooks. */
  readonly settings: string;
  /** Extra arguments and environment variables for the host in later sessions. */
  readonly flags: string[];
  readonly env: Record<string, string>;
  /** The environment of a person's own commands. */
  readonly surroundings: Readonly<Record<string, string>>;
  /** Runs the host with other arguments than a session's. */
  client(...args: readonly string[]): Ended;
  git(...args: readonly string[]): string;
  /** Runs a Sekisho command in the project as a person would. */
  sekisho(...args: readonly string[]): Ended;
  sekishoWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Ended;
  /** The same with something on standard input. */
  sekishoSaying(input: string, ...args: readonly string[]): Ended;
  /** The journal, as `sekisho audit` prints it. */
  audit(): readonly AuditLine[];
  /** The audit line of a tool call with its verdict and outcome. */
  call(id: string): AuditLine | undefined;
  /** Runs a headless session of the host; each step is a turn of the model. */
  session(steps: readonly Step[], ...lanes: readonly Lane[]): Promise<Session>;
  /** The same with its own flags and prompt, e.g. to resume a session. */
  play(how: Playing, steps: readonly Step[], ...lanes: readonly Lane[]): Promise<Session>;
}

type Playing = {
  readonly flags?: readonly string[];
  readonly prompt?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Tools the host allows without asking; by default all that the tests use, so that only Sekisho blocks. */
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
  /** The result of a tool call as the model received it. */
  told(call: string): string;
}

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The fields of an audit line that the tests use. */
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
  readonly lifted_by?: string;
  readonly unbound: boolean;
}

/** Everything is removed when the test ends. `env` is added to the environment of our own commands. */
export function openStage(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
  lane: "plain" | "fast" = laneOfRun(),
): Stage {
  const root = stageDirectory("story");
  const stage = stageAt(root, env);
  for (const directory of ["project", "home", "state", "tmp"]) mkdirSync(join(root, directory));
  for (const [path, content] of Object.entries({ "hello.txt": "hello\nworld\n", ...files })) stage.write(path, content);
  copyProgram(stage.program);
  stage.git("init", "--quiet", "--initial-branch", "main");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  trust(stage);
  if (lane === "fast") onTestFinished(() => endDaemons(stage.state));
  const init = stage.sekisho("init", "--yes", "--scope", "local", "--lane", lane);
  if (init.code !== 0) throw new Error(`sekisho init ended with ${init.code}: ${init.stdout}${init.stderr}`);
  return stage;
}

/** Every test runs on both lanes: see vitest.config.ts. */
export function laneOfRun(): "plain" | "fast" {
  return process.env["SEKISHO_LANE"] === "fast" ? "fast" : "plain";
}

/** Blocked by Sekisho only, and harmless except for the project's one file. */
export const forbidden = "git reset --hard --recurse-submodules";

/** Makes a branch with a commit that no other branch has; deleting it is asked about. */
export function makeKeepsake({ git: inProject }: Stage): void {
  inProject("switch", "--quiet", "--create", "keepsake");
  inProject("commit", "--quiet", "--allow-empty", "--message", "only here");
  inProject("switch", "--quiet", "-");
}

/** All text of ours that the model or the person saw. Nothing else in a test contains the name. */
export function spokenOf({ requests, events }: Session): readonly string[] {
  const heard = [...requests.map(({ body }) => body), ...events.map((event) => JSON.stringify(event))];
  return heard.flatMap((text) => /.{0,100}(?:sekisho|関所).{0,100}/i.exec(text)?.[0] ?? []);
}

function stageAt(root: string, own: Readonly<Record<string, string>>): Stage {
  const project = join(root, "project");
  const program = join(root, "program", "sekisho.cjs");
  const sekisho: Stage["sekisho"] = (...args) => sekishoWith({}, ...args);
  const run = (env: Readonly<Record<string, string>>, input: string, args: readonly string[]): Ended => {
    const options = { cwd: project, env, input, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { code: status, stdout, stderr };
  };
  const sekishoWith: Stage["sekishoWith"] = (more, ...args) => run({ ...environment(root), ...own, ...more }, "", args);
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
    surroundings: { ...environment(root), ...own },
    git: (...args) => git(root, args),
    sekisho,
    sekishoWith,
    sekishoSaying: (input, ...args) => run({ ...environment(root), ...own }, input, args),
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

/** The complete environment of every process in a test; nothing is inherited. */
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

export function clientEnvironment(root: string, url: string): Record<string, string> {
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

/** As if a person had accepted the host's trust dialog for this folder. */
function trust({ home, project }: Stage): void {
  const accepted = { hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(accepted));
}

const ALLOWED_TOOLS = "Bash,Read,Edit,Write,Agent";
/** Only a host that hangs takes this long, even on a busy machine; with all variations of an attack in one session, longer. */
const SESSION_MS_MAX = process.env["SEKISHO_VARIATIONS"] === "all" ? 1_500_000 : 300_000;

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

/** A call that never reached the gate has no PreToolUse line, so its outcome line is used. */
function callOf(id: string, lines: readonly AuditLine[]): AuditLine | undefined {
  const about = lines.filter(({ tool_use_id: call }) => call === id);
  return about.find(({ event }) => event === "PreToolUse") ?? about[0];
}

function linesOfJson<T>(text: string): readonly T[] {
  return text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as T] : []));
}
