import { describe, expect, it } from "vitest";
import type { ObjectionRecord } from "../state/record.ts";
import type { AuditEntry } from "./audit.ts";
import { grantable, leaveView } from "./leave.ts";
import { timeLeft } from "./time.ts";

const grant = { effect: "e", policies: ["no-x"], once: true, at: 0, until: 60_000, what: "Bash x" };

describe("active grants", () => {
  it("are shown with their description and remaining time; expired ones are not shown", () => {
    expect(leaveView({ grants: { a: grant }, pause: { at: 0, until: 600_000 } }, 30_000)).toEqual({
      pause: { until: "1970-01-01T00:10:00Z", left: "10 min" },
      grants: [
        { id: "a", what: "Bash x", policies: ["no-x"], once: true, until: "1970-01-01T00:01:00Z", left: "30 s" },
      ],
    });
    expect(leaveView({ grants: { a: grant }, pause: { at: 0, until: 1 } }, 60_000)).toEqual({
      pause: null,
      grants: [],
    });
  });

  it.each([
    [1, "1 s"],
    [59_500, "1 min"],
    [600_000, "10 min"],
    [3_600_000, "1 h 0 min"],
    [5_400_001, "1 h 31 min"],
  ])("%i ms are %s", (ms, words) => {
    expect(timeLeft(ms)).toBe(words);
  });
});

describe("grantable verdicts", () => {
  const effect = "0".repeat(64);
  const objection: ObjectionRecord = { policy: "no-x", decision: "deny", what: "It would break.", fix: "" };
  const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
    id: "m1",
    at: 0,
    kind: "refusal",
    event: "PreToolUse",
    session: "s",
    objections: [objection],
    asked: [],
    unbound: false,
    effect,
    ...more,
  });
  const problemOf = (more: Partial<AuditEntry>, floor: readonly string[] = []) =>
    (grantable(entry(more), floor) as { problem?: string }).problem;

  it("a denied tool use can be granted when its record has the effect", () => {
    expect(grantable(entry(), [])).toEqual({ effect, policies: ["no-x"] });
  });

  it("anything else is rejected with a reason", () => {
    expect(problemOf({ event: "Stop" })).toMatch(/not about a tool use/);
    expect(problemOf({ objections: [] })).toMatch(/Nothing objected/);
    expect(problemOf({ objections: [{ ...objection, fault: "boom" }] })).toMatch(/failed there \(boom\)/);
    expect(problemOf({ objections: [objection, { ...objection, floor: true }] })).toMatch(/part of the floor/);
    expect(problemOf({}, ["no-x"])).toMatch(/part of the floor/);
    // A cut digest could match another text.
    expect(problemOf({ effect: "0".repeat(16) })).toMatch(/does not hold the exact tool use/);
  });
});
