import { describe, expect, it } from "vitest";
import { looksLikeCurrentPhase, readCurrentPhase } from "./current-phase.ts";

describe("current-phase.md", () => {
  it.each([
    ["PLANNING", "planning"],
    ["  Buil\tding \r\n", "building"],
    ["\uFEFFauditing\n", "auditing"],
  ])("TR-61 %j is %s, in any case and with any white space", (text, value) => {
    expect(readCurrentPhase(text)).toEqual({ value, notes: [] });
    expect(looksLikeCurrentPhase(text)).toBe(true);
  });

  it("TR-61 takes a word it does not know for the strictest, and says so", () => {
    expect(readCurrentPhase("release\n")).toEqual({
      value: "auditing",
      notes: ['"release" is none of planning, building, auditing: taken as auditing, the strictest'],
    });
    expect(looksLikeCurrentPhase("release")).toBe(false);
  });

  it("is no file of another kind, and not empty", () => {
    expect(readCurrentPhase(" \n")).toEqual({ problem: expect.stringContaining("is empty") });
    expect(readCurrentPhase("building ".repeat(20))).toEqual({ problem: expect.stringContaining("more than a word") });
  });
});
