/** What every store promises, as one suite: a store that passes it can take the place of any other. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalRecord, RecordBody } from "../state/record.ts";
import { fold, newState } from "../state/state.ts";
import { isFault, type Kept, type Store, type StoreFault } from "./store.ts";

export function describeStore(name: string, make: () => Store): void {
  describe(`${name} keeps`, () => describeKeeping(make));
  describe(`${name} never refuses nor loses`, () => describeLimits(make));
}

function describeKeeping(make: () => Store): void {
  it("is empty at first", () => {
    const store = make();
    expect(store.read()).toEqual(newState);
    expect([...store.records()]).toEqual([]);
    expect(store.verify()).toMatchObject({ integrity: "intact", records: 0, unsealed: 0 });
  });

  it("gives the states on either side of a record that is kept", () => {
    const store = make();
    const first = kept(store.append(fault("one"), 10));
    const second = kept(store.append(fault("two"), 20, { durable: true }));
    expect(first.before).toEqual(newState);
    expect(second.before).toEqual(first.after);
    expect(second.after).toEqual(store.read());
    expect(second.after.faults).toBe(2);
  });

  it("gives back the records in the order they were kept, stamped", () => {
    const store = make();
    const rids = ["a", "b", "c"].map((message, index) => kept(store.append(fault(message), index)).rid);
    const records = [...store.records()];
    expect(records.map(({ rid }) => rid)).toEqual(rids);
    expect(records.map(({ t }) => t)).toEqual([0, 1, 2]);
    expect(new Set(rids).size).toBe(3);
    for (const rid of rids) expect(rid).toMatch(/^[a-z0-9]{1,20}$/);
  });
}

function describeLimits(make: () => Store): void {
  it("makes room rather than refuse a record that is too large", () => {
    const store = make();
    const rid = kept(store.append(verdict({ input: { command: "x".repeat(100_000) } }), 1)).rid;
    const [record] = [...store.records()];
    expect(record?.rid).toBe(rid);
    expect(JSON.stringify(record).length).toBeLessThan(2048);
  });

  it("refuses changes that do not fit rather than keep half of them", () => {
    const store = make();
    const changes = Array.from({ length: 100 }, (_, index) => open(`call-${index}`));
    expect(isFault(store.append(verdict({ changes }), 1))).toBe(true);
    expect([...store.records()]).toEqual([]);
    expect(store.read()).toEqual(newState);
  });

  it("keeps a record whose time is none", () => {
    const store = make();
    kept(store.append(fault("when"), Number.NaN));
    expect([...store.records()]).toHaveLength(1);
  });

  it("can be used after it let go of its files", () => {
    const store = make();
    kept(store.append(fault("one"), 1));
    store.close();
    kept(store.append(fault("two"), 2));
    expect([...store.records()]).toHaveLength(2);
  });

  it("holds the fold of its records, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 12 }), (all) => {
        const store = make();
        all.forEach((body, index) => {
          kept(store.append(body, index));
        });
        expect(store.read()).toEqual([...store.records()].reduce(fold, newState));
        expect([...store.records()]).toHaveLength(all.length);
        store.close();
      }),
      { numRuns: 60 },
    );
  });
}

export function kept(result: Kept | StoreFault): Kept {
  if (isFault(result)) throw new Error(result.fault);
  return result;
}

export function fault(message: string): RecordBody {
  return { kind: "fault", event: "PreToolUse", session: "s", where: "test", message };
}

export function verdict(more: Partial<Extract<JournalRecord, { kind: "verdict" }>> = {}): RecordBody {
  return { kind: "verdict", event: "PreToolUse", session: "s", decision: "pass", ...more };
}

const names = fc.constantFrom("a", "b", "constructor", "関所");
const open = (id: string) => ({ record: "call", do: "open", id, tool: "Bash" }) as const;

const bodies: fc.Arbitrary<RecordBody> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map(fault),
  fc
    .record({ session: names, id: names, input: fc.jsonValue(), decision: fc.constantFrom("pass", "deny") })
    .map(({ session, id, input, decision }) =>
      verdict({ session, input, decision: decision as "pass" | "deny", changes: [open(id)] }),
    ),
  names.map((session) => verdict({ session, changes: [{ record: "session", do: "refuse-stop", policy: session }] })),
);
