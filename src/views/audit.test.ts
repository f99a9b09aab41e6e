import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../state/record.ts";
import { fold, newState } from "../state/state.ts";
import { auditView } from "./audit.ts";
import { auditLine } from "./audit-line.ts";
import { findEntry, lastEntry } from "./explain.ts";
import { isoTime, relativeAge } from "./time.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
let count = 0;
const record = (more: object, t = NOON): JournalRecord =>
  ({
    rid: `r${++count}`,
    t,
    kind: "verdict",
    event: "PreToolUse",
    session: "s",
    decision: "pass",
    ...more,
  }) as JournalRecord;
const asked = (call: string, more: object = {}) =>
  record({
    tool: "Bash",
    call,
    input: { command: "make" },
    operation: { class: "exec", domain: "shell_exec", risk: "medium" },
    ...more,
  });
const ended = (call: string, outcome: string, more: object = {}) =>
  record({ event: "PostToolUse", changes: [{ record: "call", do: "close", id: call, outcome, ...more }] });
const outcomes = (...records: readonly JournalRecord[]) =>
  auditView(records, {}).map(({ call, outcome }) => [call, outcome]);

describe("the trail", () => {
  it("AU-3 an attempt carries its outcome, joined by the id of the call, whatever lies between", () => {
    expect(outcomes(asked("a"), asked("b"), ended("b", "failure"), ended("a", "success"))).toEqual([
      ["a", "success"],
      ["b", "failure"],
    ]);
    expect(outcomes(asked("a"))).toEqual([["a", "pending"]]);
  });

  it("a question is joined like any other attempt, a refusal is an outcome of its own", () => {
    expect(outcomes(asked("a", { decision: "ask" }), ended("a", "refused"))).toEqual([["a", "refused"]]);
    expect(outcomes(asked("a", { decision: "deny" }))).toEqual([["a", "refused"]]);
  });

  it("a call that was let pass by a grant which another had used, and then refused, never ran", () => {
    const lost = asked("a", { lifted: [{ policy: "no-x", decision: "deny", what: "", by: "g" }] });
    expect(outcomes(lost, asked("a", { decision: "deny" }))).toEqual([
      ["a", "refused"],
      ["a", "refused"],
    ]);
    const [entry] = auditView([lost], {});
    expect(entry && auditLine(entry)).toMatchObject({ verdict: "pass", lifted_by: "g" });
  });

  it("AU-8 where both events fire for one call, both are on the record and the outcome is one", () => {
    const end = { record: "call", do: "close", id: "a", outcome: "failure", exitCode: 3 };
    const records = [
      asked("a"),
      record({ event: "PostToolUseFailure", tool: "Bash", call: "a", changes: [end] }),
      record({ event: "PostToolUse", tool: "Bash", call: "a" }),
    ];
    expect(outcomes(...records)).toEqual([["a", "failure"]]);
    // The first that is told counts, as it does for trust.
    expect(outcomes(asked("b"), ended("b", "success"), ended("b", "failure"))).toEqual([["b", "success"]]);
    const events = auditView(records, { kind: "all" });
    expect(events.map(({ event }) => event)).toEqual(["PreToolUse", "PostToolUseFailure", "PostToolUse"]);
    expect(events.map((entry) => auditLine(entry)["trust_score_after"])).toEqual([null, null, null]);
  });

  it("what the transcript and the records do not agree about is a line of its own", () => {
    const gaps = [{ kind: "phantom", count: 1, calls: ["toolu_x"] }];
    const checked = (more: object) => record({ event: "Stop", changes: [{ record: "session", do: "cover", ...more }] });
    expect(auditView([checked({}), checked({ gaps })], { kind: "gap" })).toMatchObject([
      { event: "Stop", detail: "1 asked about and never used: toolu_x" },
    ]);
  });

  it("a launch runs until its end, and what a session leaves open is abandoned", () => {
    const launched = record({ event: "PostToolUse", changes: [{ record: "call", do: "launch", id: "a" }] });
    const swept = record({ event: "SessionEnd", changes: [{ record: "call", do: "sweep" }] });
    expect(outcomes(asked("a"), launched)).toEqual([["a", "running"]]);
    expect(outcomes(asked("a"), launched, swept)).toEqual([["a", "abandoned"]]);
    expect(outcomes(asked("a", { session: "other" }), swept)).toEqual([["a", "pending"]]);
  });

  it("a call that never reached a gate is there too", () => {
    const [entry] = auditView([ended("x", "invalid", { tool: "Nonsense" })], {});
    expect(entry).toMatchObject({ kind: "invalid", call: "x", tool: "Nonsense", outcome: "invalid" });
  });

  it("AU-10 refusals, Stop blocks, vetoes, errors and actions are in one trail, each with its kind", () => {
    const records = [
      asked("a"),
      asked("b", { decision: "deny" }),
      asked("c", { decision: "ask" }),
      record({ event: "Stop", decision: "deny" }),
      record({ event: "ConfigChange", decision: "deny" }),
      { rid: "f", t: NOON, kind: "fault", event: "Stop", session: "s", where: "x", message: "boom" } as JournalRecord,
      { rid: "p", t: NOON, kind: "action", action: "prune" } as JournalRecord,
      record({ event: "Stop" }),
      { rid: "n", t: NOON, kind: "certificate" } as unknown as JournalRecord,
    ];
    expect(auditView(records, { kind: "all" }).map(({ kind }) => kind)).toEqual([
      "call",
      "refusal",
      "question",
      "stop-block",
      "config-veto",
      "error",
      "action",
      "event",
      "event",
    ]);
    expect(auditView(records, { kind: "refusal" })).toHaveLength(1);
  });

  it("AU-2 AU-3 TR-80 what was weighed is told, and the score once its outcome was counted", () => {
    const weighed = { score: 0.3, autonomy: 0.65, grade: "logged_only", model: "opus", stance: "building" };
    const open = { changes: [{ record: "call", do: "open", id: "a", tool: "Bash" }] };
    const records = [asked("a", { weighed, ...open }), ended("a", "success")];
    const { trust } = records.reduce(fold, newState);
    const line = (ledger: typeof trust) => {
      const [entry] = auditView(records, {}, ledger);
      return entry && auditLine(entry);
    };
    const before = { trust_score_before: 0.3, autonomy_score: 0.65, recommended_model: "opus", phase: "building" };
    expect(line(trust)).toMatchObject({ ...before, decision: "logged_only", trust_score_after: 0.335 });
    // The oldest records are gone: a score from what is left would be untrue.
    expect(line({ ...trust, operations: 7 })).toMatchObject({ ...before, trust_score_after: null });
  });

  it("TS-14 AU-2 a line has every field, in the names other tools know", () => {
    const [entry] = auditView([asked("a"), ended("a", "success")], {});
    expect(entry && auditLine(entry)).toEqual({
      timestamp: "2026-03-01T12:00:00Z",
      kind: "call",
      id: expect.any(String),
      event: "PreToolUse",
      session_id: "s",
      agent_type: null,
      tool_name: "Bash",
      tool_use_id: "a",
      tool_input: { command: "make" },
      domain: "shell_exec",
      risk_category: "medium",
      complexity: 0.5,
      trust_domain: null,
      trust_score_before: null,
      autonomy_score: null,
      decision: "logged_only",
      verdict: "pass",
      policies: [],
      reason: null,
      outcome: "success",
      exit_code: null,
      trust_score_after: null,
      recommended_model: "unknown",
      phase: "unknown",
      unbound: false,
    });
  });

  it("AU-2 what was neither read nor weighed has the defaults: unknown model and phase, the middle complexity", () => {
    const [entry] = auditView([record({ event: "Stop", decision: "deny" })], {});
    const defaults = { complexity: 0.5, recommended_model: "unknown", phase: "unknown", trust_score_before: null };
    expect(entry && auditLine(entry)).toMatchObject(defaults);
  });

  it("AU-1 a day is a day in UTC", () => {
    const records = [
      record({ call: "late" }, Date.UTC(2026, 1, 28, 23, 59, 59)),
      record({ call: "early" }, Date.UTC(2026, 2, 1)),
    ];
    expect(auditView(records, { date: "2026-03-01" }).map(({ call }) => call)).toEqual(["early"]);
  });

  it("the tail is the newest", () => {
    expect(auditView([asked("a"), asked("b"), asked("c")], { tail: 2 }).map(({ call }) => call)).toEqual(["b", "c"]);
  });
});

describe("finding what is meant", () => {
  const entries = auditView([asked("a"), asked("b", { decision: "deny" }), asked("c"), record({ event: "Stop" })], {
    kind: "all",
  });

  it("the last one is the newest objection, or failing that the newest thing at all", () => {
    expect(lastEntry(entries)?.call).toBe("b");
    expect(lastEntry([])).toBeUndefined();
  });

  it("an id may be cut short as long as it is one", () => {
    const [first] = entries;
    expect(first && findEntry(entries, first.id)).toBe(first);
    expect(findEntry(entries, "r")).toBe("several");
    expect(findEntry(entries, "zzz")).toBe("none");
  });
});

describe("times", () => {
  it("ST-13 are UTC with a Z", () => {
    expect(isoTime(NOON + 999)).toBe("2026-03-01T12:00:00Z");
  });
  it("are told in the one unit that matters", () => {
    expect([500, 5_000, 60_000, 7_200_000, 86_400_000, 5 * 86_400_000].map(relativeAge)).toEqual([
      "just now",
      "5 seconds ago",
      "1 minute ago",
      "2 hours ago",
      "1 day ago",
      "5 days ago",
    ]);
  });
});
