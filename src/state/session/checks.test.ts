import { describe, expect, it } from "vitest";
import type { Change } from "../change.ts";
import type { JournalRecord } from "../record.ts";
import { fold, newState, type State } from "../state.ts";
import { type CheckChange, HISTORIES_MAX, historyOf } from "./checks.ts";
import { newSession, reduceSession, type Session } from "./session.ts";

const ROOT = "/p";

function sessionAfter(changes: readonly Change[], from: Session = newSession(0), t = 10): Session {
  return changes.reduce((session, change) => reduceSession(session, change, t), from);
}

const opened: Change = { record: "call", do: "open", id: "c", tool: "Bash" };
const begun: CheckChange = {
  record: "check",
  do: "begin",
  id: "c",
  root: ROOT,
  files: "f",
  runs: [{ check: "test", how: "whole", command: "npm test" }],
};

function ended(outcome: "passed" | "failed" | "partial", root = ROOT): CheckChange {
  const runs = [{ check: "test" as const, command: "npm test", outcome }];
  return { record: "check", do: "end", id: "c", root, startedAt: 5, tree: "t", files: "f", exitCode: 0, runs };
}

describe("checks of a session", () => {
  it("a check belongs only to the call that was opened for it", () => {
    expect(sessionAfter([opened, begun]).calls["c"]?.check?.runs[0]?.check).toBe("test");
    expect(sessionAfter([begun]).calls).toEqual({});
  });

  it("TS-41 the result is stored with time, digest and call", () => {
    const { checks } = sessionAfter([opened, begun, ended("passed")]);
    expect(historyOf(checks, ROOT, "test").whole).toMatchObject({
      outcome: "passed",
      endedAt: 10,
      tree: "t",
      call: "c",
    });
  });

  it("a partial run does not replace a complete one", () => {
    const { checks } = sessionAfter([ended("passed"), ended("partial")]);
    expect(historyOf(checks, ROOT, "test")).toMatchObject({
      whole: { outcome: "passed" },
      other: { outcome: "partial" },
    });
    expect(
      historyOf(sessionAfter([ended("failed")], sessionAfter([ended("passed")])).checks, ROOT, "test").whole?.outcome,
    ).toBe("failed");
  });

  it("stays small", () => {
    const many = Array.from({ length: 50 }, (_, at) => ended("passed", `/p${at}`));
    expect(Object.keys(sessionAfter(many).checks ?? {})).toHaveLength(HISTORIES_MAX);
  });

  it("the first definition of a check is kept", () => {
    const define = (test: string): CheckChange => ({
      record: "check",
      do: "define",
      root: ROOT,
      definitions: { test },
    });
    expect(sessionAfter([define("a"), define("b")]).defined).toEqual({ [ROOT]: { test: "a" } });
  });

  it("TS-22 GT-20 ST-12 results survive a restart of the host and compaction", () => {
    const worked = sessionAfter([
      opened,
      { record: "work", do: "begin", id: "c", root: ROOT, base: "b", code: ["a.ts"] },
      begun,
    ]);
    const done = sessionAfter([{ record: "call", do: "close", id: "c", outcome: "success" }, ended("passed")], worked);
    const resumed = sessionAfter(
      [
        { record: "session", do: "compact" },
        { record: "session", do: "end" },
        { record: "session", do: "begin", registration: {} },
      ],
      done,
    );
    expect(resumed.work).toEqual(done.work);
    expect(resumed.checks).toEqual(done.checks);
  });
});

describe("changes of a session", () => {
  const changing: Change = { record: "work", do: "begin", id: "c", root: ROOT, base: "b", code: ["a.ts"] };

  it.each(["success", "failure", "interrupted"] as const)("GT-10 count from the end of a call: %s", (outcome) => {
    expect(sessionAfter([opened, changing]).work?.[ROOT]).toMatchObject({ base: "b", touchedAt: 0 });
    const { work } = sessionAfter([opened, changing, { record: "call", do: "close", id: "c", outcome }]);
    expect(work?.[ROOT]).toMatchObject({ touchedAt: 10, codeAt: 10, paths: ["a.ts"] });
  });

  it.each(["refused", "invalid"] as const)("GT-10 a call that never ran changed nothing: %s", (outcome) => {
    const { work } = sessionAfter([opened, changing, { record: "call", do: "close", id: "c", outcome }]);
    expect(work?.[ROOT]?.codeAt).toBeUndefined();
    expect(work?.[ROOT]?.touchedAt).toBe(0);
  });

  it("the first base digest is kept", () => {
    const { work } = sessionAfter([opened, changing, { ...changing, base: "later" }]);
    expect(work?.[ROOT]?.base).toBe("b");
  });

  it("settled work starts over from the settled digest", () => {
    const worked = sessionAfter([opened, changing, { record: "call", do: "close", id: "c", outcome: "success" }]);
    const { work } = sessionAfter(
      [{ record: "work", do: "settle", root: ROOT, verified: true, code: "n" }],
      worked,
      20,
    );
    expect(work?.[ROOT]).toEqual({
      base: "n",
      touchedAt: 0,
      paths: [],
      settled: { at: 20, verified: true, code: "n" },
    });
  });
});

describe("a check that a person ran", () => {
  const action = (changes: readonly Change[], t: number): JournalRecord => ({
    kind: "action",
    action: "verify",
    rid: `r${t}`,
    t,
    changes,
  });
  const verdict = (changes: readonly Change[], session = "s"): JournalRecord => ({
    kind: "verdict",
    event: "SessionStart",
    session,
    decision: "pass",
    rid: "r",
    t: 1,
    changes,
  });
  const define = (test: string): Change => ({ record: "check", do: "define", root: ROOT, definitions: { test } });
  const run = (...records: JournalRecord[]): State => records.reduce(fold, newState);

  it("a person's run counts in all sessions and defines the check", () => {
    const state = run(verdict([define("a")]), action([define("b"), ended("passed")], 9));
    expect(historyOf(state.checks, ROOT, "test").whole).toMatchObject({ outcome: "passed", endedAt: 9 });
    expect(state.sessions["s"]?.defined).toEqual({ [ROOT]: { test: "b" } });
    expect(state.defined).toEqual({ [ROOT]: { test: "b" } });
  });

  it("TS-41 a session's own run is not evidence for other sessions", () => {
    const state = run(verdict([ended("passed")]));
    expect(state.checks).toBeUndefined();
    expect(historyOf(state.sessions["s"]?.checks, ROOT, "test").whole?.outcome).toBe("passed");
    expect(state.sessions["other"]).toBeUndefined();
  });

  it("TS-41 an unbound event leaves no evidence", () => {
    const forged = { ...verdict([ended("passed")]), unbound: true as const } as JournalRecord;
    expect(run(forged).sessions["s"]?.checks).toBeUndefined();
  });
});
