/** Protects the daemon's key: a process that has the key can answer in place of the daemon. */

import { names } from "../../../lib/name-table.ts";
import { absolute, shellPattern, within } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import type { Invocation, ShellReading, Word } from "../../../reading/shell/parse/reading.ts";
import type { EffectContext } from "./own-place.ts";

/** A cheap test on the path, so that ordinary reads cost nothing: every path of the key contains one of these. */
const LOOKS_LIKE_KEY = /sekisho|gatehouse|door\.json/;

/** Whether a read-only tool could read the key. Searches count only outside the current directory. */
export function mayReadKey({ kind, path, by }: Effect, cwd: string): boolean {
  return kind === "read" && (LOOKS_LIKE_KEY.test(path) || (by === "Grep" && !within(path, cwd)));
}

/** The path or command that would show the key, or copy it to a readable location. */
export function keyReader({ shell, effects }: Operation, from: Whereabouts, ground: EffectContext): string | undefined {
  if (shell) return keyCommand(shell, from, ground);
  return effects.find(
    ({ kind, path, by }) => kind === "read" && reaches(ground.targets[path] ?? path, () => by === "Grep", from),
  )?.spelled;
}

function keyCommand(shell: ShellReading, from: Whereabouts, ground: EffectContext): string | undefined {
  const found = shell.invocations.find((invocation) => {
    const { name, args, redirects, remote, contained } = invocation;
    if (remote || contained || (name !== undefined && SHOWS_NAMES_ONLY.has(name))) return false;
    const searches = onceAsked(() => isSearch(invocation));
    const means = (word: Word): boolean => meansKey(word, invocation.cwd, searches, from, ground);
    return distinct(args).some(means) || redirects.some(({ target }) => means(target));
  });
  if (found) return found.name ?? found.word.text;
  return shell.programs.find(({ text }) => /gatehouse.{0,40}door|door\.json/s.test(text) && /sekisho/.test(text))
    ?.language;
}

/** The position of a word does not matter here, so repeated words in a long list are checked once. */
function distinct(words: readonly Word[]): readonly Word[] {
  if (words.length <= FEW) return words;
  const seen = new Map(words.map((word) => [`${word.literal} ${word.glob} ${word.prefix.length} ${word.text}`, word]));
  return [...seen.values()];
}

const FEW = 64;

export const SHOWS_NAMES_ONLY = names(
  "[ [[ basename cd dirname du echo find ls printf pushd readlink realpath stat test tree",
);

/** Commands that read everything below a directory and show or pack it. */
const SEARCHES = names("ack ag rg ripgrep rsync tar ugrep zip 7z");

function isSearch({ name, args }: Invocation): boolean {
  if (name === undefined || SEARCHES.has(name)) return true;
  return args.some(({ text }) => text.startsWith("-") && SEARCHING.test(text));
}

const SEARCHING = /^-[a-zA-Z]*[rRa]|^--(?:dereference-)?recursive|^--archive/;

/** Caches the answer, which is the same for every word of a command. */
function onceAsked(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

function meansKey(
  word: Word,
  cwd: string | undefined,
  searches: () => boolean,
  from: Whereabouts,
  { targets }: EffectContext,
): boolean {
  const known = valueIn(word.literal ? word.text : word.prefix);
  const path = known === "" ? undefined : absolute(known, cwd);
  if (path === undefined) return false;
  if (word.glob)
    return within(path, doorIn(from.state)) || keysIn(from.state).some((key) => shellPattern(path).test(key));
  const found = word.text.includes("\u2026") && /\/\u2026(?:\/(.+))?$/.exec(word.text);
  if (found) return isFound(path, found[1], from);
  // The rest of the path is unknown and could lead to the key.
  if (!word.literal) return within(path, from.state) && doorIn(from.state).startsWith(known);
  return reaches(targets[path] ?? path, searches, from);
}

/** The x of `--file=x`, `if=x` and `@x`. */
function valueIn(word: string): string {
  const isMarked = word.startsWith("@") || ["=.", "=/", "=~"].some((mark) => word.includes(mark));
  return isMarked ? word.replace(/^(?:-[^/~]*=|[^/=]*=|@)(?=[./~])/, "") : word;
}

/** Whether a `find` below that directory would pass on the key. */
function isFound(root: string, name: string | undefined, from: Whereabouts): boolean {
  if (within(root, `${from.state}/gatehouse`)) return true;
  if (!within(from.state, root)) return false;
  return name === undefined ? reaches(root, () => true, from) : shellPattern(name).test("door.json");
}

interface Whereabouts {
  /** Looked up on demand, since not every word needs it. */
  readonly state: string;
  readonly home: string;
}

function doorIn(state: string): string {
  return `${state}/gatehouse/door.json`;
}

/** Includes the directory itself, because a pattern that matches it can be searched. */
function keysIn(state: string): readonly string[] {
  return [`${state}/gatehouse`, doorIn(state), `${state}/gatehouse/.door.1.1.tmp`];
}

function reaches(path: string, searches: () => boolean, from: Whereabouts): boolean {
  if (path.includes("/sekisho/gatehouse/") && /\/sekisho\/gatehouse\/\.?door\b/.test(path)) return true;
  if (path.includes("/gatehouse")) {
    const house = `${from.state}/gatehouse`;
    if (within(path, house))
      return path === house ? searches() : !/\/(?:gatehouse\.log|run\.json|program\.json)$/.test(path);
  }
  // A search from far above is usually about something else; docs/limits.md describes the remaining risk.
  return path !== from.home && within(path, from.home) && searches() && within(from.state, path);
}
