import { describe, expect, it, onTestFinished, vi } from "vitest";
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

describe("the audit trail", () => {
  it("AU-3 an attempt is joined with its outcome by call id, whatever comes between", () => {
    expect(outcomes(asked("a"), asked("b"), ended("b", "failure"), ended("a", "success"))).toEqual([
      ["a", "success"],
      ["b", "failure"],
    ]);
    expect(outcomes(asked("a"))).toEqual([["a", "pending"]]);
  });

  it("a question is joined like any other attempt, and a denial is its own outcome", () => {
    expect(outcomes(asked("a", { decision: "ask" }), ended("a", "refused"))).toEqual([["a", "refused"]]);
    expect(outcomes(asked("a", { decision: "deny" }))).toEqual([["a", "refused"]]);
  });

  it("a call whose grant was already used, and that was then denied, never ran", () => {
    const lost = asked("a", { lifted: [{ policy: "no-x", decision: "deny", what: "", by: "g" }] });
    expect(outcomes(lost, asked("a", { decision: "deny" }))).toEqual([
      ["a", "refused"],
      ["a", "refused"],
    ]);
    const [entry] = auditView([lost], {});
    expect(entry && auditLine(entry)).toMatchObject({ verdict: "pass", lifted_by: "g" });
  });

  it("AU-8 two end events for one call are both recorded, with one outcome", () => {
    const end = { record: "call", do: "close", id: "a", outcome: "failure", exitCode: 3 };
    const records = [
      asked("a"),
      record({ event: "PostToolUseFailure", tool: "Bash", call: "a", changes: [end] }),
      record({ event: "PostToolUse", tool: "Bash", call: "a" }),
    ];
    expect(outcomes(...records)).toEqual([["a", "failure"]]);
    // The first reported end counts, as for trust.
    expect(outcomes(asked("b"), ended("b", "success"), ended("b", "failure"))).toEqual([["b", "success"]]);
    const events = auditView(records, { kind: "all" });
    expect(events.map(({ event }) => event)).toEqual(["PreToolUse", "PostToolUseFailure", "PostToolUse"]);
    expect(events.map((entry) => auditLine(entry)["trust_score_after"])).toEqual([null, null, null]);
  });

  it("a gap between transcript and records is its own line", () => {
    const gaps = [{ kind: "phantom", count: 1, calls: ["toolu_x"] }];
    const checked = (more: object) => record({ event: "Stop", changes: [{ record: "session", do: "cover", ...more }] });
    expect(auditView([checked({}), checked({ gaps })], { kind: "gap" })).toMatchObject([
      { event: "Stop", detail: "1 asked about and never used: toolu_x" },
    ]);
  });

  it("a launched call runs until its end, and calls left open by a session are abandoned", () => {
    const launched = record({ event: "PostToolUse", changes: [{ record: "call", do: "launch", id: "a" }] });
    const swept = record({ event: "SessionEnd", changes: [{ record: "call", do: "sweep" }] });
    expect(outcomes(asked("a"), launched)).toEqual([["a", "running"]]);
    expect(outcomes(asked("a"), launched, swept)).toEqual([["a", "abandoned"]]);
    expect(outcomes(asked("a", { session: "other" }), swept)).toEqual([["a", "pending"]]);
  });

  it("a call that never reached PreToolUse is listed too", () => {
    const [entry] = auditView([ended("x", "invalid", { tool: "Nonsense" })], {});
    expect(entry).toMatchObject({ kind: "invalid", call: "x", tool: "Nonsense", outcome: "invalid" });
  });

  it("AU-10 denials, Stop blocks, vetoes, errors and actions are in one trail, each with its kind", () => {
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

  it("AU-2 AU-3 TR-80 the weighing is shown, and the score after the outcome was counted", () => {
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
    // The oldest records are gone, so a score folded from the rest would be wrong.
    expect(line({ ...trust, operations: 7 })).toMatchObject({ ...before, trust_score_after: null });
  });

  it("TS-14 AU-2 a line has every field, with the names other tools know", () => {
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

  it("AU-2 an event without operation or weighing has the defaults: unknown model and phase, medium complexity", () => {
    const [entry] = auditView([record({ event: "Stop", decision: "deny" })], {});
    const defaults = { complexity: 0.5, recommended_model: "unknown", phase: "unknown", trust_score_before: null };
    expect(entry && auditLine(entry)).toMatchObject(defaults);
  });

  it("AU-1 days are UTC days", () => {
    const records = [
      record({ call: "late" }, Date.UTC(2026, 1, 28, 23, 59, 59)),
      record({ call: "early" }, Date.UTC(2026, 2, 1)),
    ];
    expect(auditView(records, { date: "2026-03-01" }).map(({ call }) => call)).toEqual(["early"]);
  });

  it.each(["Asia/Tokyo", "America/St_Johns"])("ST-13 a date is a day in UTC, in %s too", (zone) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const at = (time: string) => record({ tool: "Bash", call: time }, Date.parse(`${time}Z`));
    const day = ["2026-03-01T00:00:00", "2026-03-01T23:59:59"];
    const records = ["2026-02-28T23:59:59", ...day, "2026-03-02T00:00:00"].map(at);
    expect(auditView(records, { date: "2026-03-01" }).map(({ call }) => call)).toEqual(day);
  });

  it("tail selects the newest entries", () => {
    expect(auditView([asked("a"), asked("b"), asked("c")], { tail: 2 }).map(({ call }) => call)).toEqual(["b", "c"]);
  });
});

describe("finding an entry", () => {
  const entries = auditView([asked("a"), asked("b", { decision: "deny" }), asked("c"), record({ event: "Stop" })], {
    kind: "all",
  });

  it("the last entry is the newest objection, or else the newest entry", () => {
    expect(lastEntry(entries)?.call).toBe("b");
    expect(lastEntry([])).toBeUndefined();
  });

  it("an id may be shortened as long as it is unique", () => {
    const [first] = entries;
    expect(first && findEntry(entries, first.id)).toBe(first);
    expect(findEntry(entries, "r")).toBe("several");
    expect(findEntry(entries, "zzz")).toBe("none");
  });
});

describe("times", () => {
  it("are to the second", () => {
    expect(isoTime(NOON + 999)).toBe("2026-03-01T12:00:00Z");
  });
  it("are shown in the largest fitting unit", () => {
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
