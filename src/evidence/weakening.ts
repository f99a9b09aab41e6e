/** Compares two versions of a test file and reports what the new one no longer tests. */
import type { CodeLanguage } from "../reading/scripts/bare-code.ts";
import { type Counts, countIn, readTest } from "./test-text.ts";

export interface Weakening {
  readonly before: Counts;
  readonly after: Counts;
  /** Assertions or cases were removed without replacement. */
  readonly takesAway: boolean;
  /** Markers that the old version did not have. */
  readonly markers: readonly string[];
}

/** Undefined if the new text tests as much as the old one, judged by its text. */
export function weakeningOf(path: string, before: string, after: string): Weakening | undefined {
  const [old, fresh] = [readTest(path, before), readTest(path, after)];
  const markers = without(fresh.markers, old.markers);
  const counts = { before: countIn(old.lines, old.language), after: countIn(fresh.lines, old.language) };
  const takesAway = isGone(old.lines, fresh.lines, old.language) || isGutted(counts.before, counts.after);
  return takesAway || markers.length > 0 ? { ...counts, takesAway, markers } : undefined;
}

/** Lines in both versions are ignored: an assertion that stays does not make up for one that goes. */
function isGone(old: readonly string[], fresh: readonly string[], language: CodeLanguage): boolean {
  const removed = countIn(without(old, fresh), language);
  const added = countIn(without(fresh, old), language);
  return (removed.assertions > 0 && added.assertions === 0) || (removed.tests > 0 && added.tests === 0);
}

/** Several assertions may be merged into an equivalent one, but that rarely removes more than half of them. */
function isGutted(before: Counts, after: Counts): boolean {
  return before.assertions - after.assertions >= GUTTED_MIN && after.assertions * 2 < before.assertions;
}

const GUTTED_MIN = 3;

/** The multiset difference of two lists. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const count = left.get(one) ?? 0;
    if (count > 0) left.set(one, count - 1);
    return count === 0;
  });
}
