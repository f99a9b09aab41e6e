/** A set of whole numbers as ranges, ascending and apart: short however many numbers follow one another. */

export type Ranges = readonly (readonly [number, number])[];

/** `next` is greater than every number in the set. */
export function withNext(ranges: Ranges, next: number): Ranges {
  const last = ranges.at(-1);
  return last && last[1] === next - 1 ? [...ranges.slice(0, -1), [last[0], next]] : [...ranges, [next, next]];
}

export function without(ranges: Ranges, from: number, to: number): Ranges {
  if (!ranges.some(([a, b]) => a <= to && b >= from)) return ranges;
  return ranges.flatMap(([a, b]): Ranges => {
    if (a > to || b < from) return [[a, b]];
    return [...(a < from ? [[a, from - 1] as const] : []), ...(b > to ? [[to + 1, b] as const] : [])];
  });
}

/** How many numbers of the set are greater than `above` and at most `most`. */
export function countWithin(ranges: Ranges, above: number, most: number): number {
  return ranges.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, most) - Math.max(a, above + 1) + 1), 0);
}

export function holds(ranges: Ranges, number: number): boolean {
  return ranges.some(([a, b]) => a <= number && number <= b);
}

export function rangesOf(numbers: readonly number[]): Ranges {
  return [...new Set(numbers)].sort((a, b) => a - b).reduce(withNext, [] as Ranges);
}
