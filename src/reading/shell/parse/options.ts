/** Option grammars: where a command's options end and its operands begin. */

import { GAP, type Word } from "./reading.ts";

export interface Grammar {
  /** Short options that take a value, as letters. */
  readonly short?: string;
  /** Long options that take a value in the next word. */
  readonly long?: readonly string[];
}

/** The index of the first operand at or after `from`. */
export function operandStart(args: readonly Word[], grammar: Grammar, from = 0): number {
  let index = from;
  for (let arg = args[index]; arg; arg = args[index]) {
    const { text } = arg;
    if (text === "--") return index + 1;
    if (!text.startsWith("-") || text === "-") return index;
    index += takesNext(text, grammar) ? 2 : 1;
  }
  return index;
}

/** The value of an option in any form: `-C x`, `-Cx`, `--chdir x`, `--chdir=x`. */
export function optionValue(args: readonly Word[], names: readonly string[]): Word | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const value = optionAt(args, index, names);
    if (value) return value;
  }
  return undefined;
}

function optionAt(args: readonly Word[], index: number, names: readonly string[]): Word | undefined {
  const arg = args[index];
  if (!arg) return undefined;
  for (const name of names) {
    if (arg.text === name || endsCluster(arg.text, name)) return args[index + 1];
    const attached = name.startsWith("--") ? `${name}=` : name;
    if (arg.text.startsWith(attached) && (name.startsWith("--") || !arg.text.startsWith("--"))) {
      return cut(arg, attached.length);
    }
  }
  return undefined;
}

/** Every value of an option that may occur more than once; the value of `+` is always attached. */
export function optionValues(args: readonly Word[], names: readonly string[]): Word[] {
  const found: Word[] = [];
  for (const at of args.keys()) {
    if (args[at]?.text === "--") break;
    const value = optionAt(args, at, names);
    if (value) found.push(value);
  }
  return found;
}

/** `-qec` ends in `-c`: the value is the next word. */
function endsCluster(text: string, name: string): boolean {
  if (name.length !== 2 || text.length < 3 || !text.endsWith(name.charAt(1))) return false;
  return /^-[A-Za-z]$/.test(name) && /^-[A-Za-z]{2,}$/.test(text);
}

/** A word filled in by another command that may turn out to be an option. */
export function mayBeOption({ text, literal }: Word): boolean {
  return !literal && (text.startsWith(GAP) || (text.startsWith("-") && text.includes(GAP)));
}

/** Drops the first characters of a word, which must be known. */
export function cut(word: Word, length: number): Word {
  return { ...word, text: word.text.slice(length), prefix: word.prefix.slice(length) };
}

/** True if a short option (also in a cluster such as `-rf`) or a long name occurs before `--`. */
export function hasOption(args: readonly Word[], letters: string, ...longs: readonly string[]): boolean {
  for (const { text } of args) {
    if (text === "--") return false;
    if (text.startsWith("--")) {
      const name = text.split("=")[0] ?? "";
      // GNU tools accept any unambiguous prefix of a long name.
      if (name.length > 3 && longs.some((long) => long === name || (name.length > 5 && long.startsWith(name))))
        return true;
    } else if (text.startsWith("-") && hasLetter(text, letters)) {
      return true;
    }
  }
  return false;
}

function hasLetter(cluster: string, letters: string): boolean {
  for (const letter of letters) if (cluster.includes(letter, 1)) return true;
  return false;
}

function takesNext(text: string, { short = "", long = [] }: Grammar): boolean {
  if (text.startsWith("--")) return long.includes(text);
  for (let at = 1; at < text.length; at += 1) {
    if (short.includes(text.charAt(at))) return at === text.length - 1;
  }
  return false;
}
