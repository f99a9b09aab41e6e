import { describe, expect, it } from "vitest";
import { type Growth, type GrowthChange, newGrowth, reduceGrowth } from "./growth.ts";

const ROOT = "/p";
type Given = GrowthChange extends infer C ? (C extends GrowthChange ? Omit<C, "record"> : never) : never;

function grownBy(...changes: readonly (readonly [number, Given])[]): Growth {
  return changes.reduce(
    (growth, [at, change]) => reduceGrowth(growth, { record: "growth", ...change } as GrowthChange, at),
    newGrowth(0),
  );
}
const grow = (...files: readonly string[]): Given => ({ do: "grow", root: ROOT, files });
const request: Given = { do: "request", root: ROOT, commit: "c2" };
const filesIn = ({ trees }: Growth): readonly string[] => Object.keys(trees[ROOT]?.files ?? {});

describe("how far the work has grown", () => {
  it("a request begins the count anew, and drops what was refused, waived and passed before", () => {
    const growth = grownBy(
      [1, grow("a.ts")],
      [2, { do: "refuse", root: ROOT, tier: "M" }],
      [3, { do: "waive" }],
      [4, { do: "passed" }],
      [9, request],
    );
    expect(growth).toEqual({ since: 9, trees: { [ROOT]: { commit: "c2", at: 9, files: {} } } });
  });

  it("a request that is confirmed late keeps what happened after it", () => {
    const growth = grownBy(
      [1, grow("a.ts")],
      [7, grow("b.ts")],
      [8, { do: "refuse", root: ROOT, tier: "M" }],
      [5, request],
    );
    expect(filesIn(growth)).toEqual(["b.ts"]);
    expect(growth.told).toEqual({ tier: "M", at: 8 });
    expect(filesIn(grownBy([9, request], [10, grow("a.ts")], [5, request])), "an older one changes nothing").toEqual([
      "a.ts",
    ]);
  });

  it("what was said with the request itself counts", () => {
    expect(grownBy([9, request], [9, { do: "waive" }]).waivedAt).toBe(9);
    expect(grownBy([9, { do: "waive" }], [9, request]).waivedAt).toBe(9);
  });

  it("a program that nobody can read is open until git was asked", () => {
    const unread: Given = { do: "grow", root: ROOT, unread: true };
    expect(grownBy([1, unread]).trees[ROOT]?.unreadAt).toBe(1);
    expect(grownBy([1, unread], [2, { do: "grow", root: ROOT, measured: true }]).trees[ROOT]?.unreadAt).toBeUndefined();
    const both: Given = { do: "grow", root: ROOT, measured: true, unread: true };
    expect(grownBy([1, unread], [2, both]).trees[ROOT]?.unreadAt).toBe(2);
  });

  it("a moved work tree is counted from there, with the files that are known", () => {
    const growth = grownBy(
      [1, grow("a.ts")],
      [2, { do: "grow", root: ROOT, moving: "m" }],
      [3, { do: "moved", root: ROOT, commit: "c9" }],
    );
    expect(growth.trees[ROOT]).toMatchObject({ commit: "c9", at: 3, files: { "a.ts": 1 } });
    expect(growth.moving).toBeUndefined();
  });

  it("stays small whatever happens, and ignores changes of a newer version", () => {
    const many = Array.from({ length: 300 }, (_, at) => [at, grow(`${at}.ts`)] as const);
    expect(filesIn(grownBy(...many))).toHaveLength(60);
    const trees = Array.from(
      { length: 20 },
      (_, at) => [at, { ...request, root: `/p${at}`, do: "moved" } as Given] as const,
    );
    expect(Object.keys(grownBy(...trees).trees)).toHaveLength(4);
    expect(grownBy([1, { do: "shrink" } as unknown as Given])).toEqual(newGrowth(0));
  });
});
