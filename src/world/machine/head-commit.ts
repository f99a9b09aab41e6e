/** The commit that is checked out, read from the repository's own files: no program is started. */
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { workTreeOf } from "./work-tree.ts";

const HEAD_BYTES_MAX = 64 * 1024;
const PACKED_BYTES_MAX = 4 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Undefined outside a repository, before the first commit, and where only git can read its table of branches. */
export function headCommit(root: string): string | undefined {
  const tree = workTreeOf(root);
  const head = tree && plainText(join(tree.own, "HEAD"), HEAD_BYTES_MAX)?.trim();
  if (!tree || head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/[^\0]+)$/.exec(head) ?? [];
  const commit = ref === undefined ? head : (looseAt(tree.common, ref) ?? packedAt(tree.common, ref));
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

function looseAt(common: string, ref: string): string | undefined {
  return ref.includes("..") ? undefined : plainText(join(common, ref), HEAD_BYTES_MAX)?.trim();
}

function packedAt(common: string, ref: string): string | undefined {
  const lines = plainText(join(common, "packed-refs"), PACKED_BYTES_MAX)?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}
