import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRANTS_MAX, type Grant, isInForce, LEAVE_MS_MAX } from "./grants.ts";
import type { JournalRecord, RecordBody } from "./record.ts";
import { fold, newState, type State } from "./state.ts";

const grant: Grant = { effect: "e", policies: ["no-x"], once: true, at: 0, until: 1_000, what: "Bash x" };
let count = 0;
const at = (t: number, body: object): JournalRecord => ({ rid: `r${++count}`, t, ...body }) as JournalRecord;
const action = (t: number, ...changes: readonly object[]) => at(t, { kind: "action", action: "a", changes });
const verdict = (t: number, changes: readonly object[], more: Partial<RecordBody> = {}) =>
  at(t, { kind: "verdict", event: "PreToolUse", session: "s", decision: "pass", changes, ...more });
const foldAll = (...records: readonly JournalRecord[]): State => records.reduce(fold, newState);

const give = (id: string, more: Partial<Grant> = {}) => ({
  record: "grant",
  do: "give",
  id,
  grant: { ...grant, ...more },
});
const use = (id: string) => ({ record: "grant", do: "use", id });
const begin = { record: "pause", do: "begin", pause: { at: 0, until: 1_000 } };

describe("grants", () => {
  it("a grant or pause is given and taken back by an action, and expires", () => {
    expect(foldAll(action(1, give("a"))).grants).toEqual({ a: grant });
    expect(foldAll(action(1, give("a")), action(2, { record: "grant", do: "take-back", id: "a" })).grants).toEqual({});
    expect(foldAll(action(1, give("a")), verdict(1_000, [])).grants).toEqual({});
    expect(foldAll(action(1, begin)).pause).toEqual({ at: 0, until: 1_000 });
    expect(foldAll(action(1, begin), action(2, { record: "pause", do: "end" })).pause).toBeUndefined();
    expect(foldAll(action(1, begin), verdict(1_000, [])).pause).toBeUndefined();
  });

  it("an event of the host never gives a grant, bound or not", () => {
    for (const more of [{}, { unbound: true as const }]) {
      const state = foldAll(verdict(1, [give("a"), begin], more));
      expect(state).toMatchObject({ grants: {} });
      expect(state.pause).toBeUndefined();
    }
  });

  it("a one-time grant is used up by the first record that uses it, and only by a bound one", () => {
    const given = foldAll(action(1, give("once"), give("again", { once: false })));
    expect(Object.keys(fold(given, verdict(2, [use("once"), use("again")])).grants)).toEqual(["again"]);
    expect(fold(given, verdict(2, [use("once")], { unbound: true })).grants).toEqual(given.grants);
    expect(fold(given, verdict(2, [use("constructor")])).grants).toEqual(given.grants);
  });

  it("of many records that use a one-time grant, exactly one finds it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (consumers) => {
        let state = foldAll(action(1, give("a")));
        let winners = 0;
        for (let n = 0; n < consumers; n++) {
          if (state.grants["a"]) winners++;
          state = fold(state, verdict(2, [use("a")]));
        }
        expect(winners).toBe(1);
      }),
    );
  });

  it("stays small", () => {
    const state = foldAll(...Array.from({ length: 100 }, (_, n) => action(1, give(`g${n}`, { at: n, until: 5_000 }))));
    expect(Object.keys(state.grants)).toHaveLength(GRANTS_MAX);
    expect(state.grants["g99"]).toBeDefined();
  });

  it("ST-7 an id that is no text changes nothing and breaks nothing", () => {
    const id = { toString: 0, valueOf: 0 };
    const changes = (["give", "use", "take-back"] as const).map((act) => ({ record: "grant", do: act, id }));
    const state = foldAll(action(1, ...changes), verdict(2, changes));
    expect(state).toMatchObject({ t: 2, grants: {} });
  });

  it("ST-7 a malformed change changes nothing and breaks nothing", () => {
    const odd = fc.record({
      record: fc.constantFrom("grant", "pause"),
      do: fc.constantFrom("give", "use", "take-back", "begin", "end", "levitate"),
      id: fc.anything(),
      grant: fc.anything(),
      pause: fc.anything(),
    });
    fc.assert(
      fc.property(fc.array(odd), (changes) => {
        const state = foldAll(action(1, ...changes), verdict(2, changes));
        expect(state).toMatchObject({ t: 2, verdicts: { pass: 1 } });
        for (const given of Object.values(state.grants)) expect(typeof given.effect).toBe("string");
      }),
    );
  });
});

describe("validity of a grant", () => {
  it("a grant is valid from its start until its end, and never longer than the limit", () => {
    const time = fc.integer({ min: 0, max: 4 * LEAVE_MS_MAX });
    fc.assert(
      fc.property(time, time, time, (from, until, now) => {
        const expected = from <= now && now < until && until - from <= LEAVE_MS_MAX;
        expect(isInForce({ at: from, until }, now)).toBe(expected);
      }),
    );
  });

  it("a clock set back makes no grant valid, and neither does a grant from a wrong clock", () => {
    expect(isInForce({ at: 500, until: 1_000 }, 499)).toBe(false);
    expect(isInForce({ at: 9e12, until: 9e12 + 1_000 }, 1_000)).toBe(false);
  });
});
