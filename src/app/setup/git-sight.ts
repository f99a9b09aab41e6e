/** How git treats a settings file: whether it is shared with others, and how to exclude it. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { trueName } from "../../world/machine/places.ts";

/** tracked: shared with others. open: the next `git add .` would add it. hidden: ignored, or there is no git. */
export type Sight = "tracked" | "open" | "hidden";

export function gitSight(path: string): Sight {
  const { directory, name } = standing(path);
  if (git(directory, "ls-files", "--error-unmatch", "--", name).status === 0) return "tracked";
  const { status } = git(directory, "check-ignore", "--quiet", "--", name);
  return status === 1 ? "open" : "hidden";
}

/** The file as a new worktree would have it. Undefined: it isn't in the last commit. */
export function committedText(path: string): string | undefined | "no-git" {
  const { directory, name } = standing(path);
  if (git(directory, "rev-parse", "--is-inside-work-tree").status !== 0) return "no-git";
  const { status, stdout } = git(directory, "show", `HEAD:./${name}`);
  return status === 0 ? stdout : undefined;
}

/** Marks the line as ours, for `uninstall` and for people. */
const MARK = "# Sekisho: hooks with paths of this machine";
export const SETTINGS_MARK = "# Sekisho: settings of this machine";

/** Adds the file to the repository's local exclude list; a tracked `.gitignore` is not ours to change. */
export function hideFromGit(path: string, mark = MARK): string | undefined {
  const list = excludeList(path, mark);
  if (!list) return undefined;
  const { file, text, entry } = list;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return text.includes(entry) || isWritten(file, text + gap + entry) ? file : undefined;
}

/** Removes exactly our two lines. If that fails they stay, which is harmless. */
export function showToGit(path: string, mark = MARK): void {
  const list = excludeList(path, mark);
  if (list?.text.includes(list.entry)) isWritten(list.file, list.text.replace(list.entry, ""));
}

function excludeList(
  path: string,
  mark: string,
): { readonly file: string; readonly text: string; readonly entry: string } | undefined {
  const { directory, name } = standing(path);
  const { stdout } = git(directory, "rev-parse", "--show-toplevel", "--git-path", "info/exclude");
  const [root, file] = (stdout ?? "").split("\n");
  if (!root || !file) return undefined;
  const inside = relative(trueName(root), trueName(join(directory, name)));
  const whole = resolve(directory, file);
  const text = existsSync(whole) ? textOf(whole) : "";
  // Escape characters that are patterns to git.
  return text === undefined
    ? undefined
    : { file: whole, text, entry: `${mark}\n/${inside.replace(/[*?[\]\\]/g, "\\$&")}\n` };
}

const BYTES_MAX = 4 * 1024 * 1024;

/** A list that cannot be read is not written either. */
function textOf(file: string): string | undefined {
  return plainText(file, BYTES_MAX);
}

function isWritten(file: string, text: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return true;
  } catch (error) {
    // The exclude list is read-only; the caller tells the person.
    void error;
    return false;
  }
}

/** The nearest existing directory, because the file and its directory may not exist yet. */
function standing(path: string): { readonly directory: string; readonly name: string } {
  const target = trueName(path);
  let directory = dirname(target);
  while (!existsSync(directory) && directory !== dirname(directory)) directory = dirname(directory);
  return { directory, name: relative(directory, target) || basename(target) };
}

/** Disables the repository's own helpers, so that a lookup runs none of its programs. */
function git(directory: string, ...args: readonly string[]) {
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  return spawnSync("git", [...quiet, ...args], { cwd: directory, encoding: "utf8", timeout: 10_000 });
}
