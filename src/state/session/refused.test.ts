import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  forgiven,
  type Memory,
  type MemoryChange,
  REFUSED_MAX,
  remembered,
  restMemory,
  WRITTEN_MAX,
} from "./refused.ts";

const effect = (what: string, kind: "write" | "read" | "run" = "write") => ({ kind, what, by: "Edit", policy: "no-x" });
const refuse = (...names: readonly string[]): MemoryChange => ({
  record: "session",
  do: "refuse",
  effects: names.map((name) => effect(name)),
});
const wrote = (...paths: readonly string[]): MemoryChange => ({ record: "session", do: "write", paths });
const denied = { rid: "r1", at: 5, decision: "deny" };
const passed = { rid: "r2", at: 6, decision: "pass" };
const empty: Memory = {};

describe("refusals that a session remembers", () => {
  it("an effect is remembered with the record that denied it, and only if it was denied", () => {
    expect(remembered(empty, [refuse("/a")], denied)).toEqual({ refused: [{ ...effect("/a"), rid: "r1", at: 5 }] });
    for (const decision of ["ask", "pass"])
      expect(remembered(empty, [refuse("/a")], { ...denied, decision })).toEqual({});
  });

  it("an effect that is denied again keeps its first place", () => {
    const once = remembered(empty, [refuse("/a")], denied);
    expect(remembered(once, [refuse("/a")], { ...denied, rid: "r9", at: 9 })).toEqual(once);
  });

  it("an effect is forgotten once it passed or a person granted it, not when it was asked about", () => {
    const once = remembered(empty, [refuse("/a", "/b")], denied);
    const left = ({ refused = [] }: Memory): readonly string[] => refused.map(({ what }) => what);
    expect(left(remembered(once, [wrote("/a")], passed))).toEqual(["/b"]);
    expect(left(remembered(once, [wrote("/a")], { ...passed, decision: "ask" }))).toEqual(["/a", "/b"]);
    expect(left(forgiven(once, "r1"))).toEqual([]);
    expect(forgiven(once, "r2")).toBe(once);
  });

  it("the memory stays bounded, and a malformed change changes nothing", () => {
    const name = fc.string({ maxLength: 5 });
    const change = fc.oneof(
      fc.array(name).map((names) => refuse(...names)),
      fc.array(name).map((names) => wrote(...names)),
      fc.constantFrom(
        { record: "session", do: "refuse" },
        { record: "session", do: "write", paths: 5 },
        { record: "call" },
      ),
    );
    const verdict = fc.constantFrom(denied, passed);
    fc.assert(
      fc.property(fc.array(fc.tuple(change, verdict), { maxLength: 60 }), (steps) => {
        const end = steps.reduce((memory, [one, how]) => remembered(memory, [one], how), empty);
        expect(end.refused?.length ?? 0).toBeLessThanOrEqual(REFUSED_MAX);
        expect(end.written?.length ?? 0).toBeLessThanOrEqual(WRITTEN_MAX);
        const rested = restMemory(end);
        expect((rested.refused?.length ?? 0) + (rested.written?.length ?? 0)).toBeLessThanOrEqual(10);
      }),
    );
  });
});
