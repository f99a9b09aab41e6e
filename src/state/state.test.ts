import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "./record.ts";
import { CALLS_MAX, SETTLED_MAX } from "./session/calls.ts";
import { GAPS_MAX, GATES_MAX } from "./session/coverage.ts";
import { ACTORS_MAX, CANARY, newSession, reduceSession } from "./session/session.ts";
import { fold, newState, SESSIONS_MAX, type State } from "./state.ts";

const verdict = (n: number, more: Partial<JournalRecord> = {}): JournalRecord =>
  ({
    rid: `r${n}`,
    t: n,
    kind: "verdict",
    event: "PreToolUse",
    session: "s",
    decision: "pass",
    ...more,
  }) as JournalRecord;
const foldAll = (records: readonly JournalRecord[]): State => records.reduce(fold, newState);

describe("law 6: the journal is the state", () => {
  it("time never runs backwards, whatever the clocks say", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e6 })), (times) => {
        const states: State[] = [];
        for (const [n, t] of times.entries()) states.push(fold(states.at(-1) ?? newState, { ...verdict(n), t }));
        states.forEach((state, at) => {
          expect(state.t).toBeGreaterThanOrEqual(states[at - 1]?.t ?? 0);
        });
      }),
    );
  });

  it("ST-7 a record or a change of a newer version is ignored and breaks nothing", () => {
    const novel = { rid: "x", t: 5, kind: "certificate", claim: "done" } as unknown as JournalRecord;
    expect(fold(newState, novel)).toEqual({ ...newState, t: 5 });
    const changes = [
      { record: "trust", do: "raise" },
      { record: "session", do: "levitate" },
      { record: "call", do: "teleport" },
    ];
    const state = foldAll([verdict(1), verdict(2, { changes } as unknown as Partial<JournalRecord>), verdict(3)]);
    expect(state.verdicts.pass).toBe(3);
    expect(state.sessions["s"]?.verdicts.pass).toBe(3);
  });

  it("tool uses and refusals count as verdicts; the canary does not", () => {
    const of = (event: string, decision: string, session = "s") =>
      ({ event, decision, session, objections: [{ policy: "no-x" }] }) as Partial<JournalRecord>;
    const events = [
      of("SessionStart", "pass"),
      of("PreToolUse", "pass"),
      of("PostToolUse", "pass"),
      of("Stop", "deny"),
      of("Stop", "pass"),
      of("PreToolUse", "deny", CANARY),
    ];
    const state = foldAll(events.map((more, n) => verdict(n, more)));
    const counts = { pass: 1, ask: 0, deny: 1 };
    expect(state).toMatchObject({ verdicts: counts, objections: { "no-x": 5 } });
    expect(Object.keys(state.sessions)).toEqual(["s"]);
    expect(state.sessions["s"]).toMatchObject({ verdicts: counts, lastAt: 4 });
  });

  it("an unbound event is counted and changes no session", () => {
    const state = foldAll([
      verdict(1, {
        unbound: true,
        changes: [{ record: "call", do: "open", id: "a", tool: "Bash" }],
      } as Partial<JournalRecord>),
    ]);
    expect(state.verdicts.pass).toBe(1);
    expect(state.sessions).toEqual({});
  });

  it("a denied call is settled by the verdict itself", () => {
    const state = foldAll([verdict(1, { decision: "deny", call: "a" } as Partial<JournalRecord>)]);
    expect(state.sessions["s"]).toMatchObject({ outcomes: { refused: 1 }, settled: ["a"] });
  });

  it("the state stays small: the newest sessions, actors and calls remain", () => {
    const many = Array.from({ length: 400 }, (_, n) =>
      verdict(n, {
        session: `s${n % 60}`,
        agent: { id: `a${n}`, type: "x" },
        changes: [{ record: "call", do: "open", id: `c${n}`, tool: "T" }],
      } as Partial<JournalRecord>),
    );
    const state = foldAll(many);
    expect(Object.keys(state.sessions)).toHaveLength(SESSIONS_MAX);
    expect(state.sessions["s39"]).toBeDefined();
    let session = newSession(0);
    for (let n = 0; n < 1_000; n++)
      session = reduceSession(session, { record: "call", do: "open", id: `c${n}`, tool: "T" }, n);
    expect(Object.keys(session.calls)).toHaveLength(CALLS_MAX);
    expect(session.calls["c999"]).toBeDefined();
    for (let n = 0; n < 1_000; n++)
      session = reduceSession(session, { record: "call", do: "close", id: `c${n}`, outcome: "success" }, n);
    expect(session.settled).toHaveLength(SETTLED_MAX);
    const crowd = foldAll(
      Array.from({ length: 99 }, (_, n) => verdict(n, { agent: { id: `a${n}`, type: "x" } } as Partial<JournalRecord>)),
    );
    expect(Object.keys(crowd.sessions["s"]?.actors ?? {})).toHaveLength(ACTORS_MAX);
  });

  it("any order of gates, checks, ends and setups folds within the bounds", () => {
    const actor = fc.constantFrom("main", "a1", "constructor");
    const gate = fc.record({ event: fc.constant("PreToolUse"), call: fc.string({ maxLength: 4 }) });
    const cover = fc.record({
      record: fc.constant("session"),
      do: fc.constant("cover"),
      actor,
      from: fc.option(fc.nat(3)),
      cursor: fc.record({ offset: fc.nat(3), mark: fc.string(), whole: fc.boolean() }),
      passed: fc.nat(50),
      met: fc.nat(3),
      kept: fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }),
      uses: fc.array(fc.record({ id: fc.string(), tool: fc.string() }), { maxLength: 3 }),
      gaps: fc.array(
        fc.record({ kind: fc.constantFrom("bypass", "phantom"), count: fc.nat(), calls: fc.constant([]) }),
      ),
    });
    const other = fc.constantFrom({ record: "session", do: "end" }, { record: "session", do: "tell-gaps", upTo: 2 });
    const change = fc.oneof(cover, other).map((value) => ({ event: "Stop", changes: [value] }));
    const setUp = fc.constant({ kind: "action", action: "init" });
    fc.assert(
      fc.property(fc.array(fc.oneof(gate, gate, change, setUp), { maxLength: 60 }), (bodies) => {
        const state = foldAll(bodies.map((body, n) => verdict(n, body as unknown as Partial<JournalRecord>)));
        const coverage = state.sessions["s"]?.coverage;
        expect(coverage?.gates.length ?? 0).toBeLessThanOrEqual(GATES_MAX);
        expect(coverage?.gaps.length ?? 0).toBeLessThanOrEqual(GAPS_MAX);
      }),
    );
  });

  it("ids that look like built-in names are ordinary ids", () => {
    const state = foldAll([verdict(1, { session: "constructor" }), verdict(2, { session: "toString" })]);
    expect(Object.keys(state.sessions).sort()).toEqual(["constructor", "toString"]);
    expect(state.sessions["constructor"]?.verdicts.pass).toBe(1);
  });

  it("an inactive session keeps only its newest gates; older ones are not checked", () => {
    const hour = 3600 * 1000;
    const gates = Array.from({ length: 100 }, (_, n) => verdict(n + 1, { call: `c${n}` }));
    const busy = foldAll([...gates, { ...verdict(101, { session: "other" }), t: 200 }]);
    expect(busy.sessions["s"]?.coverage?.gates).toHaveLength(100);
    const later = fold(busy, { ...verdict(102, { session: "third" }), t: 200 + hour });
    const resting = later.sessions["s"]?.coverage;
    expect(resting?.gates.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `c${80 + n}`));
    expect(resting?.since).toBe(80);
  });
});
