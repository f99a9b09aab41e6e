/** Effect of a shell line on tests, command by command, because a later command may copy what an earlier one wrote. */

import { names } from "../../lib/name-table.ts";
import { absolute } from "../../lib/paths.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { droppedInto } from "../../reading/operation/standing-paths.ts";
import { filteredFiles, filteredText } from "../../reading/shell/commands/text-filter.ts";
import { hasOption, optionValue } from "../../reading/shell/parse/options.ts";
import type { Invocation, ShellReading, Word } from "../../reading/shell/parse/reading.ts";
import { outputOf } from "../../reading/shell/walk/output.ts";
import { isByHand } from "./hand-tools.ts";
import {
  isTestDirectory,
  isTestPath,
  meansTests,
  specimen,
  type TestChange,
  type TestContext,
  testName,
} from "./test-ground.ts";

/** Texts that the line has written so far; undefined where the text is unknown. */
type Texts = Map<string, string | undefined>;

export function lineChanges({ effects }: Operation, shell: ShellReading, ground: TestContext): readonly TestChange[] {
  const texts: Texts = new Map();
  return effects.flatMap((effect) => {
    if (effect.elsewhere || effect.kind === "read") return [];
    return effect.kind === "write" ? written(effect, shell, texts, ground) : removed(effect, shell, ground);
  });
}

function removed(effect: Effect, shell: ShellReading, ground: TestContext): readonly TestChange[] {
  const { kind, path, spelled, invocation, literal, glob } = effect;
  const verb = invocation && gitVerb(invocation);
  // `git rm --cached` also removes the test from the next commit.
  if (kind === "meta" && verb !== "rm") return [];
  const isOne = literal && isTestPath(path, ground) && (glob || ground.standing[path] !== undefined);
  const isAll = literal && !isOne && isTestDirectory(path, ground) && (glob || isThere(path, ground));
  if (!isOne && !isAll && !meansTests(effect, shell)) return [];
  return invocation && isRenaming(effect, invocation, verb, ground) ? [] : [{ kind: "removed", path, spelled }];
}

/** A directory: it exists, but no text was read for it. */
function isThere(path: string, { standing }: TestContext): boolean {
  const found = standing[path];
  return found !== undefined && found.text === undefined;
}

/** A renamed test is kept if a test runner still finds it. The target of a move is not removed. */
function isRenaming({ path }: Effect, invocation: Invocation, verb: string | undefined, ground: TestContext): boolean {
  if (invocation.name !== "mv" && verb !== "mv") return false;
  const target = optionValue(invocation.args, ["-t", "--target-directory"]) ?? invocation.args.at(-1);
  const place = target?.literal ? absolute(target.text, invocation.cwd) : undefined;
  if (place === undefined) return false;
  if (place === path) return true;
  const inside = `${place}/${path.slice(path.lastIndexOf("/") + 1)}`;
  const isDirectory = isThere(place, ground) || /\/$/.test(target?.text ?? "");
  if (isTestDirectory(path, ground) && !isTestPath(path, ground))
    return isTestDirectory(isDirectory ? inside : place, ground);
  return isTestPath(isDirectory ? inside : place, ground);
}

function written(effect: Effect, shell: ShellReading, texts: Texts, ground: TestContext): readonly TestChange[] {
  const { spelled, invocation, literal, glob } = effect;
  if (!invocation) return [];
  if (!literal || glob) return writtenByPattern(effect, invocation, shell, { texts, ground });
  const path = intoDirectory(effect.path, invocation, ground);
  const before = textOf(path, texts, ground);
  const after = newText(effect, invocation, before, { texts, ground });
  texts.set(path, after);
  const isTest = isTestPath(path, ground) && ground.standing[path] !== undefined;
  return isTest ? changeOf({ path: testName(path, ground), spelled }, before, after, invocation) : [];
}

function changeOf(
  file: { readonly path: string; readonly spelled: string },
  before: string | undefined,
  after: string | undefined,
  invocation: Invocation,
): readonly TestChange[] {
  if (after !== undefined) return [{ kind: "written", ...file, before, after }];
  return isByHand(invocation) ? [{ kind: "unread", ...file }] : [];
}

/** The exact files are unknown, so the change is tried on a sample test. */
function writtenByPattern(
  effect: Effect,
  invocation: Invocation,
  shell: ShellReading,
  line: Line,
): readonly TestChange[] {
  const { spelled, path, glob } = effect;
  if (!meansTests(effect, shell) && !(glob && isTestPath(path, line.ground))) return [];
  const name = spelled.split("/").at(-1) ?? "";
  const before = specimen(name);
  const after = newText(effect, invocation, before, line);
  return changeOf({ path: name, spelled }, before, after, invocation);
}

function intoDirectory(path: string, invocation: Invocation, ground: TestContext): string {
  return isThere(path, ground) ? (droppedInto(path, invocation).find((one) => ground.standing[one]) ?? path) : path;
}

function textOf(path: string, texts: Texts, { standing }: TestContext): string | undefined {
  if (path === "/dev/null") return "";
  return texts.has(path) ? texts.get(path) : standing[path]?.text;
}

interface Line {
  readonly texts: Texts;
  readonly ground: TestContext;
}

const COPIES = names("cp mv install rsync ditto ln");

/** Undefined where the line does not say what the new text is. */
function newText(effect: Effect, invocation: Invocation, before: string | undefined, line: Line): string | undefined {
  const { name = "", args, redirects } = invocation;
  const redirect = redirects.find(({ kind, target }) => kind !== "read" && target.text === effect.spelled);
  if (redirect) return appended(redirect.kind === "append", before, printedBy(invocation, line));
  if (name === "tee" || name === "sponge")
    return appended(hasOption(args, "a", "--append"), before, inputOf(invocation, line, 0));
  if (name === "truncate") return /^0+\w?$/.test(optionValue(args, ["-s", "--size"])?.text ?? "") ? "" : undefined;
  if (COPIES.has(name)) return sourceText(args, invocation, line);
  if (name === "dd") {
    const from = args.find(({ text }) => text.startsWith("if="))?.text.slice(3);
    const path = from === undefined ? undefined : absolute(from, invocation.cwd);
    return path === undefined ? inputOf(invocation, line, 0) : textOf(path, line.texts, line.ground);
  }
  return before === undefined ? undefined : filteredText(invocation, before);
}

function appended(isAppended: boolean, before: string | undefined, text: string | undefined): string | undefined {
  if (!isAppended) return text;
  return before === undefined || text === undefined ? undefined : before + text;
}

function sourceText(args: readonly Word[], { cwd }: Invocation, { texts, ground }: Line): string | undefined {
  const source = args.filter(({ text }) => !text.startsWith("-")).at(-2);
  const path = source?.literal ? absolute(source.text, cwd) : undefined;
  return path === undefined ? undefined : textOf(path, texts, ground);
}

const UPSTREAM_MAX = 4;

/** The output of a command; for filters and `cat` this includes files on disk. */
function printedBy(invocation: Invocation, line: Line, depth = 0): string | undefined {
  const { name, args, stdin, cwd } = invocation;
  if (name === ":" && stdin) return stdin.text;
  if (name === undefined || depth > UPSTREAM_MAX) return undefined;
  const fileText = (word: Word): string | undefined => {
    const path = word.literal ? absolute(word.text, cwd) : undefined;
    return path === undefined ? undefined : textOf(path, line.texts, line.ground);
  };
  const input = inputOf(invocation, line, depth);
  if (FILTERS.has(name)) {
    const [file] = filteredFiles(invocation);
    const text = file ? fileText(file) : input;
    return text === undefined ? undefined : filteredText(invocation, text);
  }
  const known = stdin && { ...stdin, text: input };
  return outputOf({ name, args, stdin: known, cwd, fileText });
}

const FILTERS = names("sed gsed perl awk gawk mawk grep egrep fgrep rg head");

function inputOf({ stdin }: Invocation, line: Line, depth: number): string | undefined {
  const upstream = stdin?.from.at(-1);
  return stdin?.text ?? (upstream && printedBy(upstream, line, depth + 1));
}
