/** Summarizes the state of a repository: branch, last commits, uncommitted files. */

import { plainText } from "../../disk/plain-file.ts";
import { run, type Steps } from "../../kernel/effect.ts";
import type { GitSite } from "../../reading/operation/git-site.ts";
import { gitRun } from "./git.ts";
import type { Environment } from "./places.ts";
import { workTreeOf } from "./work-tree.ts";

export interface RepositoryLook {
  readonly branch?: string;
  /** Newest first. */
  readonly commits?: readonly string[];
  /** Staged, changed and untracked files, each listed once. */
  readonly uncommitted?: readonly string[];
}

interface Looking {
  readonly env: Environment;
  readonly project: string;
  /** Deadline for all git calls together, on the same clock. */
  readonly deadline: number;
  readonly clock: () => number;
}

type Ask = (args: readonly string[]) => Steps<string | undefined>;

/** A part that cannot be read is left out without affecting the others. */
export function* repositoryLook(root: string, from: Looking, commits: number): Steps<RepositoryLook> {
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
const FILTERS_MAX = 100;
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
  const filters = filtersIn(yield* ask(["config", "--list", "--name-only", "-z"]));
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

/** Disables the configured filters: git would run them to compare changed files. */
function filtersIn(names: string | undefined): readonly string[] | undefined {
  const set = names?.split("\0").flatMap((name) => /^filter\.([\s\S]+)\.[^.]+$/i.exec(name)?.[1] ?? []);
  // A filter name with `=` cannot be passed with `-c`, so the lookup is skipped.
  if (!set || set.some((name) => name.includes("=")) || set.length > FILTERS_MAX) return undefined;
  const off = (name: string): readonly string[] =>
    ["clean=", "process=", "required=false"].flatMap((value) => ["-c", `filter.${name}.${value}`]);
  return [...new Set(set)].flatMap(off);
}

function asker(site: GitSite, { env, project, deadline, clock }: Looking): Ask {
  return function* (args) {
    const timeMs = Math.round(deadline - clock());
    const program = timeMs > 0 ? gitRun(site, args, { env, project, timeMs }) : undefined;
    const result = program && (yield* run(program));
    return result && "text" in result ? whole(result) : undefined;
  };
}

/** The last entry of truncated output may be incomplete. */
function whole({ text, cut }: { readonly text: string; readonly cut: boolean }): string {
  return cut ? text.slice(0, Math.max(text.lastIndexOf("\0"), text.lastIndexOf("\n")) + 1) : text;
}
