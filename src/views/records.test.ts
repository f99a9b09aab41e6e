/** What the views read out of the journal's records: times, what was accepted, where the hooks pointed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalRecord, RecordBody } from "../state/record.ts";
import { fold, newState } from "../state/state.ts";
import { acceptanceRecords, acceptedIn, differenceOf } from "./contract.ts";
import { spreadOf, timesIn } from "./latency.ts";
import { previousProgram, ROLLBACK, UPGRADE, upgradeRecord } from "./upgrades.ts";

let count = 0;
const stamped = (body: RecordBody): JournalRecord => ({ ...body, rid: `r${++count}`, t: count });

describe("p50 and p95", () => {
  it("are times that were really seen", () => {
    expect(spreadOf([])).toBeUndefined();
    expect(spreadOf([5])).toEqual({ runs: 1, p50: 5, p95: 5 });
    expect(spreadOf(Array.from({ length: 100 }, (_, at) => 100 - at))).toEqual({ runs: 100, p50: 50, p95: 95 });
  });

  it("come from the newest records of each event", () => {
    const verdict = { kind: "verdict", session: "s", decision: "pass" } as const;
    const old = Array.from({ length: 10 }, () => stamped({ ...verdict, event: "Stop", ms: 9999 }));
    const fresh = Array.from({ length: 500 }, () => stamped({ ...verdict, event: "Stop", ms: 1 }));
    const times = timesIn([...old, ...fresh, stamped({ ...verdict, event: "PreToolUse" })]);
    expect(spreadOf(times.get("Stop") ?? [])).toEqual({ runs: 500, p50: 1, p95: 1 });
    expect(times.has("PreToolUse")).toBe(false);
  });
});

describe("PB-81 what was accepted", () => {
  const sums = fc.dictionary(fc.stringMatching(/^[\w./ -]{1,60}\w$/), fc.stringMatching(/^[0-9a-f]{64}$/), {
    maxKeys: 80,
  });

  it("comes back whole, however long the list is, and every record is small", () => {
    fc.assert(
      fc.property(sums, (list) => {
        const records = acceptanceRecords(list, "b1");
        for (const { detail } of records) expect(detail?.length).toBeLessThan(1600);
        const accepted = acceptedIn(records.map(stamped));
        expect(accepted).toMatchObject({ whole: true });
        expect(differenceOf(accepted?.sums ?? {}, list)).toEqual({ changed: [], added: [], removed: [] });
      }),
    );
  });

  it("is the newest list, and one that lost a part says so", () => {
    const list = (name: string, size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`${name}${at}`, "a".repeat(64)]));
    const [first, second] = [acceptanceRecords(list("old", 2), "b1"), acceptanceRecords(list("new", 40), "b2")];
    expect(Object.keys(acceptedIn([...first, ...second].map(stamped))?.sums ?? {})).toHaveLength(40);
    expect(acceptedIn([...first, ...second.slice(1)].map(stamped))).toMatchObject({ whole: false });
    expect(acceptedIn([])).toBeUndefined();
  });
});

describe("where the hooks pointed before", () => {
  const at = (bundle: string) => ({ node: "/node", bundle });
  const moved = (from: string, to: string, action: typeof UPGRADE | typeof ROLLBACK = UPGRADE) =>
    stamped(upgradeRecord(action, { file: "/f", from: at(from), to: at(to) }));

  it("is what stood there before this one, and two ways back lead two steps back", () => {
    const trail = [moved("/1", "/2"), moved("/2", "/3")];
    expect(previousProgram(trail, "/f", at("/3"))).toEqual(at("/2"));
    const back = [...trail, moved("/3", "/2", ROLLBACK)];
    expect(previousProgram(back, "/f", at("/2"))).toEqual(at("/1"));
    expect(previousProgram(back, "/f", at("/1"))).toBeUndefined();
    expect(previousProgram(back, "/other", at("/3"))).toBeUndefined();
  });

  it("is no other Node for the same program", () => {
    expect(previousProgram([moved("/1", "/2"), moved("/2", "/2")], "/f", at("/2"))).toEqual(at("/1"));
  });

  it("the state remembers the newest, also on the way back", () => {
    const folded = [moved("/1", "/2"), moved("/2", "/1", ROLLBACK)].reduce(fold, newState);
    expect(folded.program).toEqual(at("/1"));
    expect(fold(folded, stamped({ kind: "action", action: "x" })).program).toEqual(at("/1"));
  });
});
