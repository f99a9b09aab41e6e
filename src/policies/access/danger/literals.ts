/**
 * Text in the words and the input of a program that is not known to take plain text: it may run what it is given, so
 * the text is judged as a command, as a path to remove and as SQL. Most commands have no such text, and end here.
 */

import { names } from "../../../lib/name-table.ts";
import { interpreterOf } from "../../../reading/programs/languages.ts";
import { takesText } from "../../../reading/programs/text.ts";
import { isShell } from "../../../reading/shell/commands/interpreters.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import type { Danger, DangerContext } from "./danger.ts";
import { inText, inWords, removedIn } from "./literal-text.ts";
import { removedPaths } from "./removed-paths.ts";

type Read = (command: string) => readonly Danger[];

const TEXTS_MAX = 40;
/** No shorter text holds a command, a call or a statement. */
const TEXT_MIN = 6;

export function literalDangers(invocations: readonly Invocation[], ground: DangerContext, read: Read): Danger[] {
  const found: Danger[] = [];
  for (const invocation of invocations) {
    const { name = "", contained } = invocation;
    if (name === "" || contained || isShell(name)) continue;
    const isInterpreter = interpreterOf(name) !== undefined;
    if (!isInterpreter && takesText(name)) continue;
    const texts = textsOf(invocation, invocations);
    // Their own code is read as a program. `python3 -m timeit "…"` has more of it.
    for (const text of texts)
      found.push(...(isInterpreter ? removedIn(text, invocation, ground) : inText(text, invocation, ground, read)));
    if (!isInterpreter) found.push(...inOperands(invocation, ground, read));
  }
  return found;
}

function inOperands(invocation: Invocation, ground: DangerContext, read: Read): readonly Danger[] {
  const { args } = invocation;
  const at = args.findIndex(({ text, literal }) => literal && isCommand(text));
  const words = at < 0 || at === args.length - 1 ? [] : inWords(invocation, at, read);
  return args.some(({ text }) => mayBePath(text)) ? [...words, ...removedPaths(invocation, ground)] : words;
}

const COMMANDS = names("rm dd shred git chmod chown mkfs");

function isCommand(word: string): boolean {
  if (word.length > 20) return false;
  const name = word.startsWith("/") ? word.slice(word.lastIndexOf("/") + 1) : word;
  return COMMANDS.has(name) || name.startsWith("mkfs.");
}

function mayBePath(word: string): boolean {
  return word.includes("/") || word.includes("~") || word.includes(".git");
}

/** Its words, its input, and the files that the line writes before and names here. */
function textsOf(invocation: Invocation, all: readonly Invocation[]): readonly string[] {
  const { args, stdin } = invocation;
  const words = args.filter(({ literal, text }) => literal && isText(text)).map(({ text }) => text);
  const input = stdin?.text === undefined || !isText(stdin.text) ? [] : [stdin.text];
  const written = all.flatMap((one) => (one === invocation ? [] : writtenBy(one, args)));
  return [...words.slice(0, TEXTS_MAX), ...input, ...written];
}

/** A word without a blank, a bracket or a quote is a name, an option or a path. */
function isText(word: string): boolean {
  if (word.length < TEXT_MIN) return false;
  for (const mark of " \n\t(\"'[<") if (word.includes(mark)) return true;
  return false;
}

function writtenBy({ redirects, stdin }: Invocation, args: readonly Word[]): readonly string[] {
  const target = redirects.find(({ kind }) => kind === "write")?.target.text;
  if (target === undefined || stdin?.text === undefined) return [];
  return args.some(({ text: word }) => word === target) ? [stdin.text] : [];
}
