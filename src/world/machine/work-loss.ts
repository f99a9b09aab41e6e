/** Asks git what a command would throw away. An answer that is missing makes the whole loss unknown. */
import { lstatSync } from "node:fs";
import type { Steps } from "../../kernel/effect.ts";
import type { Discarded } from "../../kernel/facts.ts";
import { absolute } from "../../lib/paths.ts";
import type { GitDiscard } from "../../reading/operation/git-discards.ts";
import { isBuilt } from "../../reading/operation/rebuildable.ts";
import { type Ask, filtersOff } from "./git-asking.ts";

type Loss = Partial<Discarded>;
type Changes = Extract<GitDiscard, { readonly of: "changes" }>;

const NAMES_MAX = 3;
const LISTED_BYTES_MAX = 16 * 1024 * 1024;
const ADDED_MAX = 5000;
const COMMITS_MAX = 1000;

export function* lossAt(discard: GitDiscard, directory: string, ask: Ask): Steps<Loss | undefined> {
  switch (discard.of) {
    case "changes":
      return yield* changesLost(discard, directory, ask);
    case "untracked":
      return yield* untrackedLost(discard, ask);
    case "stash":
      return yield* stashesLost(discard.all, ask);
    case "branches":
      return yield* branchesLost(discard.names, discard.to, ask);
    case "tree":
      return yield* treeLost(absolute(discard.path, directory) ?? discard.path, ask);
    case "repository":
      return undefined;
  }
}

function* changesLost(discard: Changes, directory: string, ask: Ask): Steps<Loss | undefined> {
  const { since, paths, to, mayName, ...others } = discard;
  const [first = "", ...rest] = paths;
  if (mayName && (yield* isCommit(ask, first))) {
    // `git checkout main` keeps changes, or git refuses.
    if (rest.length === 0) return { files: 0 };
    return yield* changesLost({ ...others, since: "HEAD", to: first, paths: rest }, directory, ask);
  }
  if (discard.side) return (yield* areInConflict(ask, paths)) ? { files: 0 } : undefined;
  const changed = yield* changedFiles(ask, since, paths);
  if (!changed || (yield* hidesChanges(ask, directory, paths))) return undefined;
  const more = to === undefined || to === "HEAD" ? {} : yield* lostTo(ask, to, discard);
  return more && { ...changed, ...more };
}

/** What is lost because the files are taken from another commit. */
function* lostTo(ask: Ask, to: string, { paths, moves }: Changes): Steps<Loss | undefined> {
  // A commit that is not there yet may be fetched on the same line; otherwise git only complains.
  const isKnown = yield* isCommit(ask, to);
  const untracked = isKnown ? yield* inTheWay(ask, to, paths) : 0;
  const commits = moves ? yield* commitsLeft(ask, isKnown ? [to] : []) : 0;
  return untracked === undefined || commits === undefined ? undefined : { untracked, commits };
}

function* isCommit(ask: Ask, word: string): Steps<boolean> {
  if (word.startsWith("-")) return false;
  return (yield* ask(["rev-parse", "--verify", "--quiet", `${word}^{tree}`])) !== undefined;
}

/** Looking into submodules would run what their settings name; a moved one still shows. */
const PLAIN = ["-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative", "--ignore-submodules=dirty"];

function* changedFiles(ask: Ask, since: "index" | "HEAD", paths: readonly string[]): Steps<Loss | undefined> {
  const settings = (yield* ask(["config", "--list", "--name-only", "-z"])) ?? "\0";
  const filters = filtersOff(settings);
  // With this setting git goes into submodules, whose changes nobody has looked at.
  if (!filters || settings === "\0" || settings.split("\0").includes("submodule.recurse")) return undefined;
  const base = since === "HEAD" ? ["HEAD"] : [];
  const told = yield* ask([...filters, "diff", "--numstat", ...PLAIN, ...base, "--", ...paths]);
  if (told === undefined) return undefined;
  const counts = told
    .split("\0")
    .flatMap((line) => [/^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(line) ?? []])
    .filter((one) => one.length > 0);
  const number = (count: string | undefined): number => Number(count) || 0;
  return {
    files: counts.length,
    lines: counts.reduce((sum, [, added, removed]) => sum + number(added) + number(removed), 0),
    names: counts.slice(0, NAMES_MAX).map(([, , , name = ""]) => name),
  };
}

/** Files that git was told to take as unchanged: what differs in them shows nowhere. */
function* hidesChanges(ask: Ask, directory: string, paths: readonly string[]): Steps<boolean> {
  const everywhere = paths.length === 0 ? [":/"] : paths;
  const listed = yield* ask(["ls-files", "-v", "-z", "--", ...everywhere], LISTED_BYTES_MAX);
  if (listed === undefined) return true;
  const marked = listed.split("\0").filter((line) => /^[a-zS] /.test(line));
  // In a sparse checkout such files are normal, and not there.
  return marked.some((line) => !line.startsWith("S ") || isThere(`${directory}/${line.slice(2)}`));
}

/** The number of untracked files that a file of the other commit would replace. */
function* inTheWay(ask: Ask, to: string, paths: readonly string[]): Steps<number | undefined> {
  const root = (yield* ask(["rev-parse", "--show-toplevel"]))?.trimEnd();
  const adds = ["diff", "--name-only", "--diff-filter=A", ...PLAIN, "HEAD", to, "--", ...paths];
  const added = (yield* ask(adds, LISTED_BYTES_MAX))?.split("\0").slice(0, -1);
  if (root === undefined || !added || added.length > ADDED_MAX) return undefined;
  return added.filter((path) => isThere(`${root}/${path}`)).length;
}

function* commitsLeft(ask: Ask, kept: readonly string[]): Steps<number | undefined> {
  const branch = (yield* ask(["symbolic-ref", "--quiet", "--short", "HEAD"]))?.trimEnd();
  return yield* commitsOnlyIn(ask, ["HEAD"], branch === undefined ? [] : [branch], kept);
}

function* branchesLost(names: readonly string[], to: string | undefined, ask: Ask): Steps<Loss | undefined> {
  const there: string[] = [];
  for (const name of names) if (yield* isCommit(ask, `refs/heads/${name}`)) there.push(name);
  if (there.length === 0) return { commits: 0 };
  const tips = there.map((name) => `refs/heads/${name}`);
  const commits = yield* commitsOnlyIn(ask, tips, there, to === undefined ? [] : [to]);
  return commits === undefined ? undefined : { commits, names: there.slice(0, NAMES_MAX) };
}

/** Commits of the tips that no other branch, tag or remote has, nor the commit that is kept. */
function* commitsOnlyIn(
  ask: Ask,
  tips: readonly string[],
  without: readonly string[],
  kept: readonly string[],
): Steps<number | undefined> {
  const others = [...without.map((name) => `--exclude=${name}`), "--branches", "--remotes", "--tags"];
  if (kept.some((word) => word.startsWith("-"))) return undefined;
  const told = yield* ask(["rev-list", "--count", `--max-count=${COMMITS_MAX}`, ...tips, "--not", ...kept, ...others]);
  return told === undefined ? undefined : Number(told);
}

/** Git's own dry run. Ignored directories that a tool makes are no loss. */
function* untrackedLost(
  { options, paths }: Extract<GitDiscard, { readonly of: "untracked" }>,
  ask: Ask,
): Steps<Loss | undefined> {
  const told = yield* ask(["-c", "core.quotePath=false", "clean", "-n", ...options, "--", ...paths]);
  const takesIgnored = options.some((option) => /^-\w*x/i.test(option));
  const found = told?.split("\n").flatMap((line) => /^Would remove (.+)$/.exec(line)?.[1] ?? []);
  const dear = found?.filter((path) => !(takesIgnored && isBuilt(path)));
  return dear && { untracked: dear.length, names: dear.slice(0, NAMES_MAX) };
}

function* stashesLost(all: boolean, ask: Ask): Steps<Loss | undefined> {
  const count = (yield* ask(["stash", "list", "--format=%H"]))?.split("\n").filter((line) => line !== "").length;
  return count === undefined ? undefined : { stashes: all ? count : Math.min(1, count) };
}

function* areInConflict(ask: Ask, paths: readonly string[]): Steps<boolean> {
  for (const path of paths) if (!(yield* ask(["ls-files", "-u", "-z", "--", path]))) return false;
  return paths.length > 0;
}

/** A work tree of the same repository: its commits stay, its files go. */
function* treeLost(path: string, ask: Ask): Steps<Loss | undefined> {
  const there: Ask = (args, bytesMax) => ask(["-C", path, ...args], bytesMax);
  const changed = yield* changedFiles(there, "HEAD", []);
  const fresh = yield* there(["ls-files", "--others", "--exclude-standard", "-z"]);
  if (!changed || fresh === undefined || (yield* hidesChanges(there, path, []))) return undefined;
  return { ...changed, untracked: fresh.split("\0").length - 1 };
}

/** A path below a file is in the way too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
