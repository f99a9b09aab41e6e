import { describe, expect, it } from "vitest";
import { droppedOf, hadBegun, withDropped } from "./dropped.ts";
import type { JournalRecord } from "./record.ts";
import { fold, newState, SESSIONS_MAX, type State, sessionOf } from "./state.ts";

const record = (at: number, session: string, changes: readonly object[] = []): JournalRecord =>
  ({ kind: "verdict", event: "PreToolUse", decision: "pass", rid: `r${at}`, t: at, session, changes }) as JournalRecord;
const pin = { record: "session", do: "pin", by: "7 1", settings: {} };
const crowd = (state: State, from: number): State =>
  Array.from({ length: SESSIONS_MAX }, (_, n) => record(from + n, `other-${n}`)).reduce(fold, state);

describe("sessions that are pushed out of the state", () => {
  it.each([
    ["a running one", []],
    ["one whose end was recorded", [{ record: "session", do: "end" }]],
  ])("%s is told from sessions that were never seen, for the process that began it", (_, changes) => {
    const state = crowd(fold(newState, record(1, "mine", [pin, ...changes])), 2);
    expect(state.sessions["mine"]).toBeUndefined();
    expect(hadBegun(sessionOf(state, "mine")?.dropped, "7 1")).toBe(true);
    expect(hadBegun(sessionOf(state, "mine")?.dropped, "8 1")).toBe(false);
    expect(sessionOf(state, "new")).toBeUndefined();
    const again = fold(state, record(99, "mine")).sessions["mine"];
    expect(hadBegun(again?.dropped, "7 1")).toBe(true);
  });

  it("keep the list small: the oldest go first", () => {
    let dropped = withDropped(undefined, "mine", ["7 1"]);
    for (let n = 0; n < 2000; n++) dropped = withDropped(dropped, `other-${n}`, [`${n} 1`]);
    expect(dropped.length).toBe(8192);
    expect(droppedOf(dropped, "other-1999")).toBeDefined();
  });
});
