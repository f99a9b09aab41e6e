/** Who would get to see the gatehouse's key: whoever has it can answer in its place. */

import { names } from "../../kernel/name-table.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { absolute, shellPattern, within } from "../../kernel/paths.ts";
import type { Invocation, ShellReading, Word } from "../../kernel/shell-reading.ts";
import type { Ground } from "./own-place.ts";

/** By its letters, so that the ordinary read costs nothing: every spelling of it ends so, wherever the state lies. */
const LOOKS_LIKE_KEY = /sekisho|gatehouse|door\.json/;

/** Could a tool that only reads be reading it? Searches are asked about when they leave the directory they stand in. */
export function mayReadKey({ kind, path, by }: Effect, cwd: string): boolean {
  return kind === "read" && (LOOKS_LIKE_KEY.test(path) || (by === "Grep" && !within(path, cwd)));
}

/** What would show it, or copy it to where it can be shown: a path that a tool reads, or a command of a shell line. */
export function keyReader({ shell, effects }: Operation, from: Whereabouts, ground: Ground): string | undefined {
  if (shell) return keyCommand(shell, from, ground);
  return effects.find(
    ({ kind, path, by }) => kind === "read" && reaches(ground.targets[path] ?? path, () => by === "Grep", from),
  )?.spelled;
}

function keyCommand(shell: ShellReading, from: Whereabouts, ground: Ground): string | undefined {
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

/** What a word means here does not depend on its place: of a long list that says the same over and over, each once. */
function distinct(words: readonly Word[]): readonly Word[] {
  if (words.length <= FEW) return words;
  const seen = new Map(words.map((word) => [`${word.literal} ${word.glob} ${word.prefix.length} ${word.text}`, word]));
  return [...seen.values()];
}

const FEW = 64;

const SHOWS_NAMES_ONLY = names(
  "[ [[ basename cd dirname du echo find ls printf pushd readlink realpath stat test tree",
);

/** Commands that go through everything below a directory and show or take along what is in it. */
const SEARCHES = names("ack ag rg ripgrep rsync tar ugrep zip 7z");

function isSearch({ name, args }: Invocation): boolean {
  if (name === undefined || SEARCHES.has(name)) return true;
  return args.some(({ text }) => text.startsWith("-") && SEARCHING.test(text));
}

const SEARCHING = /^-[a-zA-Z]*[rRa]|^--(?:dereference-)?recursive|^--archive/;

/** The same for every word of a command. */
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
  { targets }: Ground,
): boolean {
  const known = valueIn(word.literal ? word.text : word.prefix);
  const path = known === "" ? undefined : absolute(known, cwd);
  if (path === undefined) return false;
  if (word.glob)
    return within(path, doorIn(from.state)) || keysIn(from.state).some((key) => shellPattern(path).test(key));
  const found = word.text.includes("\u2026") && /\/\u2026(?:\/(.+))?$/.exec(word.text);
  if (found) return isFound(path, found[1], from);
  // What follows is not known, and could lead there.
  if (!word.literal) return within(path, from.state) && doorIn(from.state).startsWith(known);
  return reaches(targets[path] ?? path, searches, from);
}

/** Of `--file=x`, `if=x` and `@x` the x. */
function valueIn(word: string): string {
  return word.startsWith("@") || word.includes("=") ? word.replace(/^(?:-[^/~]*=|[^/=]*=|@)(?=[./~])/, "") : word;
}

/** What a `find` below that directory would hand on. */
function isFound(root: string, name: string | undefined, from: Whereabouts): boolean {
  if (within(root, `${from.state}/gatehouse`)) return true;
  if (!within(from.state, root)) return false;
  return name === undefined ? reaches(root, () => true, from) : shellPattern(name).test("door.json");
}

interface Whereabouts {
  /** Looked up when it is asked for, and that is not for every word. */
  readonly state: string;
  readonly home: string;
}

function doorIn(state: string): string {
  return `${state}/gatehouse/door.json`;
}

/** The directory itself too: a pattern that means it can be searched. */
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
  // From far above, a search is about something else; what it may come by is told in docs/limits.md.
  return path !== from.home && within(path, from.home) && searches() && within(from.state, path);
}
