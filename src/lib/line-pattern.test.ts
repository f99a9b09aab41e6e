import { describe, expect, it } from "vitest";
import { growsFaster } from "../../test/growth.ts";
import { mayMatch, substituted } from "./line-pattern.ts";

describe("the span a pattern may match", () => {
  it.each([
    ["expect", "  expect(a);"],
    ["ex[p]ect", "  expect(a);"],
    ["ex.ect", "  expect(a);"],
    ["^\\s*expect(.*);$", "  expect(a);"],
    ["foo\\|expect", "  expect(a);"],
    ["foo|expect", "  expect(a);"],
    ["expects?", "  expect(a);"],
    [".", "  expect(a);"],
    ["", "  expect(a);"],
    ["^$", ""],
    ["^[[:space:]]*$", "\t"],
    ["a\\.b", "a.b"],
  ])("%s is found in %j", (pattern, line) => expect(mayMatch(pattern, line)).toBeDefined());

  it.each([
    ["expect", "assert(a);"],
    ["^$", "  expect(a);"],
    ["^\\s*$", "  expect(a);"],
    ["b.*a", "a b"],
    ["console\\.log", "console_log"],
  ])("%s is not found in %j", (pattern, line) => expect(mayMatch(pattern, line)).toBeUndefined());

  it("replaces the span and keeps back-references", () => {
    expect(substituted("  it('a')", "it(", "it.skip(", false)).toBe("  it.skip('a')");
    expect(substituted("a a", "a", "b", true)).toBe("b b");
    expect(substituted("  x", "^", "// ", false)).toBe("//   x");
    expect(substituted("  expect(a);", "^.*expect.*$", "", false)).toBe("");
    expect(substituted("it(", "\\(it\\)", "x\\1", false)).toBe("xit(");
    expect(substituted("it(", "it", "x&", false)).toBe("xit(");
    expect(substituted("x", "y", "z", true)).toBe("x");
  });

  it("is fast for any pattern", () => {
    for (const pattern of ["(a+)+$", "(a|aa)*b", "a".repeat(5_000), "(.*)*".repeat(500), "[".repeat(5_000), "\\"]) {
      const work = (size: number) => substituted("a".repeat(size), pattern, "&&", true);
      expect([pattern, growsFaster(work, 100_000)]).toEqual([pattern, undefined]);
    }
  });
});
