/** The work tree a path lies in, found without starting git. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface WorkTree {
  readonly root: string;
  /** Its own half of the repository: HEAD and the index. */
  readonly own: string;
  /** The half that all work trees of a repository share: its branches. */
  readonly common: string;
}

/** The nearest one at or above; undefined when there is none. */
export function workTreeOf(path: string): WorkTree | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = gitDirectoriesAt(`${at === "/" ? "" : at}/.git`);
    if (found) return { root: at, ...found };
    if (dirname(at) === at) return undefined;
  }
}

/** The work tree that a directory lies in; outside of repositories, the project. */
export function rootOf(cwd: string, project: string): string {
  return (cwd.startsWith("/") ? workTreeOf(real(cwd))?.root : undefined) ?? project;
}

/** Follows a work tree's `.git` file to the repository it shares with the others. */
export function gitDirectoriesAt(dotGit: string): Pick<WorkTree, "own" | "common"> | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isDirectory()) {
    const own = real(dotGit);
    return { own, common: own };
  }
  // A pipe of that name would hold us for ever.
  if (!stat.isFile()) return undefined;
  const gitdir = /^gitdir: (.+)$/m.exec(text(dotGit) ?? "")?.[1]?.trim();
  if (gitdir === undefined) return undefined;
  const own = resolve(dirname(dotGit), gitdir);
  const common = text(join(own, "commondir"))?.trim();
  return { own, common: real(common === undefined ? own : resolve(own, common)) };
}

export function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A directory that is gone still has a name, and its project still has a journal.
    return resolve(path);
  }
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
