import fc from "fast-check";
import { expect, it } from "vitest";
import { countWithin, holds, type Ranges, rangesOf, without } from "./ranges.ts";

const numbersIn = (ranges: Ranges): readonly number[] =>
  ranges.flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, at) => a + at));

it("ranges hold what a set of numbers holds", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60)), fc.nat(60), fc.nat(60), (numbers, one, two) => {
      const set = [...new Set(numbers)].sort((a, b) => a - b);
      const ranges = rangesOf(numbers);
      const [from, to] = [Math.min(one, two), Math.max(one, two)];
      expect(numbersIn(ranges)).toEqual(set);
      expect(numbersIn(without(ranges, from, to))).toEqual(set.filter((n) => n < from || n > to));
      expect(countWithin(ranges, from, to)).toBe(set.filter((n) => n > from && n <= to).length);
      expect(set.every((n) => holds(ranges, n))).toBe(true);
      expect(holds(ranges, from)).toBe(set.includes(from));
    }),
  );
});

it("numbers that follow one another are one range", () => {
  expect(rangesOf(Array.from({ length: 10_000 }, (_, n) => n))).toEqual([[0, 9999]]);
});
