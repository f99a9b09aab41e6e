/** Tells whether two path patterns, one from a list and one from a command, can match the same path. */
import { shellPattern } from "./paths.ts";

/** A name in a path, or a pattern for one; `**` matches any number of names. */
export interface Name {
  readonly text: string;
  readonly isPattern: boolean;
}

export const ANY_DEPTH: Name = { text: "**", isPattern: true };

export function namesOf(path: string, mayBePattern: boolean): readonly Name[] {
  const names = path.split("/").filter((text) => text !== "" && text !== ".");
  return names.map((text) => ({ text, isPattern: mayBePattern && /[*?[]/.test(text) }));
}

export function pathsMeet(listed: readonly Name[], named: readonly Name[]): boolean {
  return sequencesMeet(listed, named, ({ text, isPattern }) => isPattern && text === "**", namesMeet);
}

function namesMeet(listed: Name, named: Name): boolean {
  if (!listed.isPattern && !named.isPattern) return listed.text === named.text;
  // A shell pattern does not match hidden files, a list pattern does.
  if (!listed.isPattern) return shellPattern(named.text).test(listed.text);
  return sequencesMeet(lettersOf(listed), lettersOf(named), (letter) => letter === GAP, lettersMeet);
}

const GAP = "\u0000";
const ANY = "\u0001";

function lettersOf({ text, isPattern }: Name): readonly string[] {
  if (!isPattern) return [...text];
  const pieces = text.match(/\[!?\]?[^\]]*\]|\*+|./gsu) ?? [];
  // A character class counts as any one character, since matching too much is safer than matching too little.
  return pieces.map((piece) => (piece.startsWith("*") ? GAP : piece === "?" || piece.length > 2 ? ANY : piece));
}

function lettersMeet(a: string, b: string): boolean {
  return a === ANY || b === ANY || a === b;
}

/** Compares two sequences with gaps of any length in one pass without backtracking, so that no pattern is slow. */
function sequencesMeet<T>(
  a: readonly T[],
  b: readonly T[],
  isGap: (one: T) => boolean,
  meet: (one: T, other: T) => boolean,
): boolean {
  const overGaps = (row: boolean[]): boolean[] => {
    b.forEach((one, at) => {
      if (isGap(one) && row[at]) row[at + 1] = true;
    });
    return row;
  };
  // row[n]: the elements of `a` so far can match the first n of `b`.
  let row = overGaps([true, ...b.map(() => false)]);
  for (const one of a) {
    const before = row;
    const first = before.indexOf(true);
    row = isGap(one)
      ? before.map((_, at) => first >= 0 && at >= first)
      : overGaps(
          before.map((here, at) => {
            const other = b[at - 1];
            if (other === undefined) return false;
            return isGap(other) ? here : before[at - 1] === true && meet(one, other);
          }),
        );
  }
  return row[b.length] === true;
}
