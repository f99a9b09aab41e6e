/** Summarizes the state of a repository: branch, last commits, uncommitted files. */

import { plainText } from "../../disk/plain-file.ts";
import type { Steps } from "../../kernel/effect.ts";
import { type Ask, type Asking, asker, filtersOff } from "./git-asking.ts";
import { workTreeOf } from "./work-tree.ts";

export interface RepositoryLook {
  readonly branch?: string;
  /** Newest first. */
  readonly commits?: readonly string[];
  /** Staged, changed and untracked files, each listed once. */
  readonly uncommitted?: readonly string[];
}

/** A part that cannot be read is left out without affecting the others. */
export function* repositoryLook(root: string, from: Asking, commits: number): Steps<RepositoryLook> {
  const own = workTreeOf(root)?.own;
  if (own === undefined) return {};
  const ask = asker({ directory: root }, from);
  const branch = branchIn(plainText(`${own}/HEAD`, HEAD_BYTES_MAX) ?? "");
  const log = yield* ask(["log", `--max-count=${commits}`, "--format=%h %s", ...PLAIN, "--no-show-signature", "--"]);
  const uncommitted = yield* uncommittedIn(ask);
  return {
    ...(branch !== undefined && { branch }),
    ...(log !== undefined && { commits: log.split("\n").filter((line) => line !== "") }),
    ...(uncommitted && { uncommitted }),
  };
}

const HEAD_BYTES_MAX = 4096;
const PLAIN = ["--no-color", "--no-notes", "--no-decorate", "--no-ext-diff", "--no-textconv"];
const NAMES = ["--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative"];

function branchIn(head: string): string | undefined {
  const [, branch] = /^ref: refs\/heads\/(.+)\s*$/.exec(head) ?? [];
  // `.invalid` is the placeholder of a repository with the reftable format, which only git can read.
  if (branch !== undefined) return branch === ".invalid" ? undefined : branch;
  return /^[0-9a-f]{40,64}\s*$/.test(head) ? `(detached at ${head.slice(0, 7)})` : undefined;
}

/** Undefined when one of the three lists is missing, since the count would be wrong. */
function* uncommittedIn(ask: Ask): Steps<readonly string[] | undefined> {
  const staged = yield* ask(["diff", "--cached", ...NAMES, "--ignore-submodules=dirty", "--"]);
  const filters = filtersOff(yield* ask(["config", "--list", "--name-only", "-z"]));
  if (staged === undefined || !filters) return undefined;
  const changed = yield* ask([...filters, "diff-files", ...NAMES, "--ignore-submodules=all", "--"]);
  const fresh = yield* ask([
    "ls-files",
    "--others",
    "--exclude-standard",
    "--directory",
    "--no-empty-directory",
    "-z",
    "--",
  ]);
  if (changed === undefined || fresh === undefined) return undefined;
  return [...new Set([staged, changed, fresh].flatMap((names) => names.split("\0").filter((name) => name !== "")))];
}
