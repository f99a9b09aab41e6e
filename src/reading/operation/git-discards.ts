/**
 * Git commands that throw work away, in the forms whose loss git itself can tell: only known options, every word
 * written out. All other forms are judged by their words alone.
 */

import { names } from "../../lib/name-table.ts";
import type { Invocation, Word } from "../shell/parse/reading.ts";
import { gitCommand } from "./git-command.ts";
import { gitVerb } from "./git-site.ts";

export type GitDiscard =
  /** Changes of tracked files below the paths; without paths, all of them. `to`: the commit that replaces them. */
  | {
      readonly of: "changes";
      readonly since: "index" | "HEAD";
      readonly paths: readonly string[];
      readonly to?: string;
      /** The first path may be the name of a commit. */
      readonly mayName?: true;
      /** Takes one side of a merge that is under way. */
      readonly side?: true;
      /** The branch moves to that commit, so commits may be left behind. */
      readonly moves?: true;
    }
  | { readonly of: "untracked"; readonly options: readonly string[]; readonly paths: readonly string[] }
  | { readonly of: "stash"; readonly all: boolean }
  /** Branches that are deleted, or moved to another commit. */
  | { readonly of: "branches"; readonly names: readonly string[]; readonly to?: string }
  /** A work tree that is removed with everything in it. */
  | { readonly of: "tree"; readonly path: string }
  /** Nothing is known about the loss, only that it stays in the repository. */
  | { readonly of: "repository" };

/** Undefined if the command throws nothing away, or in another form than those known here. */
export function discardOf(invocation: Invocation): GitDiscard | undefined {
  if (!isPlain(invocation)) return undefined;
  const { verb = "", args } = gitCommand(invocation.args);
  const form = Object.hasOwn(FORMS, verb) ? FORMS[verb] : undefined;
  return form?.(args) ?? (isAboutRepository(verb, args) ? { of: "repository" } : undefined);
}

function isAboutRepository(verb: string, args: readonly Word[]): boolean {
  return ALWAYS.has(verb) || (BY_OPTION.has(verb) && args.some(({ text }) => text.startsWith("-")));
}

/** The key of the answer: the same words in the same directory. */
export function discardName({ args, cwd = "" }: Invocation): string {
  return [cwd, ...args.map(({ text }) => text)].join("\0");
}

/**
 * Only `-C` and `--no-pager` among git's own options, no settings for this one command, no other repository, and no wrapper: `watch` runs
 * it again later, and whoever hides it in another shell has a reason.
 */
function isPlain(invocation: Invocation): boolean {
  const { word, args, assignments, cwd, via } = invocation;
  if (gitVerb(invocation) === undefined || cwd === undefined || !via.every((name) => name === "time")) return false;
  if (!GIT.has(word.text)) return false;
  const own = args.slice(0, args.length - gitCommand(args).args.length - 1);
  return (
    args.every(({ literal }) => literal) &&
    own.every(({ text }, at) => /^(?:-C.*|--no-pager)$/s.test(text) || own[at - 1]?.text === "-C") &&
    !assignments.some(({ name }) => name.startsWith("GIT_"))
  );
}

const GIT = names("git /bin/git /usr/bin/git /usr/local/bin/git");

/** Verbs that change nothing outside their repository and its work tree; some lose nothing without an option. */
const ALWAYS = names("reset clean restore stash rm reflog gc prune filter-branch update-ref symbolic-ref read-tree");
const BY_OPTION = names("checkout switch branch tag checkout-index commit merge rebase am cherry-pick revert");

type Form = (args: readonly Word[]) => GitDiscard | undefined;

interface Parsed {
  readonly has: (...options: readonly string[]) => boolean;
  /** The words before and after `--`. */
  readonly words: readonly string[];
  readonly rest: readonly string[] | undefined;
}

/** Undefined if an option is not among the known ones. */
function parsed(args: readonly Word[], known: RegExp): Parsed | undefined {
  const all = args.map(({ text }) => text);
  const dashes = all.indexOf("--");
  const before = dashes < 0 ? all : all.slice(0, dashes);
  const options = before.filter((word) => word.startsWith("-"));
  if (!options.every((option) => known.test(option))) return undefined;
  return {
    has: (...wanted) => options.some((option) => wanted.includes(option)),
    words: before.filter((word) => !word.startsWith("-")),
    rest: dashes < 0 ? undefined : all.slice(dashes + 1),
  };
}

const reset: Form = (args) => {
  const read = parsed(args, /^(?:--hard|--merge|-q|--quiet)$/);
  if (!read || read.rest || read.words.length > 1 || !read.has("--hard", "--merge")) return undefined;
  const [to = "HEAD"] = read.words;
  return { of: "changes", since: "HEAD", paths: [], to, moves: true };
};

const checkout: Form = (args) => {
  const read = parsed(args, /^(?:-f|--force|--discard-changes|-q|--quiet|--ours|--theirs)$/);
  const side = read?.has("--ours", "--theirs") && { side: true as const };
  if (!read?.has("-f", "--force", "--discard-changes")) return read && withPaths(read, side || {});
  const isWhole = !read.rest && !side && read.words.length <= 1;
  return isWhole ? { of: "changes", since: "HEAD", paths: [], to: read.words[0] ?? "HEAD" } : undefined;
};

function withPaths({ words, rest }: Parsed, side: { readonly side?: true }): GitDiscard | undefined {
  if (!rest) {
    const isNamed = words.length > 1 || words.some((word) => isWide(word) || isFileName(word));
    return isNamed ? { of: "changes", since: "index", paths: words, mayName: true, ...side } : undefined;
  }
  if (rest.length === 0 || words.length > 1) return undefined;
  const [to] = words;
  return { of: "changes", since: to === undefined ? "index" : "HEAD", paths: rest, ...(to && { to }), ...side };
}

const restore: Form = (args) => {
  const at = args.findIndex(({ text }) => text === "-s" || text === "--source");
  const others = at < 0 ? args : args.toSpliced(at, 2);
  const read = parsed(others, /^(?:-q|--quiet|-S|--staged|-W|--worktree|-SW|-WS|--source=.+)$/);
  if (!read) return undefined;
  const attached = others.find(({ text }) => text.startsWith("--source="))?.text.slice("--source=".length);
  const to = at < 0 ? attached : args[at + 1]?.text;
  const staged = read.has("-S", "--staged", "-SW", "-WS");
  const paths = [...read.words, ...(read.rest ?? [])];
  if (paths.length === 0 || (staged && !read.has("-W", "--worktree", "-SW", "-WS"))) return undefined;
  return { of: "changes", since: to !== undefined || staged ? "HEAD" : "index", paths, ...(to && { to }) };
};

const clean: Form = (args) => {
  const read = parsed(args, /^(?:-[dfqxX]+|--force|--quiet)$/);
  if (!read) return undefined;
  const options = args.map(({ text }) => text).filter((word) => word !== "--" && word.startsWith("-"));
  return { of: "untracked", options, paths: [...read.words, ...(read.rest ?? [])] };
};

const stash: Form = (args) => {
  const [first, ...rest] = args.map(({ text }) => text);
  if (first === "clear") return rest.length === 0 ? { of: "stash", all: true } : undefined;
  return first === "drop" && rest.every((word) => /^(?:-q|--quiet|\d+|stash@\{\d+\})$/.test(word))
    ? { of: "stash", all: false }
    : undefined;
};

const branch: Form = (args) => {
  const read = parsed(args, /^(?:-D|-d|--delete|-f|--force|-df|-fd|-q|--quiet)$/);
  if (!read || read.rest || read.words.length === 0) return undefined;
  const { has, words } = read;
  const forced = has("-f", "--force", "-df", "-fd");
  if (has("-D") || (has("-d", "--delete", "-df", "-fd") && forced)) return { of: "branches", names: words };
  const [name, to = "HEAD", more] = words;
  return forced && name && more === undefined ? { of: "branches", names: [name], to } : undefined;
};

const worktree: Form = ([first, ...args]) => {
  const read = parsed(args, /^(?:-f|--force)$/);
  const [path] = read?.words ?? [];
  return first?.text === "remove" && path !== undefined && !read?.rest ? { of: "tree", path } : undefined;
};

const FORMS: Readonly<Record<string, Form>> = {
  reset,
  checkout,
  switch: checkout,
  restore,
  clean,
  stash,
  branch,
  worktree,
};

/** `.`, `:/`, `*`: everything here. */
export function isWide(word: string): boolean {
  return /^(?:\.{1,2}\/?|:\/?|:\/\.|(?:\.\/)?\*+(?:\/\*+)?|:\((?:top|glob)\).*)$/.test(word);
}

/** `git checkout src/a.ts` names a file; `git checkout v1.2.x` and `feature/login` do not. */
export function isFileName(word: string): boolean {
  return /^[^@^~:]*[^/\d]\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|swift|c|cc|cpp|h|hpp|cs|sh|md|txt|json|ya?ml|toml|html?|s?css|vue|sql)$/.test(
    word,
  );
}
