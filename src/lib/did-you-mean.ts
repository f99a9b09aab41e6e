/** Suggestions for a misspelled name. */

const LENGTH_MAX = 80;
const NAMES_MAX = 3;

/** Names with the same last word, or else those with the smallest edit distance. Empty when none is close. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  if (name.length > LENGTH_MAX) return [];
  const last = lastWord(name);
  const alike = known.filter((candidate) => lastWord(candidate) === last);
  if (alike.length > 0) return alike.slice(0, NAMES_MAX);
  const near = known.map((candidate) => ({ candidate, letters: lettersBetween(name, candidate) }));
  const least = Math.min(...near.map(({ letters }) => letters));
  if (least > Math.min(3, Math.floor(name.length / 4))) return [];
  return near.flatMap(({ candidate, letters }) => (letters === least ? [candidate] : [])).slice(0, NAMES_MAX);
}

/** A suffix for a message about the name; empty when no name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
}

/** The problem with an unknown key. An empty group, with everything commented out, is fine. */
export function noSetting(key: string, value: unknown, known: readonly string[]): string | undefined {
  const inside = known.filter((one) => one.startsWith(`${key}.`));
  if (inside.length === 0) return `is not a setting${didYouMean(key, known)}; it is ignored`;
  const named = `${inside.slice(0, 3).join(", ")}${inside.length > 3 ? " \u2026" : ""}`;
  return value === null ? undefined : `is a group of settings (${named}), not ${JSON.stringify(value)}; it is ignored`;
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Edit distance: insertions, deletions, replacements, and two letters that changed places. */
function lettersBetween(from: string, to: string): number {
  const letters = [...from];
  let [last, row]: [readonly number[], readonly number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (const [line, letter] of letters.entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++) {
      const [left = 0, above = 0, before = 0] = [next[at], row[at + 1], row[at]];
      const isSwap = at > 0 && letter === to[at - 1] && letters[line - 1] === to[at];
      const swapped = isSwap ? (last[at - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(left + 1, above + 1, before + (letter === to[at] ? 0 : 1), swapped));
    }
    [last, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
