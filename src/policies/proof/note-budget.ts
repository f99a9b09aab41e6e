/** Words for the agent within a number of characters: whole lines, in whichever language they are spoken. */
import { type Text, text } from "../../kernel/text.ts";

/** What comes last is news, and what comes first is known elsewhere too: where there is no room, the first part ends early. */
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

/** With the line ends between them. */
export function sizeOf(lines: readonly Text[]): number {
  return lines.reduce((sum, { en, ja }) => sum + Math.max(en.length, ja.length) + 1, 0);
}
