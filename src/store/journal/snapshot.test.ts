import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { fault, kept } from "../contract.ts";
import type { Store } from "../store.ts";
import { openJournal } from "./archive.ts";
import { segmentPath } from "./segment.ts";
import { newTrial, snapshotsIn } from "./trial.ts";

const trial = newTrial();
const SNAPPING = { segmentBytes: 3000, snapshotAfter: 4, snapshotChance: 1, snapshotAlwaysAfter: 5 };

function fill(directory: string, count: number, limits: object = SNAPPING): Store {
  const store = openJournal({ directory, limits });
  for (let index = 0; index < count; index++) kept(store.append(fault(`m${index}`), index));
  return store;
}

/** Changes the result of a fold from the beginning, to show where a reader started. */
function hideBeginning(directory: string): void {
  const path = segmentPath(directory, 1);
  const bytes = fs.readFileSync(path);
  bytes[40] = 0;
  fs.writeFileSync(path, bytes);
}

describe("snapshots", () => {
  it("at most two are kept, and each is the fold of everything before it", () => {
    const directory = trial.newDirectory();
    fill(directory, 60);
    expect(snapshotsIn(directory)).toHaveLength(2);
    hideBeginning(directory);
    expect(openJournal({ directory }).read()).toMatchObject({ faults: 60 });
  });

  it("unfinished snapshots of a killed writer are removed only when they are old", () => {
    const directory = trial.newDirectory();
    fill(directory, 1);
    const [old, recent] = ["snap.new.old", "snap.new.recent"].map((name) => `${directory}/${name}`) as [string, string];
    fs.writeFileSync(old, "half");
    fs.utimesSync(old, 1, 1);
    fs.writeFileSync(recent, "half");
    fill(directory, 10);
    expect([fs.existsSync(old), fs.existsSync(recent)]).toEqual([false, true]);
  });

  it.each([
    ["truncated", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["filled with NULs", (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ["changed", (bytes: Buffer) => Buffer.from(bytes.toString().replace('"faults":', '"faults":9'))],
  ])("ST-8 a corrupt snapshot (%s) is skipped and the fold is rebuilt", (_, corrupt) => {
    const directory = trial.newDirectory();
    const state = fill(directory, 60).read();
    const [older, newer] = snapshotsIn(directory) as [string, string];
    fs.writeFileSync(newer, corrupt(fs.readFileSync(newer)));
    expect(openJournal({ directory }).read()).toEqual(state);
    fs.writeFileSync(older, corrupt(fs.readFileSync(older)));
    expect(openJournal({ directory }).read()).toEqual(state);
  });

  it("snapshots of other reducers are ignored while the beginning exists", () => {
    const directory = trial.newDirectory();
    const state = fill(directory, 60).read();
    for (const path of snapshotsIn(directory)) fs.renameSync(path, path.replace(".dev", ".other"));
    hideBeginning(directory);
    expect(openJournal({ directory }).read()).not.toEqual(state);
  });

  it("snapshots of other reducers are used when the beginning is pruned", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    expect(store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 })).toBeGreaterThan(0);
    for (const path of snapshotsIn(directory)) fs.renameSync(path, path.replace(".dev", ".other"));
    expect(openJournal({ directory }).read()).toMatchObject({ faults: 200 });
  });

  it("snapshots beyond the end of the journal are ignored", () => {
    const directory = trial.newDirectory();
    fill(directory, 20, { ...SNAPPING, segmentBytes: 1e9 });
    const path = segmentPath(directory, 1);
    fs.truncateSync(path, fs.readFileSync(path).indexOf('"m3"'));
    expect(openJournal({ directory }).read()).toMatchObject({ faults: 3 });
  });

  it("snapshots that are not plain files are ignored", () => {
    const directory = trial.newDirectory();
    const state = fill(directory, 60).read();
    for (const path of snapshotsIn(directory)) {
      fs.rmSync(path);
      fs.mkdirSync(path);
    }
    expect(openJournal({ directory }).read()).toEqual(state);
  });
});

describe("pruning", () => {
  it("removes sealed segments before two snapshots, and keeps the whole state", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    const state = store.read();
    const segments = () => fs.readdirSync(directory).filter((name) => name.startsWith("journal."));
    const before = segments();
    const dropped = store.prune(1e9, { maxAgeMs: 1000, maxBytes: 1e9 });
    expect(dropped).toBeGreaterThan(5);
    expect(segments()).toEqual(before.slice(dropped as number));
    expect(store.read()).toEqual(state);
    expect(openJournal({ directory }).read()).toEqual(state);
    expect(store.verify()).toMatchObject({ integrity: "intact" });
    expect(kept(store.append(fault("after"), 1)).after.faults).toBe(201);
  });

  it("removes nothing within the limits, or without two snapshots", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    expect(store.prune(1e9, { maxAgeMs: 1e10, maxBytes: 1e9 })).toBe(0);
    fs.rmSync(snapshotsIn(directory)[0] as string);
    expect(store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 })).toBe(0);
  });

  it("stops as soon as the rest is small enough", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    const size = fs.statSync(segmentPath(directory, 1)).size;
    const all = fs.readdirSync(directory).map((name) => fs.statSync(`${directory}/${name}`).size);
    const total =
      all.reduce((sum, bytes) => sum + bytes) -
      snapshotsIn(directory).reduce((sum, path) => sum + fs.statSync(path).size, 0);
    expect(store.prune(0, { maxAgeMs: 1e9, maxBytes: total - size })).toBe(1);
  });

  it("keeps a segment that does not match its seal", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    hideBeginning(directory);
    expect(store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 })).toMatchObject({ code: "corrupt" });
    expect(fs.existsSync(segmentPath(directory, 1))).toBe(true);
  });

  it("completes the work of a pruner that died", () => {
    const directory = trial.newDirectory();
    const store = fill(directory, 200);
    const first = fs.readFileSync(segmentPath(directory, 1));
    store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 });
    fs.writeFileSync(segmentPath(directory, 1), first);
    expect(openJournal({ directory }).prune(1e9, { maxAgeMs: 1e12, maxBytes: 1e12 })).toBe(1);
  });

  it("does not break a reader or writer in a pruned segment", () => {
    const directory = trial.newDirectory();
    const early = fill(directory, 1);
    const reader = openJournal({ directory });
    reader.read();
    const store = fill(directory, 200);
    store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 });
    expect(reader.read()).toEqual(store.read());
    expect(kept(early.append(fault("late"), 1)).after.faults).toBe(202);
  });

  it("of an empty journal creates nothing", () => {
    const directory = trial.newDirectory();
    expect(openJournal({ directory }).prune(1, { maxAgeMs: 0, maxBytes: 0 })).toBe(0);
    expect(fs.existsSync(directory)).toBe(false);
  });
});
