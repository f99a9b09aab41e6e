/** Contract tests for every store: a store that passes them can replace any other. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldPart, type Part, type PartRecord, type PartTable } from "../state/part.ts";
import type { JournalRecord, RecordBody } from "../state/record.ts";
import { fold, newState, type State } from "../state/state.ts";
import { isFault, type Kept, type Store, type StoreFault } from "./store.ts";

export type MakeStore = (parts: TrialParts) => Store<TrialParts>;

export function describeStore(name: string, make: MakeStore): void {
  describe(`${name} stores records`, () => describeKeeping(() => make(TRIAL_PARTS)));
  describe(`${name} neither refuses nor loses records`, () => describeLimits(() => make(TRIAL_PARTS)));
  describe(`${name} returns the requested parts`, () => describeParts(make));
}

function describeKeeping(make: () => Store<TrialParts>): void {
  it("is empty at first", () => {
    const store = make();
    expect(store.read()).toEqual(newState);
    expect([...store.records()]).toEqual([]);
    expect(store.verify()).toMatchObject({ integrity: "intact", records: 0, unsealed: 0 });
  });

  it("returns the states before and after a record", () => {
    const store = make();
    const first = kept(store.append(fault("one"), 10));
    const second = kept(store.append(fault("two"), 20, { durable: true }));
    expect(first.before).toEqual(newState);
    expect(second.before).toEqual(first.after);
    expect(second.after).toEqual(store.read());
    expect(second.after.faults).toBe(2);
  });

  it("returns the records in order, with stamps", () => {
    const store = make();
    const rids = ["a", "b", "c"].map((message, index) => kept(store.append(fault(message), index)).rid);
    const records = [...store.records()];
    expect(records.map(({ rid }) => rid)).toEqual(rids);
    expect(records.map(({ t }) => t)).toEqual([0, 1, 2]);
    expect(new Set(rids).size).toBe(3);
    for (const rid of rids) expect(rid).toMatch(/^[a-z0-9]{1,20}$/);
  });
}

function describeLimits(make: () => Store<TrialParts>): void {
  it("cuts a record that is too large instead of refusing it", () => {
    const store = make();
    const rid = kept(store.append(verdict({ input: { command: "x".repeat(100_000) } }), 1)).rid;
    const [record] = [...store.records()];
    expect(record?.rid).toBe(rid);
    expect(JSON.stringify(record).length).toBeLessThan(2048);
  });

  it("refuses changes that do not fit instead of storing half of them", () => {
    const store = make();
    const changes = Array.from({ length: 100 }, (_, index) => open(`call-${index}`));
    expect(isFault(store.append(verdict({ changes }), 1))).toBe(true);
    expect([...store.records()]).toEqual([]);
    expect(store.read()).toEqual(newState);
  });

  it("refuses a record of a part that is too large instead of cutting it", () => {
    const store = make();
    expect(isFault(store.append(letter("a", "x".repeat(5000)), 1))).toBe(true);
    expect([...store.records()]).toEqual([]);
  });

  it("stores a record with an invalid time", () => {
    const store = make();
    kept(store.append(fault("when"), Number.NaN));
    expect([...store.records()]).toHaveLength(1);
  });

  it("can be used after its files were closed", () => {
    const store = make();
    kept(store.append(fault("one"), 1));
    store.close();
    kept(store.append(fault("two"), 2));
    expect([...store.records()]).toHaveLength(2);
  });

  it("reads the fold of its records, whatever they are", () => {
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

function describeParts(make: MakeStore): void {
  it("and no others, also for the compiler", () => {
    const store = make(TRIAL_PARTS);
    kept(store.append(letter("a", "hello"), 1));
    const [none, some] = [asState(store.read()), asState(store.read(["inbox"]))];
    expect(none).not.toHaveProperty("inbox");
    expect(Object.keys(none)).toEqual(Object.keys(newState));
    expect(some.inbox).toEqual({ letters: 1, from: { a: 1 } });
    expect(some).not.toHaveProperty("tally");
    // @ts-expect-error: the part wasn't requested.
    void none.inbox;
    // @ts-expect-error: the part wasn't requested.
    void some.tally;
    // @ts-expect-error: there is no such part.
    void (() => store.read(["outbox"]));
  });

  it("before and after an appended record of any kind", () => {
    const store = make(TRIAL_PARTS);
    const needs = ["inbox", "tally"] as const;
    const first = kept(store.append(letter("a", "one"), 1, { needs }));
    expect([first.before.inbox.letters, first.after.inbox.letters]).toEqual([0, 1]);
    const second = kept(store.append(verdict(), 2, { needs }));
    expect(second.before).toEqual(first.after);
    expect(second.after.inbox).toEqual(first.after.inbox);
    expect(second.after.tally).toEqual({ seen: 2 });
    expect(store.read(needs)).toEqual(second.after);
    const { after } = kept(store.append(verdict(), 3, { durable: true }));
    expect(after).not.toHaveProperty("inbox");
    // @ts-expect-error: the part wasn't requested.
    void after.inbox;
  });

  it("without calling the reducers of other parts", () => {
    const broken: Part<Inbox> = {
      ...inbox,
      fold: () => {
        throw new Error("this part was not requested");
      },
    };
    const store = make({ ...TRIAL_PARTS, inbox: broken });
    const { after } = kept(store.append(letter("a", "one"), 1, { needs: ["tally"] }));
    expect(after.tally).toEqual({ seen: 1 });
    expect(asState(store.read(["tally"])).tally).toEqual({ seen: 1 });
    expect(() => store.read(["inbox"])).toThrow("not requested");
  });

  it("as the fold of all records, for any records and any requested parts", () => {
    const needs = fc.subarray(["inbox", "tally"] as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(bodies, letters), needs, needs), { maxLength: 14 }), (all) => {
        const store = make(TRIAL_PARTS);
        all.forEach(([body, asked, read], index) => {
          const before = [...store.records()];
          const { before: seenBefore, after } = kept(store.append(body, index, { needs: asked }));
          expect(seenBefore).toEqual(folded(before, asked));
          expect(after).toEqual(folded([...store.records()], asked));
          expect(store.read(read)).toEqual(folded([...store.records()], read));
        });
        store.close();
      }),
      { numRuns: 60 },
    );
  });
}

/** The expected result: the state and the parts as pure folds of all records. */
export function folded(records: readonly JournalRecord[], needs: readonly (keyof TrialParts)[] = []): object {
  const values = needs.map((name) => [name, foldPart(TRIAL_PARTS[name], records)]);
  return { ...records.reduce(fold, newState), ...Object.fromEntries(values) };
}

export interface Inbox {
  readonly letters: number;
  readonly from: Readonly<Record<string, number>>;
}

interface LetterRecord extends PartRecord {
  readonly kind: "letter";
  readonly from: string;
}

/** Two parts for the tests: one with a record kind of its own, and one that shares kinds with the state. */
const inbox: Part<Inbox> = {
  kinds: ["letter"],
  empty: { letters: 0, from: {} },
  fold: ({ letters: count, from: by }, { from }: LetterRecord) => ({
    letters: count + 1,
    from: { ...by, [from]: (Object.hasOwn(by, from) ? (by[from] ?? 0) : 0) + 1 },
  }),
};

const tally: Part<{ readonly seen: number }> = {
  kinds: ["letter", "verdict"],
  empty: { seen: 0 },
  fold: ({ seen }) => ({ seen: seen + 1 }),
};

export const TRIAL_PARTS = { inbox, tally } satisfies PartTable;
export type TrialParts = typeof TRIAL_PARTS;

export function kept<Seen extends State>(result: Kept<Seen> | StoreFault): Kept<Seen> {
  if (isFault(result)) throw new Error(result.fault);
  return result;
}

export function asState<Seen extends State>(result: Seen | StoreFault): Seen {
  if (isFault(result)) throw new Error(result.fault);
  return result;
}

/** A record of a kind that only parts fold. */
export function letter(from: string, text: string): RecordBody {
  return { kind: "letter", from, text } as unknown as RecordBody;
}

export function fault(message: string): RecordBody {
  return { kind: "fault", event: "PreToolUse", session: "s", where: "test", message };
}

export function verdict(more: Partial<Extract<JournalRecord, { kind: "verdict" }>> = {}): RecordBody {
  return { kind: "verdict", event: "PreToolUse", session: "s", decision: "pass", ...more };
}

const names = fc.constantFrom("a", "b", "constructor", "関所");
const open = (id: string) => ({ record: "call", do: "open", id, tool: "Bash" }) as const;

export const letters: fc.Arbitrary<RecordBody> = fc
  .tuple(names, fc.string({ unit: "binary", maxLength: 40 }))
  .map(([from, text]) => letter(from, text));

export const bodies: fc.Arbitrary<RecordBody> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map(fault),
  fc
    .record({ session: names, id: names, input: fc.jsonValue(), decision: fc.constantFrom("pass", "deny") })
    .map(({ session, id, input, decision }) =>
      verdict({ session, input, decision: decision as "pass" | "deny", changes: [open(id)] }),
    ),
  names.map((session) => verdict({ session, changes: [{ record: "session", do: "refuse-stop", policy: session }] })),
);
