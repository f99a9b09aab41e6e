/** Fits notes for the agent into a character budget, by whole lines, in both languages. */
import { type Text, text } from "../../lib/text.ts";

/** `last` is kept in preference, because it holds the news; `first` is cut when there is not enough room. */
export function fitted(first: readonly Text[], last: readonly Text[], chars: number): readonly Text[] {
  const kept = fitting(last, chars - sizeOf([CUT]));
  const room = chars - sizeOf(kept);
  if (sizeOf(first) <= room) return [...first, ...kept];
  if (sizeOf([CUT]) > room) return kept;
  return [...fitting(first, room - sizeOf([CUT])), CUT, ...kept];
}

const CUT = text("(The rest did not fit: context.budget_chars.)", "(以下は context.budget_chars に収まりません。)");

function fitting(lines: readonly Text[], chars: number): readonly Text[] {
  const kept: Text[] = [];
  for (const line of lines) {
    if (sizeOf([...kept, line]) > chars) break;
    kept.push(line);
  }
  return kept;
}

/** Counts one line break per line. */
export function sizeOf(lines: readonly Text[]): number {
  return lines.reduce((sum, { en, ja }) => sum + Math.max(en.length, ja.length) + 1, 0);
}
