/** Which project a directory belongs to: one for all work trees of a repository, found without running git. */
import { basename, dirname } from "node:path";
import { real, workTreeOf } from "./work-tree.ts";

/** The root that names the project: the main work tree, the bare repository, or the directory itself. */
export function projectRoot(directory: string): string {
  const start = real(directory);
  const common = workTreeOf(start)?.common;
  if (common === undefined) return start;
  return basename(common) === ".git" ? dirname(common) : common;
}

const KEY_BYTES_MAX = 200;

/**
 * The project's directory name inside the state directory: its full path, readable and collision-free. A path too long
 * for a file name keeps its end, and a hash replaces the rest.
 */
export function projectKey(root: string): string {
  const spelled = root.includes("%") || root.includes("+") ? root.replaceAll("%", "%25").replaceAll("+", "%2B") : root;
  const name = (spelled.startsWith("/") ? spelled.slice(1) : spelled).replaceAll("/", "+") || "+";
  // No UTF-16 unit takes more than three bytes in UTF-8.
  if (name.length * 3 <= KEY_BYTES_MAX) return name;
  const bytes = Buffer.from(name);
  if (bytes.length <= KEY_BYTES_MAX) return name;
  let sum = 0n;
  for (const byte of bytes) sum = ((sum ^ BigInt(byte)) * 1_099_511_628_211n) & 0xffff_ffff_ffff_ffffn;
  return `${sum.toString(36)}+${bytes
    .subarray(-160)
    .toString()
    .replace(/^\uFFFD+/, "")}`;
}
