/** Properties of parts over generated records: skipping lines, omitting parts and starting at snapshots change no result. */
import * as fs from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldPart } from "../../state/part.ts";
import type { JournalRecord } from "../../state/record.ts";
import { FOLDED_KINDS, fold, newState } from "../../state/state.ts";
import { asState, bodies, folded, kept, letter, letters, TRIAL_PARTS } from "../contract.ts";
import { openJournal } from "./archive.ts";
import { decodeLine, decodeWanted, encodeLine } from "./line.ts";
import { stamped } from "./rid.ts";
import { newTrial, outputOf, snapshotsIn } from "./trial.ts";

const trial = newTrial();
const parts = TRIAL_PARTS;
const NEEDS = ["inbox", "tally"] as const;
const BUSY = { segmentBytes: 700, snapshotAfter: 2, snapshotChance: 1, snapshotAlwaysAfter: 3, partTailBytes: 400 };
const NOTHING_PAST = { maxAgeMs: 1e15, maxBytes: 1e15 };

const records = fc.array(fc.tuple(fc.oneof(bodies, letters), fc.nat(1e6)), { minLength: 1, maxLength: 20 });
const contexts = fc
  .string({ unit: "binary", maxLength: 60 })
  .map(
    (text) => ({ kind: "context", session: "s", entries: 1, archived: 0, headings: [text], stamped: true }) as const,
  );
const strange = fc
  .record({ text: fc.string({ unit: "binary", maxLength: 60 }), deep: fc.jsonValue() })
  .map((fields) => ({ kind: "prophecy", ...fields }) as never);
const anyRecord = fc
  .tuple(fc.oneof(bodies, letters, contexts, strange), fc.nat(1e13))
  .map(([body, t]): JournalRecord => stamped(body, t));

const bytesOf = (record: JournalRecord): Buffer => encodeLine(record).subarray(1, -1);

describe("a line of a kind that is not wanted", () => {
  const wanted = new Set<string>(FOLDED_KINDS);

  it("gives the same kind, id, time and state as a parsed line", () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 12 }), (all) => {
        const seen = all.map((record) => decodeWanted(bytesOf(record), wanted) as JournalRecord);
        const whole = all.map((record) => decodeLine(bytesOf(record)) as JournalRecord);
        for (const [index, record] of whole.entries()) {
          const { kind, rid, t } = record;
          expect(seen[index]).toEqual(wanted.has(kind) ? record : { kind, rid, t });
        }
        expect(seen.reduce(fold, newState)).toEqual(whole.reduce(fold, newState));
      }),
    );
  });

  it("is damaged for every reader if it is longer than a record may be", () => {
    const long = bytesOf(stamped(letter("a", "x".repeat(3000)), 1));
    expect([decodeWanted(long, wanted), decodeLine(long)]).toEqual([undefined, undefined]);
  });

  it("is damaged for every reader, whichever byte changed", () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), fc.integer({ min: 1, max: 255 }), (record, at, flip) => {
        const bytes = Buffer.from(bytesOf(record));
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ flip;
        expect(decodeWanted(bytes, wanted)).toBeUndefined();
        expect(decodeLine(bytes)).toBeUndefined();
      }),
    );
  });
});

describe("a part", () => {
  it("folded in two steps equals the part folded at once", () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 20 }), fc.nat(20), (all, cut) => {
        for (const part of Object.values(parts)) {
          expect(foldPart(part, all.slice(cut), foldPart(part, all.slice(0, cut)))).toEqual(foldPart(part, all));
        }
      }),
    );
  });

  it("does not change the state, whether it is requested or not", () => {
    fc.assert(
      fc.property(records, (all) => {
        const directory = trial.newDirectory();
        const [with_, without] = [openJournal({ directory, limits: BUSY, parts }), openJournal({ directory })];
        for (const [body, t] of all) {
          const { inbox: _, tally: __, ...state } = kept(with_.append(body, t, { needs: NEEDS })).after;
          expect(asState(without.read())).toEqual(state);
          expect(asState(openJournal({ directory }).read())).toEqual(state);
        }
        with_.close();
        without.close();
      }),
      { numRuns: 30 },
    );
  });

  it("is the same from a snapshot at any position as from the beginning", () => {
    fc.assert(
      fc.property(records, fc.nat(19), fc.constantFrom(700, 1e9), (all, cut, segmentBytes) => {
        const directory = trial.newDirectory();
        const limits = { segmentBytes, snapshotAfter: 1e9, snapshotAlwaysAfter: 1e9, partTailBytes: 1e9 };
        const store = openJournal({ directory, limits, parts });
        all.forEach(([body, t], index) => {
          kept(store.append(body, t));
          // Takes snapshots of every part and removes nothing.
          if (index === cut) expect(store.prune(0, NOTHING_PAST)).toBe(0);
        });
        const fresh = openJournal({ directory, parts });
        expect(snapshotsIn(directory, "part.inbox").length > 0).toBe(cut < all.length);
        expect(fresh.read(NEEDS)).toEqual(folded([...store.records()], NEEDS));
        for (const path of snapshotsIn(directory, "part")) fs.rmSync(path);
        expect(openJournal({ directory, parts }).read(NEEDS)).toEqual(fresh.read(NEEDS));
        store.close();
        fresh.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe("parallel writers", () => {
  const PARTS = `{
    inbox: { kinds: ["letter"], empty: { letters: 0 }, fold: ({ letters }) => ({ letters: letters + 1 }) },
    audit: { kinds: ["fault"], empty: { faults: 0 }, fold: ({ faults }) => ({ faults: faults + 1 }) },
  }`;
  const WRITE = `for (let n = 0; n < 150; n++) {
      const isLetter = n % 3 > 0;
      const body = isLetter ? { kind: "letter", text: "x".repeat(n) } : { kind: "fault", event: "e", session: "s", where: "w", message: "m" };
      const kept = store.append(body, n, { needs: isLetter ? ["inbox"] : ["audit"] });
      if (kept.fault) throw new Error(kept.fault);
      const [before, after] = isLetter ? [kept.before.inbox.letters, kept.after.inbox.letters] : [kept.before.audit.faults, kept.after.faults];
      console.log(isLetter ? "letter" : "fault", before, after);
      if (n % 50 === 49 && PRUNES) store.prune(1e9, { maxAgeMs: 0, maxBytes: 20_000 });
    }`;

  it("each get the right part before and after their own record while segments are closed and pruned", async () => {
    const directory = trial.newDirectory();
    const start = (prunes: boolean) =>
      outputOf(
        trial.start(directory, WRITE.replace("PRUNES", String(prunes)), {
          limits: { ...BUSY, segmentBytes: 6000, partTailBytes: 2000 },
          parts: PARTS,
        }),
      );
    const outputs = await Promise.all([false, false, true].map(start));
    const lines = outputs.flatMap((output) =>
      output
        .trim()
        .split("\n")
        .map((line) => line.split(" ")),
    );
    for (const [kind, count] of [
      ["letter", 300],
      ["fault", 150],
    ] as const) {
      const told = lines.filter(([word]) => word === kind).map(([, before, after]) => [Number(before), Number(after)]);
      const sorted = told.sort(([a = 0], [b = 0]) => a - b);
      expect(sorted).toEqual(Array.from({ length: count }, (_, index) => [index, index + 1]));
    }
    expect(openJournal({ directory, parts: {} }).verify()).toMatchObject({ integrity: "intact" });
  });
});
