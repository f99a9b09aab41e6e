/** Finds commands inside text whose language is unknown: a program could run them. Bounded for texts of any size. */

import { skeletonOf } from "./skeleton.ts";

export interface CommandInText {
  readonly command: string;
  /** It stands where code has commands: at the start, in a string of its own, after a bracket. Prose does not. */
  readonly certain: boolean;
}

const EACH_END = 4;
const COMMAND_MAX = 2_000;
const BEFORE_MAX = 200;
const LIST_MAX = 8;

const COMMANDS =
  "rm|rmdir|unlink|srm|shred|dd|mkfs(?:\\.\\w+)?|wipefs|find|fd|git|chmod|chown|truncate|mv|cp|tar|rsync|sudo|xargs|shutdown|reboot|poweroff|halt|kill|killall|curl|wget|sh|bash|zsh|ln|tee|cat";

/** A word before the command after which code has a command. Prose has it too, but not after these. */
const STARTS =
  /(?:^|[\s([{,;"'`:.$\\!_])(?:exec\w*|system\w*|shell\w*|spawn\w*|popen\w*|eval|program|sudo|doas|env|sh|bash|command|then|do|else|begin)$/i;

const mayHold = (): RegExp =>
  /\b(?:rm|rmdir|unlink|srm|shred|dd|mkfs|wipefs|delete|clean|reset|push|chmod|chown|truncate|mv|shutdown|reboot|poweroff|halt|kill|curl|wget|remove)\b/;

export function commandsInText(text: string): readonly CommandInText[] {
  if (!mayHold().test(text)) return [];
  const hits = [...hitsIn(text)];
  const kept = hits.length <= 2 * EACH_END ? hits : [...hits.slice(0, EACH_END), ...hits.slice(-EACH_END)];
  return kept.map((at) => ({ command: commandAt(text, at), certain: isCertain(text, at) }));
}

/** The beginnings of commands; of a command in a command only the outer one. */
function* hitsIn(text: string): Generator<number> {
  const pattern = new RegExp(`(?<![\\w.$-])(?:/(?:usr/)?s?bin/)?(?:${COMMANDS})(?=\\s)`, "g");
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    yield match.index;
    pattern.lastIndex = Math.max(pattern.lastIndex, match.index + commandAt(text, match.index).length);
  }
}

/** Up to the closing quote or bracket that the text before it opened, or to the end of the line. */
function commandAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - BEFORE_MAX), at).trimEnd();
  const opening = before.charAt(before.length - 1);
  const rest = text.slice(at, at + COMMAND_MAX);
  if (before === "" && at < BEFORE_MAX) return rest;
  const closing = CLOSING[opening];
  const line = rest.split("\n", 1)[0] ?? "";
  if (closing === undefined) return line.replace(/["'`]?\s*[)}\]]*\s*;?\s*$/, "");
  const end = closesAt(rest, opening, closing);
  return end < 0 ? line : rest.slice(0, end);
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "(": ")",
  "{": "}",
  "[": "]",
  ">": "<",
};

function closesAt(text: string, opening: string, closing: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === closing) {
      depth -= 1;
      if (depth === 0) return at;
    } else if (character === opening) depth += 1;
  }
  return -1;
}

function isCertain(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE_MAX), at);
  // A line of its own.
  if (/(?:^|\n)[ \t]*$/.test(before)) return true;
  const lead = before.trimEnd();
  const last = lead.charAt(lead.length - 1);
  if (/["'`]/.test(last)) return isOpenedByCode(lead.slice(0, -1));
  return /[({[=!;|&>]/.test(last) || STARTS.test(lead);
}

/** The quote follows a bracket, an operator or the name of a call, not a word of prose. */
function isOpenedByCode(before: string): boolean {
  const lead = before.trimEnd();
  return lead === "" || /[^\p{L}\p{N}.!?]$/u.test(lead) || STARTS.test(lead);
}

/** The arguments of `run("rm", "-rf", "/x")`: strings of which the first names a command. */
export function listedCommands(text: string): readonly string[] {
  if (!mayHold().test(text)) return [];
  const { strings } = skeletonOf("", text);
  const isName = new RegExp(`^(?:/(?:usr/)?s?bin/)?(?:${COMMANDS})$`);
  const found = strings.flatMap(({ text: name }, at) =>
    isName.test(name) ? [strings.slice(at, at + LIST_MAX).map((one) => one.text)] : [],
  );
  return found.slice(0, EACH_END).map((words) => words.map(quoted).join(" "));
}

/** Quotes a word for the shell. */
export function quoted(word: string): string {
  return /^[\w./~-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}
