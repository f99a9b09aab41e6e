/** The checkboxes of a plan: list items with `[ ]` or `[x]`, at any depth, outside fenced code. */
import { inline } from "../../lib/text.ts";

export interface Boxes {
  readonly done: number;
  readonly total: number;
  /** The first open items, one line each, truncated, with secrets masked. */
  readonly open: readonly string[];
}

const OPEN_SHOWN = 5;
const ITEM_CHARS = 80;

export function boxesIn(markdown: string): Boxes {
  const items = unfenced(markdown.split(LINE_END)).flatMap((line) => {
    const [, box, item = ""] = BOX.exec(line) ?? [];
    return box === undefined ? [] : [{ isDone: box !== " ", item }];
  });
  const open = items.filter(({ isDone }) => !isDone);
  return {
    done: items.length - open.length,
    total: items.length,
    open: open.slice(0, OPEN_SHOWN).map(({ item }) => inline(item, item.length).slice(0, ITEM_CHARS)),
  };
}

/**
 * Splits at every line terminator that `.` does not match; a terminator inside a line would make the pattern below
 * backtrack over each blank.
 */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\](?:\s+(.*))?$/;

/** A fence is closed by one of the same kind, at least as long, with nothing after it. */
function unfenced(lines: readonly string[]): readonly string[] {
  let fence: string | undefined;
  return lines.filter((line) => {
    const [, mark, behind = ""] = FENCE.exec(line) ?? [];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence) && behind.trim() === "") fence = undefined;
    return false;
  });
}

/** Backticks that close on the same line are not a fence. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
