import { describe, expect, it } from "vitest";
import { isSame } from "./same.ts";

describe("values that are the same", () => {
  it.each<[unknown, unknown, boolean]>([
    [undefined, undefined, true],
    ["a", "a", true],
    ["a", "b", false],
    [0, false, false],
    [null, {}, false],
    [{}, undefined, false],
    [[], {}, false],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, false],
    [[1, 2], [1, 2, 3], false],
    [[1, 2, 3], [1, 2], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ toString: 1 }, {}, false],
    [{}, { toString: 1 }, false],
  ])("%j and %j: %s", (one, two, expected) => {
    expect(isSame(one, two)).toBe(expected);
  });
});
