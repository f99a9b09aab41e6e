import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounded } from "./keyed.ts";

const itself = (time: number): number => time;

describe("a bounded map", () => {
  it("adds, replaces, and drops the entry with the oldest time, never the new one", () => {
    expect(bounded({ a: 3, b: 1 }, "c", 2, 3, itself)).toEqual({ a: 3, b: 1, c: 2 });
    expect(bounded({ a: 3, b: 1, c: 2 }, "d", 0, 3, itself)).toEqual({ a: 3, c: 2, d: 0 });
    expect(bounded({ a: 3, b: 1, c: 2 }, "b", 9, 3, itself)).toEqual({ a: 3, b: 9, c: 2 });
    expect(bounded({ a: 1, b: 1 }, "c", 1, 2, itself)).toEqual({ b: 1, c: 1 });
  });

  it("stays within its limit whatever the times are", () => {
    const times = fc.oneof(fc.integer(), fc.constant(Number.NaN), fc.constant(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 2 }), times)), (entries) => {
        const map = entries.reduce<Record<string, number>>((all, [key, at]) => bounded(all, key, at, 4, itself), {});
        return Object.keys(map).length <= 4;
      }),
    );
  });
});
