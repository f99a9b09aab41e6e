/** Which branch is checked out where something would change, read from the repository's own files. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckedOut, Facts } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { trueName } from "./places.ts";
import { type WorkTree, workTreeOf } from "./work-tree.ts";

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

/** Undefined outside of repositories, without a branch (detached), and before its first commit: nothing is there yet. */
function checkedOutAt(directory: string): CheckedOut | undefined {
  const tree = workTreeOf(directory);
  const head = tree ? readFileSync(join(tree.own, "HEAD"), "utf8").trim() : "";
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (!tree || branch === undefined) return undefined;
  if (branch === ".invalid") throw new Error(`the branch of ${tree.root} stands in a table that only git can read`);
  return hasCommits(tree, branch) ? { root: tree.root, branch } : undefined;
}

/** More than any list of branches; beyond it there are commits for sure. */
const PACKED_BYTES_MAX = 4 * 1024 * 1024;

function hasCommits({ common }: WorkTree, branch: string): boolean {
  if (existsSync(join(common, "refs", "heads", branch))) return true;
  const packed = join(common, "packed-refs");
  const size = statSync(packed, { throwIfNoEntry: false })?.size ?? 0;
  return size > PACKED_BYTES_MAX || (size > 0 && readFileSync(packed, "utf8").includes(` refs/heads/${branch}\n`));
}
