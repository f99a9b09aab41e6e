/** What git sees of a settings file: whether it is shared with others, and how to keep it from being. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { trueName } from "../world/places.ts";

/** tracked: others get it. open: the next `git add .` would take it. hidden: ignored, or there is no git. */
export type Sight = "tracked" | "open" | "hidden";

export function gitSight(path: string): Sight {
  const { directory, name } = standing(path);
  if (git(directory, "ls-files", "--error-unmatch", "--", name).status === 0) return "tracked";
  const { status } = git(directory, "check-ignore", "--quiet", "--", name);
  return status === 1 ? "open" : "hidden";
}

/** The line says whose it is: `uninstall` knows it by that, and so does a person. */
const MARK = "# Sekisho: hooks with paths of this machine";

/** Hides a file in the repository's own list, which nobody shares; a tracked `.gitignore` is not ours to write. */
export function hideFromGit(path: string): string | undefined {
  const list = excludeList(path);
  if (!list) return undefined;
  const text = textOf(list.file);
  if (!text.includes(entryFor(list.pattern))) {
    mkdirSync(dirname(list.file), { recursive: true });
    writeFileSync(list.file, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${entryFor(list.pattern)}`);
  }
  return list.file;
}

/** Takes exactly our two lines back. */
export function showToGit(path: string): void {
  const list = excludeList(path);
  const text = list ? textOf(list.file) : "";
  if (list && text.includes(entryFor(list.pattern))) {
    writeFileSync(list.file, text.replace(entryFor(list.pattern), ""));
  }
}

function entryFor(pattern: string): string {
  return `${MARK}\n${pattern}\n`;
}

function excludeList(path: string): { readonly file: string; readonly pattern: string } | undefined {
  const { directory, name } = standing(path);
  const [root, file] = git(directory, "rev-parse", "--show-toplevel", "--git-path", "info/exclude").stdout.split("\n");
  if (!root || !file) return undefined;
  const inside = relative(trueName(root), trueName(join(directory, name)));
  // Signs that are patterns to git stand for themselves.
  return { file: resolve(directory, file), pattern: `/${inside.replace(/[*?[\]\\]/g, "\\$&")}` };
}

/** The nearest directory that exists: the file, and even its directory, may be about to be made. */
function standing(path: string): { readonly directory: string; readonly name: string } {
  const target = trueName(path);
  let directory = dirname(target);
  while (!existsSync(directory) && directory !== dirname(directory)) directory = dirname(directory);
  return { directory, name: relative(directory, target) || basename(target) };
}

/** Without the repository's own helpers: looking must not run anything. */
function git(directory: string, ...args: readonly string[]) {
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  return spawnSync("git", [...quiet, ...args], { cwd: directory, encoding: "utf8", timeout: 10_000 });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
