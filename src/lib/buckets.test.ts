import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Buckets, entriesIn, found, noBuckets, valuesIn, withEntry, withoutEntry } from "./buckets.ts";

describe("a map in buckets", () => {
  it("holds what a map holds, whatever the keys are", () => {
    const step = fc.tuple(fc.constantFrom("put", "drop"), fc.oneof(fc.string(), fc.constant("__proto__")), fc.nat());
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new Map<string, number>();
        let buckets: Buckets<number> = noBuckets;
        for (const [what, key, value] of steps) {
          if (what === "put") map.set(key, value);
          else map.delete(key);
          buckets = what === "put" ? withEntry(buckets, key, value) : withoutEntry(buckets, key);
          // As a snapshot would return it.
          buckets = JSON.parse(JSON.stringify(buckets)) as Buckets<number>;
        }
        expect(new Map(entriesIn(buckets))).toEqual(map);
        for (const [key, value] of map) expect(found(buckets, key)).toBe(value);
        expect([...valuesIn(buckets)].sort()).toEqual([...map.values()].sort());
      }),
    );
  });

  it("leaves the map before it as it was", () => {
    const before = withEntry(noBuckets as Buckets<number>, "a", 1);
    withEntry(before, "a", 2);
    withoutEntry(before, "a");
    expect(found(before, "a")).toBe(1);
  });
});
