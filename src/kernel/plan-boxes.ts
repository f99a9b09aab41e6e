/** The boxes of a plan: list items with `[ ]` or `[x]`, at any depth, outside fenced code. */
import { inline } from "./text.ts";

export interface Boxes {
  readonly done: number;
  readonly total: number;
  /** The first of those that are open, in one line each, cut, and without secrets. */
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

/** Every end of a line that `.` knows: what stands within one would make the pattern below try each of its blanks. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\](?:\s+(.*))?$/;

/** A fence ends with one like itself, at least as long, and nothing behind it. */
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

/** Backticks that are closed in the same line are no fence. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
