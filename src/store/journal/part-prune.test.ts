import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { asState, fault, kept, letter, TRIAL_PARTS as parts, type TrialParts } from "../contract.ts";
import { isFault, type Store } from "../store.ts";
import { openJournal } from "./archive.ts";
import { checked } from "./line.ts";
import { segmentPath } from "./segment.ts";
import {
  fillParts as fill,
  inboxesIn as inboxes,
  lettersIn,
  newTrial,
  openParts as open,
  SNAPPING,
  snapshotsIn,
} from "./trial.ts";

const trial = newTrial();
const FOREVER = { maxAgeMs: 0, maxBytes: 0 };

describe("pruning with parts", () => {
  it("loses nothing of a part, whether it was requested before or not", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    const before = store.read(["inbox", "tally"]);
    expect(store.prune(1e9, FOREVER)).toBeGreaterThan(5);
    for (const reader of [store, open(directory)]) expect(reader.read(["inbox", "tally"])).toEqual(before);
    expect(snapshotsIn(directory, "part.tally")).toHaveLength(2);
    expect(store.verify()).toMatchObject({ integrity: "intact" });
  });

  it("removes nothing while the snapshots of a part cannot be written", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200, { ...SNAPPING, partTailBytes: 1e9 });
    // A directory in the way of each snapshot.
    const spoil = open(directory, { ...SNAPPING, partTailBytes: 1e9 });
    spoil.prune(0, { maxAgeMs: 1e12, maxBytes: 1e12 });
    for (const path of inboxes(directory)) {
      fs.rmSync(path);
      fs.mkdirSync(`${path}/in-the-way`, { recursive: true });
    }
    const dropped = store.prune(1e9, FOREVER);
    expect(isFault(dropped) || dropped === 0).toBe(true);
    expect(fs.existsSync(segmentPath(directory, 1))).toBe(true);
    expect(lettersIn(open(directory))).toBe(100);
  });

  it("keeps the segments that an unknown part of another version needs", () => {
    const directory = trial.newDirectory();
    const { inbox, ...others } = parts;
    fill(directory, 100);
    const older = openJournal({ directory, limits: SNAPPING, parts: others });
    for (let n = 0; n < 100; n++) kept(older.append(letter("b", `m${n}`), n));
    expect(older.prune(1e9, FOREVER)).toBeGreaterThan(0);
    expect(fs.existsSync(segmentPath(directory, Number(inboxes(directory)[0]?.split(".").at(-3))))).toBe(true);
    expect(lettersIn(open(directory))).toBe(150);
    expect(older.verify()).toMatchObject({ integrity: "intact" });
    void inbox;
  });

  it("by a version without parts is reported by verify if it lost records of a part", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 60);
    for (let n = 0; n < 200; n++)
      kept(openJournal({ directory, limits: SNAPPING, parts: {} }).append(fault(`m${n}`), n));
    const hidden = trial.newDirectory();
    fs.mkdirSync(hidden);
    for (const path of inboxes(directory)) fs.renameSync(path, path.replace(directory, hidden));
    expect(openJournal({ directory, parts: {} }).prune(1e9, FOREVER)).toBeGreaterThan(0);
    expect(store.verify()).toMatchObject({ integrity: "intact" });
    for (const path of inboxes(hidden)) fs.renameSync(path, path.replace(hidden, directory));
    expect(store.verify()).toMatchObject({ integrity: "incomplete" });
    expect(JSON.stringify(store.verify())).toContain("No snapshot of the part inbox holds what was pruned");
  });

  it("loses nothing of a part whose snapshots are all in the newest segment", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    store.prune(1e9, FOREVER);
    const [, segment] = /(\d{8})\.\d+\.dev$/.exec(inboxes(directory)[1] as string) ?? [];
    for (let n = 0; n < 16; n++) kept(store.append(letter("a", "more"), 1, { needs: ["inbox"] }));
    expect(inboxes(directory).filter((path) => path.includes(`${segment}.0.`))).toEqual([]);
    store.prune(1e9, { maxAgeMs: 1e12, maxBytes: 1e12 });
    expect(lettersIn(open(directory))).toBe(116);
    expect(lettersIn(store)).toBe(116);
  });

  /** While the reader folds its nth record, others add records, take snapshots and prune. */
  function disturbed(directory: string, nth: number): Store<TrialParts> {
    let calls = 0;
    const tally: typeof parts.tally = {
      ...parts.tally,
      fold: (value, record) => {
        calls++;
        if (calls === nth) fill(directory, 200).prune(1e9, FOREVER);
        return parts.tally.fold(value, record);
      },
    };
    return openJournal({ directory, limits: SNAPPING, parts: { ...parts, tally } });
  }

  it.each([1, 2, 3])("while a reader is at record %i of a part loses nothing", (nth) => {
    const directory = trial.newDirectory();
    fill(directory, 6);
    const needs = ["tally", "inbox"] as const;
    const { inbox, tally, faults } = asState(disturbed(directory, nth).read(needs));
    expect([inbox.letters, tally.seen, faults]).toEqual([103, 103, 103]);
    expect(open(directory).read(needs)).toMatchObject({ inbox, tally, faults });
  });

  it.each([1, 2, 3])("while a writer is at record %i of a part loses nothing", (nth) => {
    const directory = trial.newDirectory();
    fill(directory, 6);
    const needs = ["tally", "inbox"] as const;
    const { before, after } = kept(disturbed(directory, nth).append(letter("a", "x"), 9, { needs }));
    expect([before.inbox.letters, before.tally.seen, before.faults]).toEqual([103, 103, 103]);
    expect([after.inbox.letters, after.tally.seen, after.faults]).toEqual([104, 104, 103]);
  });

  it("while another process prunes the same segments is no fault", () => {
    const directory = trial.newDirectory();
    fill(directory, 60);
    const dropped = disturbed(directory, 1).prune(1e9, FOREVER);
    expect(isFault(dropped) ? dropped.fault : "").toBe("");
    expect(lettersIn(open(directory))).toBe(130);
  });

  it("between a record and its fold is a fault, and the record is kept", () => {
    const directory = trial.newDirectory();
    fill(directory, 6);
    const needs = ["tally", "inbox"] as const;
    const store = disturbed(directory, 4);
    store.read(needs);
    // The fourth record that it folds is its own, and by then its segment is gone.
    expect(store.append(letter("a", "x"), 9, { needs })).toMatchObject({ code: "io" });
    expect(lettersIn(open(directory))).toBe(104);
  });

  it("does not break a reader whose state is further than its part", () => {
    const directory = trial.newDirectory();
    const reader = fill(directory, 3);
    const writer = fill(directory, 200);
    reader.read();
    writer.prune(1e9, FOREVER);
    expect(lettersIn(reader)).toBe(102);
  });

  it("does not break a reader whose part had not reached the pruned segments yet", () => {
    const directory = trial.newDirectory();
    const reader = fill(directory, 3);
    expect(lettersIn(reader)).toBe(2);
    fill(directory, 200).prune(1e9, FOREVER);
    expect(lettersIn(reader)).toBe(102);
    const { before, after } = kept(reader.append(letter("a", "late"), 1, { needs: ["inbox"] }));
    expect([before.inbox.letters, after.inbox.letters]).toEqual([102, 103]);
  });
});

describe("verifying with parts", () => {
  it("reports a snapshot of a part that differs from the journal", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 60);
    const [path] = inboxes(directory) as [string];
    const text = fs.readFileSync(path, "utf8");
    fs.writeFileSync(path, checked(text.slice(9, -1).replace('"letters":', '"letters":9')));
    expect(store.verify()).toMatchObject({ integrity: "rewritten" });
    // A version that doesn't know the part can only check its position.
    expect(openJournal({ directory, parts: {} }).verify()).toMatchObject({ integrity: "intact" });
    fs.renameSync(
      path,
      path.replace(/\.(\d+)\.dev$/, (_, offset) => `.${Number(offset) - 1}.dev`),
    );
    expect(openJournal({ directory, parts: {} }).verify()).toMatchObject({ integrity: "rewritten" });
  });
});
