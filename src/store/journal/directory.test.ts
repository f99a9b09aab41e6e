import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { listDirectory, segmentName, snapshotName } from "./directory.ts";

const OURS = [segmentName(1), segmentName(123), snapshotName("", 1, 0, "aB9"), snapshotName("in-box", 2, 123456, "f")];
const FOREIGN = [
  ...["journal.1.jsonl", "journal.000000001.jsonl", "journal.00000NaN.jsonl", "journal.Infinity.jsonl", "journal."],
  ...["journal.00000001.jsonl.bak", "journal.0000001e.jsonl", "snap.00000001.0", "snap.00000001.0.", "snap.new.1.2.3"],
  ...["snap.00000001.-1.a", "snap.00000001.01.a", "snap.00000NaN.NaN.a", "part..00000001.0.a", "part.x", "part"],
];

it("a directory lists the segments and snapshots that we would write, and no other file", () => {
  const directory = tempDirectory("listing");
  for (const name of [...OURS, ...FOREIGN]) writeFileSync(join(directory, name), "");
  const { segments, snapshots, unfinished } = listDirectory(directory);
  expect(segments).toEqual([1, 123]);
  expect(snapshots.map(({ part, segment, offset, reducer }) => [part, segment, offset, reducer])).toEqual([
    ["in-box", 2, 123456, "f"],
    ["", 1, 0, "aB9"],
  ]);
  expect(unfinished).toEqual(["snap.new.1.2.3"]);
});
