import { describe, expect, it } from "vitest";
import { looksLikeCurrentPhase, readCurrentPhase } from "./current-phase.ts";

describe("current-phase.md", () => {
  it.each([
    ["PLANNING", "planning"],
    ["  Buil\tding \r\n", "building"],
    ["\uFEFFauditing\n", "auditing"],
  ])("TR-61 %j is %s, ignoring case and white space", (text, value) => {
    expect(readCurrentPhase(text)).toEqual({ value, notes: [] });
    expect(looksLikeCurrentPhase(text)).toBe(true);
  });

  it("TR-61 an unknown word is read as the strictest stance, with a note", () => {
    expect(readCurrentPhase("release\n")).toEqual({
      value: "auditing",
      notes: ['"release" is none of planning, building, auditing: taken as auditing, the strictest'],
    });
    expect(looksLikeCurrentPhase("release")).toBe(false);
  });

  it("rejects an empty file and a file of another kind", () => {
    expect(readCurrentPhase(" \n")).toEqual({ problem: expect.stringContaining("is empty") });
    expect(readCurrentPhase("building ".repeat(20))).toEqual({ problem: expect.stringContaining("more than a word") });
  });
});
