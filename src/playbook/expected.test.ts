import { expect, it } from "vitest";
import { expectedIn, isMet } from "./expected.ts";

it.each([
  [undefined, 0, "", true],
  ["exit 0", 1, "", false],
  ["exit 2", 2, "", true],
  [">= 3", 0, "3\n", true],
  [">= 3", 0, "2\n", false],
  [">= 3", 1, "3\n", false],
  ["<= 3", 0, "4", false],
  ["== 3", 0, " 3 ", true],
  ["3", 0, "33", false],
  ["== 3", 0, "3 files", false],
  ["contains 3 passed", 0, "1 failed, 3 passed", true],
  ["contains '3 passed'", 0, "33 passed", true],
  ["contains 3 passed", 1, "3 passed", false],
])("%s with exit code %i and output %j", (words, exit, output, met) => {
  const expected = expectedIn(words);
  expect(expected && isMet(expected, { exit, output })).toBe(met);
});

it.each([["works"], ["exit"], ["exit 0 or 1"], ["about 3"], [""]])("%j has no known form", (words) => {
  expect(expectedIn(words)).toBeUndefined();
});
