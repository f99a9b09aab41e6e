/**
 * The directory in which the state fixture is made, tested and rolled back. Its path is fixed because a journal belongs
 * to a project path: unpacked anywhere else, the same files would belong to another project.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

export const ROOT = "/tmp/sekisho-fixture";
export const PROJECT = `${ROOT}/project`;
/** A second project. Its oldest segment was pruned. */
export const PRUNED = `${ROOT}/pruned`;
export const HOME = `${ROOT}/home`;
export const STATE = `${ROOT}/state`;
export const PROGRAM = `${ROOT}/program/sekisho.cjs`;
const OWNER = `${ROOT}/owner`;
const CLOCK = join(import.meta.dirname, "clock.cjs");

/** The reason why the fixture cannot be used on this machine, or undefined. */
export function whyNotHere() {
  if (process.platform !== "linux") return "the fixture needs Linux";
  return realpathSync("/tmp") === "/tmp" ? undefined : "/tmp is a symbolic link, so the project would get another path";
}

/** Locks the directory for this process. Waits while another process holds the lock; a dead owner loses it. */
export async function claimPlace() {
  for (;;) {
    try {
      mkdirSync(ROOT, { mode: 0o700 });
      writeFileSync(OWNER, `${process.pid} ${startOf(process.pid)}`);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isAbandoned()) rmSync(ROOT, { recursive: true, force: true });
    else await sleep(100);
  }
}

export function releasePlace() {
  rmSync(ROOT, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes everything except the lock. */
export function emptyPlace() {
  for (const name of readdirSync(ROOT))
    if (name !== "owner") rmSync(join(ROOT, name), { recursive: true, force: true });
}

function isAbandoned() {
  try {
    const [pid, started] = readFileSync(OWNER, "utf8").split(" ");
    return started !== undefined && startOf(Number(pid)) !== started;
  } catch (error) {
    // The owner has created the directory but not the file yet, is removing both, or was ended while it removed them.
    if (error.code === "ENOENT") return ageOf(ROOT) > UNOWNED_MS_MAX;
    throw error;
  }
}

const UNOWNED_MS_MAX = 60_000;

function ageOf(path) {
  const made = statSync(path, { throwIfNoEntry: false })?.ctimeMs;
  return made === undefined ? 0 : Date.now() - made;
}

/** The start time of a process, because process ids are reused. Empty if there is no such process. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "";
  }
}

/** Copies a built program to the path that the hooks of the fixture start, replacing the one there. */
export function installProgram(bundle) {
  const from = dirname(realpathSync(bundle));
  rmSync(dirname(PROGRAM), { recursive: true, force: true });
  cpSync(from, dirname(PROGRAM), { recursive: true, filter: (path) => !path.includes(".build-") });
}

/** The whole environment of the program. `client` is the process that plays Claude Code, the parent of every hook. */
export function environment(project, client = process.pid) {
  const date = "2026-01-05T09:00:00Z";
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME,
    XDG_STATE_HOME: STATE,
    TMPDIR: `${ROOT}/tmp`,
    LANG: "C.UTF-8",
    CLAUDE_PID: String(client),
    CLAUDE_PROJECT_DIR: project,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "dev",
    GIT_AUTHOR_EMAIL: "dev@example.invalid",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: "dev",
    GIT_COMMITTER_EMAIL: "dev@example.invalid",
    GIT_COMMITTER_DATE: date,
  };
}

/** Runs the installed program with its clock stopped at `now`. With `below`, a shell stands between us and it. */
export function runProgram(args, { now, project = PROJECT, env = {}, input = "", below = false }) {
  const words = [process.execPath, "--require", CLOCK, PROGRAM, ...args];
  const [command, ...rest] = below ? ["sh", "-c", '"$@"; exit $?', "sh", ...words] : words;
  const { status, stdout, stderr, error } = spawnSync(command, rest, {
    cwd: project,
    env: { ...environment(project), ...env, SEKISHO_FIXTURE_NOW: String(now) },
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  // EPIPE only means that the program did not read all of its input.
  if (error && error.code !== "EPIPE") throw error;
  return { code: status, stdout, stderr };
}

/** Sends one event to the hook, as the client does. */
export function sendEvent(event, fields, { now, project = PROJECT, harmless = false, below = false }) {
  const payload = { session_id: "s-main", cwd: project, permission_mode: "default", hook_event_name: event, ...fields };
  return runProgram(["hook", event, ...(harmless ? ["harmless"] : [])], {
    ...{ now, project, below, input: JSON.stringify(payload) },
  });
}

/** The directory of a project's journal. */
export function journalOf(project) {
  return join(STATE, "sekisho", project.slice(1).replaceAll("/", "+"));
}

/** Every record of a journal, oldest first. A line is a checksum of eight digits, a space and JSON. */
export function recordsOf(project) {
  const directory = journalOf(project);
  const segments = readdirSync(directory)
    .filter((name) => /^journal\.\d{8}\.jsonl$/.test(name))
    .sort();
  return segments.flatMap((name) =>
    readFileSync(join(directory, name), "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line.slice(9))])),
  );
}

const FIXTURE = join(import.meta.dirname, "..", "..", "test", "fixtures", "state-0.1.0");
export const ARCHIVE = join(FIXTURE, "state.tar.gz");
export const OUTPUTS = join(FIXTURE, "outputs.json.gz");

/** Not part of the archive: copies of the program, compiled code, and files of the run that made the fixture. */
const NOT_FROZEN = [
  ...["owner", "program", "tmp", "home/.npm", "state/sekisho/code-cache", "state/sekisho/versions"],
  ...["state/sekisho/gatehouse/run.json", "state/sekisho/gatehouse/gatehouse.log"],
];

export function packPlace(archive) {
  mkdirSync(dirname(archive), { recursive: true });
  const left = NOT_FROZEN.map((path) => `--exclude=./${path}`);
  const tar = must("tar", [
    "-C",
    ROOT,
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    ...left,
    "-cf",
    "-",
    ".",
  ]);
  writeFileSync(archive, gzipSync(tar, { level: 9 }));
}

/** Unpacks the fixture into the locked directory and installs a program there. */
export function unpackPlace(bundle, archive = ARCHIVE) {
  must("tar", ["-C", ROOT, "--no-same-owner", "-xzf", archive]);
  mkdirSync(`${ROOT}/tmp`, { recursive: true });
  installProgram(bundle);
  pointHooksToThisNode();
}

/** The hooks in the fixture name the Node of the machine that made it. */
function pointHooksToThisNode() {
  for (const project of [PROJECT, PRUNED]) {
    const file = `${project}/.claude/settings.local.json`;
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/"[^"]*\/node"/g, JSON.stringify(process.execPath)));
  }
}

function must(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}
