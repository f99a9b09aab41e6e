import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fault, kept } from "../contract.ts";
import { isFault, type VerifyReport } from "../store.ts";
import { openJournal } from "./archive.ts";
import { NO_SEAL } from "./ledger.ts";
import { encodeLine } from "./line.ts";
import { segmentPath } from "./segment.ts";
import { flipByte, newTrial, snapshotsIn } from "./trial.ts";

const trial = newTrial();
const NO_SNAPSHOTS = { segmentBytes: 1500, snapshotAfter: 1e9, snapshotAlwaysAfter: 1e9 };

function filled(limits: object = NO_SNAPSHOTS, count = 50): string {
  const directory = trial.newDirectory();
  const store = openJournal({ directory, limits });
  for (let index = 0; index < count; index++) kept(store.append(fault(`m${index}`), index));
  store.close();
  return directory;
}

function verified(directory: string): VerifyReport {
  const report = openJournal({ directory }).verify();
  if (isFault(report)) throw new Error(report.fault);
  return report;
}

/** The integrity of the journal and of one segment. */
function words(directory: string, segment: number): [string, string | undefined] {
  const { integrity, segments } = verified(directory);
  return [integrity, segments.find((report) => report.segment === segment)?.integrity];
}

describe("verify", () => {
  it("reports a valid journal as intact and counts what is not sealed yet", () => {
    const report = verified(filled());
    expect(report).toMatchObject({ integrity: "intact", records: 50 });
    expect(report.head).toMatch(/^[0-9a-f]{64}$/);
    expect(report.unsealed).toBe(report.segments.at(-1)?.records);
  });

  it("reports a head that sha256sum can reproduce", () => {
    const directory = filled(NO_SNAPSHOTS, 12);
    const report = verified(directory);
    expect(report.segments).toHaveLength(2);
    const sum = execFileSync("sh", ["-c", `(printf %s ${NO_SEAL}; cat ${segmentPath(directory, 1)}) | sha256sum`]);
    expect(sum.toString().slice(0, 64)).toBe(report.head);
  });

  it("reports any flipped byte in a sealed segment", () => {
    const directory = filled();
    const { size } = fs.statSync(segmentPath(directory, 2));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: size - 1 }), (offset) => {
        flipByte(directory, 2, offset);
        const report = verified(directory);
        flipByte(directory, 2, offset);
        expect(report.integrity).toBeOneOf(["rewritten", "truncated"]);
        expect(report.segments.filter(({ integrity }) => integrity !== "intact").map(({ segment }) => segment)).toEqual(
          [2],
        );
      }),
    );
    expect(verified(directory).integrity).toBe("intact");
  });

  it("reports a segment without its end", () => {
    const directory = filled();
    fs.truncateSync(segmentPath(directory, 2), 700);
    expect(words(directory, 2)).toEqual(["truncated", "truncated"]);
  });

  it("reports missing segments", () => {
    const directory = filled();
    fs.rmSync(segmentPath(directory, 2));
    fs.rmSync(segmentPath(directory, 3));
    const { integrity, segments } = verified(directory);
    expect(integrity).toBe("incomplete");
    expect(segments[1]).toMatchObject({
      segment: 2,
      integrity: "incomplete",
      detail: expect.stringContaining("2 to 3"),
    });
  });

  it("reports a missing beginning", () => {
    const directory = filled();
    fs.rmSync(segmentPath(directory, 1));
    expect(words(directory, 1)).toEqual(["incomplete", "incomplete"]);
  });

  it("reports a live segment that was cut or changed before a snapshot", () => {
    const directory = filled({ segmentBytes: 1e9, snapshotAfter: 9, snapshotChance: 1, snapshotAlwaysAfter: 9 });
    const path = segmentPath(directory, 1);
    const bytes = fs.readFileSync(path);
    flipByte(directory, 1, 60);
    expect(words(directory, 1)).toEqual(["rewritten", "rewritten"]);
    const forged = bytes.toString().split("\n\n");
    forged.splice(
      3,
      1,
      encodeLine({ ...fault("forged"), rid: "forged", t: 3 } as never)
        .toString()
        .trim(),
    );
    fs.writeFileSync(path, forged.join("\n\n"));
    expect(words(directory, 1)[0]).toBe("rewritten");
    fs.writeFileSync(path, bytes.subarray(0, 300));
    expect(words(directory, 1)).toEqual(["truncated", "truncated"]);
    fs.rmSync(path);
    expect(words(directory, 1)).toEqual(["incomplete", "incomplete"]);
  });

  it("reports a change before a snapshot when the beginning is pruned", () => {
    const directory = filled(
      { segmentBytes: 2000, snapshotAfter: 30, snapshotChance: 1, snapshotAlwaysAfter: 30 },
      200,
    );
    expect(openJournal({ directory }).prune(1e9, { maxAgeMs: 0, maxBytes: 0 })).toBeGreaterThan(0);
    expect(verified(directory).integrity).toBe("intact");
    const newest = snapshotsIn(directory).at(-1) as string;
    const [, segment, offset] = /snap\.(\d+)\.(\d+)\./.exec(newest) ?? [];
    flipByte(directory, Number(segment), Number(offset) - 20);
    expect(words(directory, Number(segment))[1]).toBe("rewritten");
  });

  it("reports a pruned beginning without a snapshot", () => {
    const limits = { segmentBytes: 1000, snapshotAfter: 5, snapshotChance: 1, snapshotAlwaysAfter: 5 };
    const directory = filled(limits, 100);
    openJournal({ directory }).prune(1e9, { maxAgeMs: 0, maxBytes: 0 });
    for (const path of snapshotsIn(directory)) fs.rmSync(path);
    expect(verified(directory).integrity).toBe("incomplete");
  });

  it("reports damage in an unsealed segment, and an unfinished last line", () => {
    const directory = filled({ segmentBytes: 1e9 }, 5);
    const path = segmentPath(directory, 1);
    flipByte(directory, 1, 60);
    expect(verified(directory).segments[0]?.detail).toBe("1 line(s) passed over, at offset 1.");
    expect(words(directory, 1)).toEqual(["damaged", "damaged"]);
    flipByte(directory, 1, 60);
    fs.appendFileSync(path, "\n0123");
    expect(words(directory, 1)).toEqual(["truncated", "truncated"]);
    kept(openJournal({ directory }).append(fault("next"), 1));
    expect(words(directory, 1)).toEqual(["damaged", "damaged"]);
  });

  it("reports a second seal that contradicts the first, and uses the first", () => {
    const directory = filled();
    const { head } = verified(directory);
    const last = Math.max(...verified(directory).segments.map(({ segment }) => segment));
    const lie = { kind: "seal", of: 1, hash: "f".repeat(64), prev: NO_SEAL, rid: "lie", t: 1 } as const;
    fs.appendFileSync(segmentPath(directory, last), encodeLine(lie));
    expect(words(directory, 1)).toEqual(["rewritten", "rewritten"]);
    expect(verified(directory).head).toBe(head);
  });

  it("accepts a seal that was added after its writer died", () => {
    const directory = trial.newDirectory();
    const never = openJournal({ directory, limits: { ...NO_SNAPSHOTS, segmentBytes: 1e9, sealChance: 0 } });
    for (let index = 0; index < 5; index++) kept(never.append(fault("m"), index));
    fs.appendFileSync(segmentPath(directory, 1), encodeLine({ kind: "close", next: 2, rid: "dead", t: 5 }));
    kept(never.append(fault("m"), 6));
    expect(verified(directory)).toMatchObject({ integrity: "intact", unsealed: 6, head: NO_SEAL });
    const store = openJournal({ directory, limits: { ...NO_SNAPSHOTS, segmentBytes: 1e9, sealChance: 1 } });
    kept(store.append(fault("m"), 7));
    expect(verified(directory)).toMatchObject({ integrity: "intact", unsealed: 2 });
  });
});
