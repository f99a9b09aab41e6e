/** Checks what the journal flushes, and when: watched in a process of its own, through the preload in `test/`. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { watchOrder } from "../../../test/write-order.ts";
import { encodeLine } from "./line.ts";
import { segmentPath } from "./segment.ts";
import { fillParts, newTrial, outputOf, SNAPPING } from "./trial.ts";

const trial = newTrial();
const APPEND = (body: string, durable = false): string =>
  `{ const kept = store.append(${body}, 1, { durable: ${durable} }); if (kept.fault) throw new Error(kept.fault); }`;
const FAULT = `{ kind: "fault", event: "e", session: "s", where: "w", message: "m" }`;
const SAY = `require("node:fs").writeSync(1, "done");`;
const NO_UPKEEP = { snapshotAfter: 1e9, snapshotAlwaysAfter: 1e9, sealChance: 0 };
const PARTS = `{ inbox: { kinds: ["letter"], empty: { letters: 0 }, fold: ({ letters }) => ({ letters: letters + 1 }) } }`;

/** The steps of a process that runs this code on the journal; `answer` is where it says that it is done. */
async function stepsOf(directory: string, use: string, limits: object = NO_UPKEEP): Promise<readonly string[]> {
  const order = watchOrder(join(trial.home, "order.log"));
  await outputOf(trial.start(directory, use, { limits, parts: PARTS, order }));
  return order.steps(directory).map(({ what }) => what);
}

async function begun(): Promise<string> {
  const directory = trial.newDirectory();
  await outputOf(trial.start(directory, APPEND(FAULT)));
  return directory;
}

describe("a record", () => {
  it("that must last is flushed before append returns", async () => {
    const steps = await stepsOf(await begun(), APPEND(FAULT, true) + SAY);
    expect(steps).toEqual(["write fault 1", "flush 1", "answer"]);
  });

  it("of any other kind is not", async () => {
    expect(await stepsOf(await begun(), APPEND(FAULT) + SAY)).toEqual(["write fault 1", "answer"]);
  });
});

describe("a new segment", () => {
  it("has its name flushed before the first record is written", async () => {
    const steps = await stepsOf(trial.newDirectory(), APPEND(FAULT) + SAY);
    expect(steps).toEqual(["create 1", "flush directory", "write fault 1", "answer"]);
  });

  it("is made after the one before it is flushed, with its name and its seal flushed too", async () => {
    const steps = await stepsOf(await begun(), APPEND(FAULT) + SAY, { ...NO_UPKEEP, segmentBytes: 1 });
    expect(steps).toEqual([
      ...["write fault 1", "write close 1", "flush 1", "create 2", "flush directory"],
      ...["write seal 2", "flush 2", "answer"],
    ]);
  });

  it("that its maker left empty is flushed again, as its maker may have died too early", async () => {
    const directory = await begun();
    fs.appendFileSync(segmentPath(directory, 1), encodeLine({ kind: "close", next: 2, rid: "dead", t: 1 }));
    fs.writeFileSync(segmentPath(directory, 2), "");
    const steps = await stepsOf(directory, APPEND(FAULT) + SAY);
    expect(steps).toEqual(["flush 1", "flush directory", "write fault 2", "answer"]);
  });
});

describe("pruning", () => {
  it("flushes the snapshots, its promise and the names before it removes a segment", async () => {
    const directory = trial.newDirectory();
    fillParts(directory, 200).close();
    const use = `const dropped = store.prune(1e9, { maxAgeMs: 0, maxBytes: 0 }); if (!(dropped > 0)) throw new Error("nothing");`;
    const steps = await stepsOf(directory, use, SNAPPING);
    const removed = steps.indexOf("remove 1");
    const promise = steps.findIndex((step) => step.startsWith("write prune"));
    const flushed = steps.slice(0, promise).filter((step) => /^flush (snap|part)/.test(step));
    // Two of the ledger and two of the part.
    expect(flushed.sort()).toEqual(["flush part", "flush part", "flush snap", "flush snap"]);
    const rest = steps.slice(promise, removed + 1);
    expect(rest.map((step) => step.replace(/\d+$/, "n"))).toEqual([
      ...["write prune n", "flush n", "flush directory", "remove n"],
    ]);
  });
});
