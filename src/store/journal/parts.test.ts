import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { Part, PartTable } from "../../state/part.ts";
import { asState, fault, folded, kept, letter, TRIAL_PARTS as parts, type TrialParts, verdict } from "../contract.ts";
import { openJournal } from "./archive.ts";
import { snapshotName } from "./directory.ts";
import { checked, encodeLine } from "./line.ts";
import { segmentPath } from "./segment.ts";
import {
  fillParts as fill,
  flipByte,
  inboxesIn as inboxes,
  lettersIn,
  newTrial,
  openParts as open,
  SNAPPING,
  snapshotsIn,
} from "./trial.ts";

const trial = newTrial();
const ONE_SEGMENT = { ...SNAPPING, segmentBytes: 1e9 };
const FOREVER = { maxAgeMs: 0, maxBytes: 0 };

/** The inbox, with a count of the calls to its reducer. */
function watched(): { readonly parts: TrialParts; readonly calls: () => number } {
  let calls = 0;
  const inbox: Part<(typeof parts.inbox)["empty"]> = {
    ...parts.inbox,
    fold: (value, record) => {
      calls++;
      return parts.inbox.fold(value, record);
    },
  };
  return { parts: { ...parts, inbox }, calls: () => calls };
}

const names = (directory: string): string[] => fs.readdirSync(directory).sort();

describe("a part that is not requested", () => {
  it("gets no snapshots, and existing ones are neither read nor replaced", () => {
    const directory = trial.newDirectory();
    const store = open(directory);
    for (let n = 0; n < 60; n++) kept(store.append(letter("a", `m${n}`), n));
    expect(names(directory).filter((name) => name.startsWith("part."))).toEqual([]);
    const odd = `${directory}/${snapshotName("inbox", 1, 100, "dev")}`;
    fs.mkdirSync(odd);
    expect(asState(open(directory).read())).toEqual(asState(store.read()));
    kept(store.append(fault("x"), 99));
    expect(fs.existsSync(odd)).toBe(true);
  });

  it("leaves the state as in a store without parts", () => {
    const directory = trial.newDirectory();
    fill(directory, 60);
    expect(asState(openJournal({ directory }).read())).toEqual(asState(open(directory).read()));
    expect(openJournal({ directory, parts: {} }).verify()).toMatchObject({ integrity: "intact", records: 60 });
  });

  it("still moves the time with its records, as unknown kinds do", () => {
    const store = open(trial.newDirectory());
    kept(store.append(letter("a", "later"), 5000));
    expect(kept(store.append(fault("earlier"), 10)).after.t).toBe(5000);
  });
});

describe("a skipped line", () => {
  /** Starts and ends like our lines, but is no JSON. */
  const UNREADABLE = '{"kind":"letter","from":}{,"rid":"odd","t":7}';

  it("is not parsed, but counts as a record", () => {
    const directory = trial.newDirectory();
    fill(directory, 3, ONE_SEGMENT).close();
    fs.appendFileSync(segmentPath(directory, 1), checked(UNREADABLE, "\n"));
    const store = open(directory, { ...ONE_SEGMENT, snapshotAlwaysAfter: 1e9, snapshotAfter: 1e9 });
    // Its time counts.
    expect(asState(store.read()).t).toBe(7);
    const { rid, after } = kept(store.append(letter("a", "x".repeat(40)), 9));
    expect(after.t).toBe(9);
    expect([...store.records()].at(-1)).toMatchObject({ rid });
    // A reader that parses it finds it damaged.
    expect(store.verify()).toMatchObject({ integrity: "damaged" });
    expect(lettersIn(store)).toBe(3);
  });

  it("is checked for damage, so that all readers count the same damaged lines", () => {
    const directory = trial.newDirectory();
    fill(directory, 7, { ...ONE_SEGMENT, partTailBytes: 1e9 }).close();
    for (const path of [...snapshotsIn(directory), ...inboxes(directory)]) fs.rmSync(path);
    const damaged = fs.readFileSync(segmentPath(directory, 1)).indexOf('"m4"') + 1;
    flipByte(directory, 1, damaged);
    // The snapshot contains the number of damaged lines, and verify compares it with a full reading.
    const store = open(directory, { ...ONE_SEGMENT, snapshotAfter: 0 });
    kept(store.append(fault("x"), 9));
    expect(snapshotsIn(directory)).toHaveLength(1);
    const offset = fs.readFileSync(segmentPath(directory, 1)).lastIndexOf("\n", damaged) + 1;
    expect(store.verify()).toMatchObject({
      integrity: "damaged",
      segments: [{ detail: `1 line(s) passed over, at offset ${offset}.` }],
    });
    expect(lettersIn(store)).toBe(3);
  });

  it.each([
    ["its kind is not first", '{"from":"a","kind":"letter","rid":"odd","t":7}'],
    ["its id and time are not last", '{"kind":"letter","rid":"odd","t":7,"from":"a"}'],
    ["its time is a fraction", '{"kind":"letter","from":"a","rid":"odd","t":7.5}'],
    [
      "a nested object has an id and a time",
      '{"kind":"letter","from":"a","rid":"odd","t":7,"in":{"a":1,"rid":"fake","t":9999}}',
    ],
  ])("is parsed if %s", (_, json) => {
    const directory = trial.newDirectory();
    fill(directory, 1, ONE_SEGMENT).close();
    fs.appendFileSync(segmentPath(directory, 1), checked(json, "\n"));
    const store = open(directory, ONE_SEGMENT);
    expect(asState(store.read()).t).toBeOneOf([7, 7.5]);
    expect(lettersIn(store)).toBe(2);
    expect(store.verify()).toMatchObject({ integrity: "intact", records: 2 });
  });
});

describe("snapshots of a part", () => {
  it("are two at most, in separate files from the state", () => {
    const directory = trial.newDirectory();
    fill(directory, 60);
    expect(inboxes(directory)).toHaveLength(2);
    expect(snapshotsIn(directory)).toHaveLength(2);
    expect(fs.readFileSync(inboxes(directory)[1] as string, "utf8")).not.toContain("sessions");
    expect(fs.readFileSync(snapshotsIn(directory)[1] as string, "utf8")).not.toContain("letters");
  });

  it("save a reader from folding the records before them", () => {
    const directory = trial.newDirectory();
    fill(directory, 400);
    const counted = watched();
    expect(lettersIn(openJournal({ directory, parts: counted.parts }))).toBe(200);
    expect(counted.calls()).toBeLessThan(10);
  });

  it.each([
    ["truncated", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["changed", (bytes: Buffer) => Buffer.from(bytes.toString().replace('"letters":', '"letters":9'))],
    [
      "of another journal",
      (bytes: Buffer) =>
        checked(
          bytes
            .toString()
            .slice(9, -1)
            .replace(/"last":"\w+"/, '"last":"other"'),
        ),
    ],
  ])("that are %s are skipped", (_, corrupt) => {
    const directory = trial.newDirectory();
    fill(directory, 60, ONE_SEGMENT);
    for (const path of inboxes(directory).reverse()) {
      fs.writeFileSync(path, corrupt(fs.readFileSync(path)));
      expect(lettersIn(open(directory))).toBe(30);
    }
  });

  it("of other reducers are ignored while the beginning is there", () => {
    const directory = trial.newDirectory();
    fill(directory, 60);
    for (const path of inboxes(directory)) fs.renameSync(path, path.replace(".dev", ".other"));
    const counted = watched();
    expect(lettersIn(openJournal({ directory, parts: counted.parts }))).toBe(30);
    expect(counted.calls()).toBe(30);
  });

  it("of other reducers are used when the beginning is pruned, with newer fields empty", () => {
    const directory = trial.newDirectory();
    expect(fill(directory, 200).prune(1e9, FOREVER)).toBeGreaterThan(0);
    for (const path of inboxes(directory)) fs.renameSync(path, path.replace(".dev", ".other"));
    const newer = {
      ...parts,
      inbox: { ...parts.inbox, empty: { ...parts.inbox.empty, unread: 7 } },
    } satisfies PartTable;
    expect(asState(openJournal({ directory, parts: newer }).read(["inbox"])).inbox).toMatchObject({
      letters: 100,
      unread: 7,
    });
  });

  it("can be taken at the start of a segment", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 30);
    kept(openJournal({ directory, limits: { segmentBytes: 1 } }).append(fault("closes the segment"), 31));
    store.prune(1e9, { maxAgeMs: 1e12, maxBytes: 1e12 });
    expect(inboxes(directory)[0]).toMatch(/\.\d{8}\.0\.dev$/);
    expect(store.verify()).toMatchObject({ integrity: "intact" });
    expect(lettersIn(open(directory))).toBe(15);
  });
});

describe("a part", () => {
  it("is right before and after a record whose segment was closed meanwhile", () => {
    const directory = trial.newDirectory();
    const slow = fill(directory, 1, ONE_SEGMENT);
    kept(open(directory, { segmentBytes: 1 }).append(letter("b", "quick"), 1));
    const { before, after } = kept(slow.append(letter("a", "slow"), 2, { needs: ["inbox"] }));
    expect(before.inbox).toEqual({ letters: 2, from: { a: 1, b: 1 } });
    expect(after.inbox).toEqual({ letters: 3, from: { a: 2, b: 1 } });
  });

  it("ignores everything after a close", () => {
    const directory = trial.newDirectory();
    fill(directory, 3, { ...ONE_SEGMENT, segmentBytes: 1 });
    fs.appendFileSync(segmentPath(directory, 1), encodeLine({ ...letter("a", "void"), rid: "void", t: 1 } as never));
    expect(lettersIn(open(directory))).toBe(2);
  });

  it("folds the remaining records when a segment was removed", () => {
    const directory = trial.newDirectory();
    fill(directory, 60, { ...SNAPPING, snapshotAfter: 1e9, snapshotAlwaysAfter: 1e9, partTailBytes: 1e9 });
    fs.rmSync(segmentPath(directory, 2));
    const store = open(directory);
    const left = [...store.records()].length;
    expect(left).toBeLessThan(60);
    expect(lettersIn(store)).toBeLessThan(30);
    expect(store.read(["inbox", "tally"])).toEqual(folded([...store.records()], ["inbox", "tally"]));
  });

  it("starts again when the directory was removed", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 10);
    fs.rmSync(directory, { recursive: true });
    const { before, after } = kept(store.append(letter("a", "first"), 1, { needs: ["inbox"] }));
    expect([before.inbox.letters, after.inbox.letters]).toEqual([0, 1]);
  });

  it("starts again when another journal took the place of its own", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 10);
    fs.rmSync(directory, { recursive: true });
    for (let n = 0; n < 40; n++) kept(open(directory).append(letter("b", "another journal"), n));
    expect(asState(store.read(["inbox"])).inbox).toEqual({ letters: 40, from: { b: 40 } });
  });

  it("can fold kinds that the state also folds", () => {
    const store = open(trial.newDirectory());
    kept(store.append(verdict(), 1));
    kept(store.append(letter("a", "x"), 2));
    expect(asState(store.read(["tally"])).tally).toEqual({ seen: 2 });
  });
});
