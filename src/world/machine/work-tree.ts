/** The work tree of a path, found without running git. */
import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { plainText } from "../../disk/plain-file.ts";

export interface WorkTree {
  readonly root: string;
  /** The git directory of this work tree: HEAD and the index. */
  readonly own: string;
  /** The git directory shared by all work trees of the repository: branches. */
  readonly common: string;
}

/** The nearest one at or above the path; undefined when there is none. */
export function workTreeOf(path: string): WorkTree | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = gitDirectoriesAt(`${at === "/" ? "" : at}/.git`);
    if (found) return { root: at, ...found };
    if (dirname(at) === at) return undefined;
  }
}

/** The work tree of a directory; outside a repository, the project. */
export function rootOf(cwd: string, project: string): string {
  if (!cwd.startsWith("/")) return project;
  const known = roots.get(cwd);
  if (known) return known.root ?? project;
  const root = rootAbove(real(cwd));
  roots.set(cwd, { root });
  return root ?? project;
}

/** As found during the current event, whose facts ask more than once. */
const roots = new Map<string, { readonly root: string | undefined }>();

export function forgetRoots(): void {
  roots.clear();
}

/** Where the git directory itself is doesn't matter here, so it is not followed. */
function rootAbove(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const dotGit = `${at === "/" ? "" : at}/.git`;
    const stat = statOf(dotGit);
    if (stat?.isDirectory() || (stat?.isFile() && gitDirectoriesAt(dotGit))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Follows a work tree's `.git` file to the repository it shares with the others. */
export function gitDirectoriesAt(dotGit: string): Pick<WorkTree, "own" | "common"> | undefined {
  const stat = statOf(dotGit);
  if (!stat) return undefined;
  if (stat.isDirectory()) {
    const own = real(dotGit);
    return { own, common: own };
  }
  // Reading a pipe would block forever.
  if (!stat.isFile()) return undefined;
  const gitdir = /^gitdir: (.+)$/m.exec(text(dotGit) ?? "")?.[1]?.trim();
  if (gitdir === undefined) return undefined;
  const own = resolve(dirname(dotGit), gitdir);
  const common = text(join(own, "commondir"))?.trim();
  return { own, common: real(common === undefined ? own : resolve(own, common)) };
}

/** A path below a file doesn't exist either. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

export function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A deleted directory still has a path, and its project still has a journal.
    return resolve(path);
  }
}

/** Git itself writes a line or two. */
const BYTES_MAX = 64 * 1024;

function text(path: string): string | undefined {
  return plainText(path, BYTES_MAX);
}
