/** Which project a directory belongs to: one for all work trees of a repository, found without starting git. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The root that names the project: the main work tree, the bare repository, or the directory itself. */
export function projectRoot(directory: string): string {
  const start = real(directory);
  for (let at = start; ; at = dirname(at)) {
    const common = commonGitDirectory(join(at, ".git"));
    if (common !== undefined) return basename(common) === ".git" ? dirname(common) : common;
    if (dirname(at) === at) return start;
  }
}

/** Follows a work tree's `.git` file to the repository it shares with the others. */
function commonGitDirectory(dotGit: string): string | undefined {
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isDirectory()) return real(dotGit);
  // A pipe of that name would hold us for ever.
  if (!stat.isFile()) return undefined;
  const gitdir = /^gitdir: (.+)$/m.exec(text(dotGit) ?? "")?.[1]?.trim();
  if (gitdir === undefined) return undefined;
  const own = resolve(dirname(dotGit), gitdir);
  const common = text(join(own, "commondir"))?.trim();
  return real(common === undefined ? own : resolve(own, common));
}

/**
 * The project's directory name inside the state directory: its whole path, readable and without collisions.
 * A path too long for a file name keeps its end, and its beginning becomes a number.
 */
export function projectKey(root: string): string {
  const name =
    root
      .replace(/^\/+/, "")
      .replace(/[%+]/g, (c) => (c === "%" ? "%25" : "%2B"))
      .replaceAll("/", "+") || "+";
  const bytes = Buffer.from(name);
  if (bytes.length <= 200) return name;
  let sum = 0n;
  for (const byte of bytes) sum = ((sum ^ BigInt(byte)) * 1_099_511_628_211n) & 0xffff_ffff_ffff_ffffn;
  return `${sum.toString(36)}+${bytes
    .subarray(-160)
    .toString()
    .replace(/^\uFFFD+/, "")}`;
}

function real(path: string): string {
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
