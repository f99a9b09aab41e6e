/** Markdown as a flat list of the things a plan is made of, each with its line. Text in code fences is not read. */
import { type Field, fieldOf } from "./fields.ts";

export type Item = Heading | Box | FieldItem | Fence | Prose;

interface At {
  /** Counted from 1. */
  readonly line: number;
  /** The width of the blanks before the item. */
  readonly indent: number;
}

export interface Heading extends At {
  readonly kind: "heading";
  readonly level: number;
  readonly words: string;
}

export interface Box extends At {
  readonly kind: "box";
  /** What stands between the brackets. */
  readonly mark: string;
  readonly words: string;
}

export interface FieldItem extends At, Field {
  readonly kind: "field";
}

export interface Fence extends At {
  readonly kind: "fence";
  /** The first word after the opening marks. */
  readonly language: string;
  readonly body: string;
  readonly isClosed: boolean;
}

export interface Prose extends At {
  readonly kind: "prose";
  readonly words: string;
  /** It is an entry of a list. */
  readonly listed: boolean;
}

/** A conflict that a merge left in the file. */
export interface Conflict {
  readonly line: number;
}

export interface Outline {
  readonly items: readonly Item[];
  readonly conflicts: readonly Conflict[];
}

/** Splits at every terminator that `.` does not match. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

export function outlineOf(markdown: string): Outline {
  const lines = markdown.replace(/^\ufeff/, "").split(LINE_END);
  const items: Item[] = [];
  const conflicts: Conflict[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isConflict(line)) conflicts.push({ line: at + 1 });
    const fence = FENCE.exec(line);
    if (fence) {
      const { item, end } = fenceFrom(lines, at, fence);
      items.push(item);
      at = end;
    } else if (line.trim() !== "") items.push(itemOf(line, at + 1));
  }
  return { items, conflicts };
}

/** Seven marks at the very start of a line; `=======` alone may also underline a heading. */
function isConflict(line: string): boolean {
  return /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(line);
}

/** Backticks that close on the same line are not a fence. */
const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})\s*([^\s`{]*)/;

/** A fence is closed by one of the same kind, at least as long, with nothing after it. */
function fenceFrom(
  lines: readonly string[],
  from: number,
  [, blanks = "", mark = "", language = ""]: readonly string[],
) {
  let end = from + 1;
  while (end < lines.length && !closes(lines[end] ?? "", mark)) end++;
  const at = { line: from + 1, indent: widthOf(blanks) };
  const body = lines.slice(from + 1, end).join("\n");
  const item: Fence = { kind: "fence", language: language.toLowerCase(), body, isClosed: end < lines.length, ...at };
  return { item, end };
}

function closes(line: string, mark: string): boolean {
  const words = line.trim();
  return words.startsWith(mark) && words === mark[0]?.repeat(words.length);
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
/** One mark, none, or one with a blank beside it. */
const BOX = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[([^\]\s]?|\s[^\]\s]?|[^\]\s]\s)\](?![([:])(.*)$/;
const LISTED = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;

function itemOf(line: string, number: number): Item {
  const [, marks, title = ""] = HEADING.exec(line) ?? [];
  if (marks !== undefined) {
    return {
      kind: "heading",
      level: marks.length,
      words: withoutClosing(title),
      line: number,
      indent: 0,
    };
  }
  const [, blanks, mark, words = ""] = BOX.exec(line) ?? [];
  if (mark !== undefined)
    return { kind: "box", mark, words: words.trim(), line: number, indent: widthOf(blanks ?? "") };
  const [, before, entry] = LISTED.exec(line) ?? [];
  const text = (entry ?? line).trim();
  const at = { line: number, indent: widthOf(before ?? /^\s*/.exec(line)?.[0] ?? "") };
  const field = fieldOf(text);
  return field
    ? { kind: "field", ...field, ...at }
    : { kind: "prose", words: text, listed: entry !== undefined, ...at };
}

/** `## Title ##`. Only looks at the end, so that a long line costs no more than its length. */
function withoutClosing(title: string): string {
  const words = title.trim();
  let end = words.length;
  while (end > 0 && words[end - 1] === "#") end--;
  return end < words.length && /\s/.test(words[end - 1] ?? "") ? words.slice(0, end).trimEnd() : words;
}

function widthOf(blanks: string): number {
  return blanks.replaceAll("\t", "    ").length;
}
