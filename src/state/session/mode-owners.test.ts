import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change } from "../change.ts";
import type { ActionRecord, JournalRecord, VerdictRecord } from "../record.ts";
import { fold, newState, SESSIONS_MAX, type State } from "../state.ts";
import { MODES, type ModeChange, type ModeName, modesInForce, STALE_MS } from "./modes.ts";

const NOW = 1_800_000_000_000;
const start = (mode: ModeName, task: string = mode): ModeChange => ({
  ...{ record: "mode", do: "start", mode, by: "command", task, max: 5 },
});
const cancel: ModeChange = { record: "mode", do: "stop", why: "cancelled", unowned: true };
const claim: ModeChange = { record: "mode", do: "claim" };
const adopt = (from: string): ModeChange => ({ record: "mode", do: "adopt", from });

const stamped = (body: ActionRecord | VerdictRecord, t = NOW): JournalRecord => ({ ...body, rid: "r", t });
const action = (change: ModeChange, session?: string): ActionRecord => ({
  ...{ kind: "action", action: "mode", changes: [change] },
  ...(session !== undefined && { session }),
});
const event = (session: string, change: ModeChange): VerdictRecord => ({
  ...{ kind: "verdict", event: "UserPromptSubmit", session, decision: "pass", changes: [change], ms: 1 },
});
const folded = (bodies: readonly (ActionRecord | VerdictRecord)[], from: State = newState, t = NOW): State =>
  bodies.reduce((state, body) => fold(state, stamped(body, t)), from);
const modesOf = (state: State, id?: string) => (id === undefined ? state.modes : state.sessions[id]?.modes);
const names = (state: State, id?: string) => modesInForce(modesOf(state, id), state.t).map(({ name }) => name);

describe("ownership of modes", () => {
  it("ST-10 a mode started without a session waits for one, and with a session goes there", () => {
    const state = folded([action(start("qa")), action(start("turbo"), "a")]);
    expect([names(state), names(state, "a")]).toEqual([["qa"], ["turbo"]]);
    const claimed = folded([event("b", claim)], state);
    expect([names(claimed), names(claimed, "a"), names(claimed, "b")]).toEqual([[], ["turbo"], ["qa"]]);
    expect(claimed).not.toHaveProperty("modes");
    // Nothing is left for the next session.
    expect(names(folded([event("c", claim)], claimed), "c")).toEqual([]);
  });

  it("ST-10 TS-30 a stop ends only the session's own modes, for known and unknown sessions", () => {
    const state = folded([action(start("qa"), "a"), action(start("turbo"), "b"), action(start("persistent"))]);
    const left = (change: ModeChange, id: string) => {
      const next = folded([event(id, change)], state);
      return [names(next, "a"), names(next, "b"), names(next)];
    };
    const stop: ModeChange = { record: "mode", do: "stop", why: "done" };
    expect(left(stop, "a")).toEqual([[], ["turbo"], ["persistent"]]);
    expect(left(stop, "b")).toEqual([["qa"], [], ["persistent"]]);
    expect(left(stop, "nobody")).toEqual([["qa"], ["turbo"], ["persistent"]]);
    expect(left(cancel, "nobody")).toEqual([["qa"], ["turbo"], []]);
    expect(left(cancel, "a")).toEqual([[], ["turbo"], []]);
    const refused = folded([event("nobody", { record: "mode", do: "refuse", mode: "qa" })], state);
    expect([modesOf(refused, "a")?.qa?.count, modesOf(refused, "nobody")]).toEqual([0, undefined]);
  });

  it("MD-26 a person's cancel ends the session's modes and the waiting ones, and records the time", () => {
    const state = folded([action(start("qa"), "a"), action(start("turbo"), "b"), action(start("persistent"))]);
    const cancelled = folded([action(cancel, "a")], state, NOW + 7);
    expect([names(cancelled, "a"), names(cancelled, "b"), names(cancelled)]).toEqual([[], ["turbo"], []]);
    expect(cancelled.sessions["a"]?.cancelledAt).toBe(NOW + 7);
    expect(cancelled.sessions["b"]?.cancelledAt).toBeUndefined();
  });

  it("a mode that the person starts after a cancel clears the cancel time", () => {
    const state = folded([action(start("qa"), "a"), action(cancel, "a")]);
    const byAgent = { ...start("turbo"), by: "agent" } as const;
    expect(folded([action(byAgent, "a")], state).sessions["a"]?.cancelledAt).toBe(NOW);
    expect(folded([event("a", start("turbo"))], state).sessions["a"]?.cancelledAt).toBeUndefined();
  });

  it("a mode that the agent started gives way to a person's mode that is claimed or adopted", () => {
    const own = (task: string) => ({ ...start("qa", task), by: "agent" }) as const;
    const state = folded([action(own("its own"), "b"), action(start("qa", "the person's"))]);
    expect(modesOf(folded([event("b", claim)], state), "b")?.qa?.task).toBe("the person's");
    const other = folded([action(own("its own"), "b"), action(start("qa", "the person's"), "a")]);
    expect(modesOf(folded([event("b", adopt("a"))], other), "b")?.qa?.task).toBe("the person's");
    const both = folded([action(own("first"), "b"), action(own("second"), "a")]);
    expect(modesOf(folded([event("b", adopt("a"))], both), "b")?.qa?.task).toBe("first");
  });

  it("starting many sessions does not evict a session in a mode", () => {
    const begin = { record: "session", do: "begin", registration: {}, castaway: true } as const;
    const many = (from: State, changes: readonly Change[], t = NOW): State =>
      Array.from({ length: 2 * SESSIONS_MAX }, (_, at) => at).reduce(
        (state, at) => folded([{ ...event(`x${at}`, claim), changes }], state, t + at + 1),
        from,
      );
    const state = folded([action(start("persistent"), "a")]);
    expect(names(many(state, []), "a")).toEqual(["persistent"]);
    expect(names(many(state, [begin, start("qa")]), "a")).toEqual(["persistent"]);
    expect(Object.keys(many(state, []).sessions)).toHaveLength(SESSIONS_MAX);
    // Once its mode has expired, it is evicted like any other.
    expect(many(state, [], NOW + 2 * STALE_MS).sessions["a"]).toBeUndefined();
  });

  it("ST-11 an adopting session keeps its own modes and takes the rest; expired modes are not passed on", () => {
    const state = folded([
      action(start("qa", "old"), "a"),
      action(start("turbo"), "a"),
      action(start("qa", "own"), "b"),
    ]);
    const heir = folded([event("b", adopt("a"))], state);
    expect([names(heir, "a"), names(heir, "b")]).toEqual([[], ["qa", "turbo"]]);
    expect(modesOf(heir, "b")?.qa?.task).toBe("own");
    expect(folded([event("a", adopt("a"))], state)).toEqual(folded([event("a", adopt("unknown"))], state));
    const late = folded([event("c", claim), event("c", adopt("a"))], state, NOW + STALE_MS + 1);
    expect(modesOf(late, "c")).toBeUndefined();
    // An expired mode does not block a fresh one.
    const since = NOW + STALE_MS + 1;
    const fresh = folded([action(start("qa", "new"), "a")], state, since);
    expect(modesOf(folded([event("b", adopt("a"))], fresh, since), "b")?.qa?.task).toBe("new");
  });

  it("ST-10 a session changes the modes of another one only by adopting them", () => {
    const ids = ["a", "b", "c"] as const;
    const change: fc.Arbitrary<ModeChange> = fc.oneof(
      fc.constantFrom(...MODES).map((mode) => start(mode)),
      fc.constantFrom(...MODES).map((mode): ModeChange => ({ record: "mode", do: "refuse", mode })),
      fc.constantFrom(...MODES).map((mode): ModeChange => ({ record: "mode", do: "stop", mode, why: "done" })),
      fc.constantFrom(cancel, claim, { record: "mode", do: "pause", why: "x" } as const),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...ids), change), { maxLength: 20 }),
        fc.constantFrom("a", "stranger", "__proto__", "constructor"),
        change,
        (history, actor, last) => {
          const before = folded(history.map(([id, one]) => event(id, one)));
          const next = folded([event(actor, last)], before);
          for (const id of ids.filter((one) => one !== actor))
            expect(next.sessions[id]?.modes).toEqual(before.sessions[id]?.modes);
        },
      ),
    );
  });

  it("ST-11 claims and adoptions neither duplicate nor lose a mode", () => {
    const ids = ["a", "b", "c"];
    const move: fc.Arbitrary<readonly [string, ModeChange]> = fc.tuple(
      fc.constantFrom(...ids),
      fc.oneof(fc.constant(claim), fc.constantFrom(...ids, "nobody").map(adopt)),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom<string | undefined>(...ids, undefined), fc.constantFrom(...MODES)), {
          maxLength: 3,
          // Each mode once, so that no session's own mode blocks another.
          selector: ([, mode]) => mode,
        }),
        fc.array(move, { maxLength: 12 }),
        (owned, moves) => {
          const begun = folded(owned.map(([id, mode]) => action(start(mode), id)));
          const state = folded(
            moves.map(([id, change]) => event(id, change)),
            begun,
          );
          const held = [undefined, ...ids].flatMap((id) => names(state, id));
          expect(held.sort()).toEqual(owned.map(([, mode]) => mode).sort());
        },
      ),
    );
  });
});
