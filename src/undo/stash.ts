/** Git stashes: dropping one loses only its name, so the name is saved. */

import { join } from "node:path";
import { plainText } from "../disk/plain-file.ts";
import { maskText } from "../lib/secrets.ts";
import type { Loss } from "../reading/operation/losses.ts";
import { readable } from "./bytes.ts";
import { git } from "./git.ts";
import type { StashEntry } from "./manifest.ts";
import { treeOf } from "./targets.ts";

const STASHES_MAX = 100;

interface Stash {
  readonly tree: string;
  /** Oldest first. */
  readonly entries: readonly StashEntry[];
}

export function stashOf(losses: readonly Loss[], project: string): Stash | undefined {
  const cwd = losses.flatMap((loss) => (loss.how === "stash" ? [loss.cwd] : []))[0];
  const top = cwd === undefined ? undefined : line(cwd, "--show-toplevel");
  const tree = top === undefined ? undefined : treeOf(Buffer.from(top).toString("latin1"), project);
  const entries = tree === undefined ? [] : stashesIn(readable(tree));
  return tree === undefined || entries.length === 0 ? undefined : { tree: readable(tree), entries };
}

/** In git's own order, oldest first. */
export function stashesIn(tree: string): readonly StashEntry[] {
  const common = line(tree, "--path-format=absolute", "--git-common-dir");
  if (common === undefined) return [];
  return textOf(join(common, "logs", "refs", "stash"))
    .split("\n")
    .flatMap((entry) => {
      const [, commit, message = ""] = /^[0-9a-f]+ ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(entry) ?? [];
      return commit === undefined ? [] : [{ commit, message: maskText(message) }];
    })
    .slice(-STASHES_MAX);
}

function line(cwd: string, ...args: readonly string[]): string | undefined {
  const out = git(cwd, ["rev-parse", ...args]);
  return out === undefined ? undefined : readable(out.replace(/\n$/, ""));
}

const BYTES_MAX = 4 * 1024 * 1024;

/** Empty when there are no stashes. */
function textOf(path: string): string {
  return plainText(path, BYTES_MAX) ?? "";
}

/** Restores missing stashes; returns how many could not be restored. */
export function restoreStash(tree: string, entries: readonly StashEntry[]): number {
  const known = new Set(stashesIn(tree).map(({ commit }) => commit));
  const lost = entries.filter(({ commit }) => !known.has(commit));
  const stored = lost.filter(
    ({ commit, message }) => git(tree, ["stash", "store", "-m", message || "stash", commit]) !== undefined,
  );
  return lost.length - stored.length;
}
