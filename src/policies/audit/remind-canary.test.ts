import { describe, expect, it } from "vitest";
import { verdictOf } from "../describe-policy.ts";
import { remindCanary } from "./remind-canary.ts";

const begins = { name: "SessionStart" as const, source: "startup" };

describe("the canary", () => {
  it("a refused canary causes no message", () => {
    const { notices, notes, changes } = verdictOf(remindCanary, begins);
    expect([...notices, ...notes, ...changes]).toEqual([]);
  });

  it("a canary that was not refused is reported to the person and the agent, with the cause", () => {
    const { notices, notes, trace } = verdictOf(remindCanary, begins, { canary: { denied: false, detail: "no\nlaw" } });
    expect(notices[0]?.en).toMatch(/DOES NOT REFUSE.*\(no law\)/);
    expect(notes[0]?.en).toContain("Change nothing");
    expect(trace[0]?.ruling.broken).toContain("not refused");
  });
});
