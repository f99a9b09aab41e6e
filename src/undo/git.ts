/** Reads a work tree with git. Never changes it, and runs no program that is configured there. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isText, raw, readable } from "./bytes.ts";

const TIME_MS_MAX = 1500;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Beyond this the command line would be too long or git too slow. */
const PATHS_MAX = 400;

/** Keeps the user's git settings, but disables those that run a program. */
const CALM = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"];
const KEPT_VARIABLES = ["PATH", "HOME", "XDG_CONFIG_HOME"] as const;

/** Undefined when git is missing, does not know the directory or takes too long. The output is bytes. */
export function git(cwd: string, args: readonly string[], input?: Buffer): string | undefined {
  const { status, stdout } = runGit(cwd, args, input, OUTPUT_BYTES_MAX);
  return status === 0 ? stdout.toString("latin1") : undefined;
}

function runGit(cwd: string, args: readonly string[], input: Buffer | undefined, maxBuffer: number) {
  const known = KEPT_VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return spawnSync("git", [...CALM, ...args], {
    cwd,
    env: { ...Object.fromEntries(known), LC_ALL: "C", ...SILENT },
    timeout: TIME_MS_MAX,
    maxBuffer,
    stdio: ["pipe", "pipe", "ignore"],
    ...(input && { input }),
  });
}

const SILENT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_LAZY_FETCH: "1",
};

/** Path in bytes → object in the newest commit. */
export function committedIn(tree: string, paths: readonly string[]): ReadonlyMap<string, string> {
  if (!isRepository(tree)) return new Map();
  const out = git(readable(tree), ["ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", ...pathspecs(paths)]) ?? "";
  const found = new Map<string, string>();
  for (const line of out.split("\0")) {
    const [, object, path] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (object !== undefined && path !== undefined) found.set(path, object);
  }
  return found;
}

export interface Ignored {
  readonly files: ReadonlySet<string>;
  /** Whole directories, without the slash. */
  readonly directories: ReadonlySet<string>;
}

/** Ignored files among and below these paths. */
export function ignoredIn(tree: string, paths: readonly string[]): Ignored {
  if (!isRepository(tree)) return { files: new Set(), directories: new Set() };
  const cwd = readable(tree);
  const named = paths.filter((path) => path !== "");
  const asked = named.length > 0 ? git(cwd, ["check-ignore", "-z", "--stdin"], raw(named.join("\0"))) : undefined;
  const themselves = (asked ?? "").split("\0").filter((path) => path !== "");
  const open = paths.filter((path) => !themselves.includes(path));
  const listing = ["ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z", "--", ...pathspecs(open)];
  const below = open.length === 0 ? [] : (git(cwd, listing) ?? "").split("\0").filter((path) => path !== "");
  const directories = below.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  return { files: new Set([...themselves, ...below]), directories: new Set([...themselves, ...directories]) };
}

/** A project without git is read without it. */
function isRepository(tree: string): boolean {
  return existsSync(`${readable(tree)}/.git`);
}

function pathspecs(paths: readonly string[]): readonly string[] {
  const named = paths.filter(isText).map((path) => readable(path) || ".");
  return named.length > PATHS_MAX ? ["."] : named;
}

/** Contents of committed objects, without those that git does not have. */
export function objectsOf(tree: string, objects: readonly string[], bytes: number): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const input = Buffer.from(`${objects.join("\n")}\n`);
  const { stdout } = runGit(tree, ["cat-file", "--batch"], input, bytes + objects.length * 128 + 4096);
  for (let at = 0; stdout && at < stdout.length; ) {
    const end = stdout.indexOf("\n", at);
    const [, object, size] = /^([0-9a-f]+) blob (\d+)$/.exec(stdout.toString("latin1", at, end)) ?? [];
    if (end < 0) break;
    at = end + 1;
    if (object === undefined) continue;
    found.set(object, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
