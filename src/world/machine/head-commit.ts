/** The commit that is checked out, read from the repository's own files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { workTreeOf } from "./work-tree.ts";

const REF_BYTES_MAX = 64 * 1024;
const PACKED_BYTES_MAX = 4 * 1024 * 1024;

/** Empty outside a repository, before the first commit, and where only git can read it. */
export function headCommit(root: string): string {
  const tree = workTreeOf(root);
  if (!tree) return "";
  const head = plainText(join(tree.own, "HEAD"), REF_BYTES_MAX)?.trim() ?? "";
  const ref = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  const loose = commitIn(plainText(join(tree.common, ref), REF_BYTES_MAX)?.trim() ?? "");
  return loose || packed(plainText(join(tree.common, "packed-refs"), PACKED_BYTES_MAX) ?? "", ref);
}

/** Whether an empty answer means that nothing is committed yet. */
export function saysHead(root: string): boolean {
  const tree = workTreeOf(root);
  return tree !== undefined && !existsSync(join(tree.common, "reftable"));
}

function packed(table: string, ref: string): string {
  const line = table.split("\n").find((one) => one.endsWith(` ${ref}`));
  return commitIn(line?.split(" ")[0] ?? "");
}

function commitIn(text: string): string {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : "";
}
