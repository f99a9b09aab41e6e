/** Views over journal records: latencies, accepted contracts and earlier hook programs. */
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
  it("are times that were really measured", () => {
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

describe("PB-81 the accepted list", () => {
  const sums = fc.dictionary(fc.stringMatching(/^[\w./ -]{1,60}\w$/), fc.stringMatching(/^[0-9a-f]{64}$/), {
    maxKeys: 80,
  });

  it("is restored completely at any length, and every record is small", () => {
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

  it("is the newest one, and reports a missing part", () => {
    const list = (name: string, size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`${name}${at}`, "a".repeat(64)]));
    const [first, second] = [acceptanceRecords(list("old", 2), "b1"), acceptanceRecords(list("new", 40), "b2")];
    expect(Object.keys(acceptedIn([...first, ...second].map(stamped))?.sums ?? {})).toHaveLength(40);
    expect(acceptedIn([...first, ...second.slice(1)].map(stamped))).toMatchObject({ whole: false });
    expect(acceptedIn([])).toBeUndefined();
  });
});

describe("the previous hook program", () => {
  const at = (bundle: string) => ({ node: "/node", bundle });
  const moved = (from: string, to: string, action: typeof UPGRADE | typeof ROLLBACK = UPGRADE) =>
    stamped(upgradeRecord(action, { file: "/f", from: at(from), to: at(to) }));

  it("is the one before the current one, and two rollbacks go two steps back", () => {
    const trail = [moved("/1", "/2"), moved("/2", "/3")];
    expect(previousProgram(trail, "/f", at("/3"))).toEqual(at("/2"));
    const back = [...trail, moved("/3", "/2", ROLLBACK)];
    expect(previousProgram(back, "/f", at("/2"))).toEqual(at("/1"));
    expect(previousProgram(back, "/f", at("/1"))).toBeUndefined();
    expect(previousProgram(back, "/other", at("/3"))).toBeUndefined();
  });

  it("ignores a change of Node for the same program", () => {
    expect(previousProgram([moved("/1", "/2"), moved("/2", "/2")], "/f", at("/2"))).toEqual(at("/1"));
  });

  it("the state remembers the newest program, even after a rollback", () => {
    const folded = [moved("/1", "/2"), moved("/2", "/1", ROLLBACK)].reduce(fold, newState);
    expect(folded.program).toEqual(at("/1"));
    expect(fold(folded, stamped({ kind: "action", action: "x" })).program).toEqual(at("/1"));
  });
});
