import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODES, type ModeChange, type ModeName, modesInForce, STALE_MS } from "./modes.ts";
import type { ActionRecord, JournalRecord, VerdictRecord } from "./record.ts";
import { fold, newState, type State } from "./state.ts";

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

describe("whose modes they are", () => {
  it("ST-10 a command without a session waits for one, and with one goes there", () => {
    const state = folded([action(start("qa")), action(start("turbo"), "a")]);
    expect([names(state), names(state, "a")]).toEqual([["qa"], ["turbo"]]);
    const claimed = folded([event("b", claim)], state);
    expect([names(claimed), names(claimed, "a"), names(claimed, "b")]).toEqual([[], ["turbo"], ["qa"]]);
    expect(claimed).not.toHaveProperty("modes");
    // There is nothing left for the next one.
    expect(names(folded([event("c", claim)], claimed), "c")).toEqual([]);
  });

  it("ST-10 TS-30 the matrix: own, another's, nobody's, and a session nobody has heard of", () => {
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

  it("MD-26 a person's cancel ends those of the session and those that wait, and the session knows when", () => {
    const state = folded([action(start("qa"), "a"), action(start("turbo"), "b"), action(start("persistent"))]);
    const cancelled = folded([action(cancel, "a")], state, NOW + 7);
    expect([names(cancelled, "a"), names(cancelled, "b"), names(cancelled)]).toEqual([[], ["turbo"], []]);
    expect(cancelled.sessions["a"]?.cancelledAt).toBe(NOW + 7);
    expect(cancelled.sessions["b"]?.cancelledAt).toBeUndefined();
  });

  it("what a person has cancelled lets no turn go once they have begun another one; an agent cannot undo it", () => {
    const cancelled = folded([action(start("qa"), "a"), action(cancel, "a")]);
    const begun = (by: "prompt" | "agent") =>
      folded([event("a", { ...start("turbo"), by } as ModeChange)], cancelled).sessions["a"]?.cancelledAt;
    expect([begun("prompt"), begun("agent")]).toEqual([undefined, NOW]);
  });

  it("ST-11 a heir keeps its own and takes the rest; what is stale goes to nobody", () => {
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
    expect(names(late, "c")).toEqual([]);
  });

  it("ST-10 nothing that a session does to modes changes another's, but to adopt them", () => {
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

  it("ST-11 claims and adoptions neither make a mode twice nor lose one", () => {
    const ids = ["a", "b", "c"];
    const move: fc.Arbitrary<readonly [string, ModeChange]> = fc.tuple(
      fc.constantFrom(...ids),
      fc.oneof(fc.constant(claim), fc.constantFrom(...ids, "nobody").map(adopt)),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom<string | undefined>(...ids, undefined), fc.constantFrom(...MODES)), {
          maxLength: 3,
          // Each mode once: then there is nobody whose own would stand in the way.
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
