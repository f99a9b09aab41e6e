/** Which branch is checked out where an operation would change files, read from the repository's own files. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainFile, plainText } from "../../disk/plain-file.ts";
import type { CheckedOut, Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { trueName } from "../machine/places.ts";
import { type WorkTree, workTreeOf } from "../machine/work-tree.ts";

interface Looking {
  readonly event: { readonly cwd: string };
  readonly operation: Operation | undefined;
}

export function branches({ event, operation }: Looking): Facts["branches"] {
  const changed = operation?.effects.filter(({ kind, elsewhere }) => kind !== "read" && !elsewhere) ?? [];
  const { invocations = [], programs = [] } = operation?.shell ?? {};
  const standing = [event.cwd, ...[...invocations, ...programs].flatMap(({ cwd }) => cwd ?? [])];
  const known = new Map<string, CheckedOut | undefined>();
  const at = (directory: string): CheckedOut | undefined => {
    if (!known.has(directory)) known.set(directory, checkedOutAt(directory));
    return known.get(directory);
  };
  const found = [
    ...standing.map((path) => [path, at(dirname(trueName(`${path}/x`)))] as const),
    ...changed.map(({ path }) => [path, at(dirname(trueName(path)))] as const),
  ];
  return Object.fromEntries(found.flatMap(([path, out]) => (out && path.startsWith("/") ? [[path, out]] : [])));
}

/** Undefined outside a repository, on a detached HEAD, and before the branch's first commit. */
export function checkedOutAt(directory: string): CheckedOut | undefined {
  const tree = workTreeOf(directory);
  const head = tree ? headOf(tree).trim() : "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (!tree || branch === undefined) return undefined;
  if (branch === ".invalid") throw new Error(`the branch of ${tree.root} stands in a table that only git can read`);
  return hasCommits(tree, branch) ? { root: tree.root, branch } : undefined;
}

const HEAD_BYTES_MAX = 64 * 1024;

function headOf({ own, root }: WorkTree): string {
  const text = plainText(join(own, "HEAD"), HEAD_BYTES_MAX);
  if (text === undefined) throw new Error(`the branch of ${root} cannot be read`);
  return text;
}

/** Larger than any realistic list of branches; a larger file is taken as proof that there are commits. */
const PACKED_BYTES_MAX = 4 * 1024 * 1024;

function hasCommits({ common }: WorkTree, branch: string): boolean {
  if (existsSync(join(common, "refs", "heads", branch))) return true;
  const packed = join(common, "packed-refs");
  const file = plainFile(packed, PACKED_BYTES_MAX);
  return file !== undefined && (file.cut || file.bytes.toString("utf8").includes(` refs/heads/${branch}\n`));
}
