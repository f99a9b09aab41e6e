/** Whether two path patterns have a path in common: one from a list, one from a command. */
import { shellPattern } from "./paths.ts";

/** One name in a path, or a pattern for one; `**` stands for any number of them. */
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
  // The shell's patterns leave hidden files out, a list's do not.
  if (!listed.isPattern) return shellPattern(named.text).test(listed.text);
  return sequencesMeet(lettersOf(listed), lettersOf(named), (letter) => letter === GAP, lettersMeet);
}

const GAP = "\u0000";
const ANY = "\u0001";

function lettersOf({ text, isPattern }: Name): readonly string[] {
  if (!isPattern) return [...text];
  const pieces = text.match(/\[!?\]?[^\]]*\]|\*+|./gsu) ?? [];
  // Of a set of letters only that it is one letter is looked at: too much is safer here than too little.
  return pieces.map((piece) => (piece.startsWith("*") ? GAP : piece === "?" || piece.length > 2 ? ANY : piece));
}

function lettersMeet(a: string, b: string): boolean {
  return a === ANY || b === ANY || a === b;
}

/** Two sequences with gaps of any length, step by step and never back, so that no pattern makes it think for long. */
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
  // row[n]: what was taken of `a` so far can be the first n of `b`.
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
