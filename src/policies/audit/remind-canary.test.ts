import { describe, expect, it } from "vitest";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { remindCanary } from "./remind-canary.ts";

describePolicy(remindCanary);

const begins = { name: "SessionStart" as const, source: "startup" };

describe("a canary", () => {
  it("that was refused is not worth a word", () => {
    const { notices, notes, changes } = verdictOf(remindCanary, begins);
    expect([...notices, ...notes, ...changes]).toEqual([]);
  });

  it("that was not refused is told to both, with what happened instead", () => {
    const { notices, notes, trace } = verdictOf(remindCanary, begins, { canary: { denied: false, detail: "no\nlaw" } });
    expect(notices[0]?.en).toMatch(/DOES NOT REFUSE.*\(no law\)/);
    expect(notes[0]?.en).toContain("Change nothing");
    expect(trace[0]?.ruling.broken).toContain("not refused");
  });
});
