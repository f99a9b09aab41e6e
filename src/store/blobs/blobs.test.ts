import { mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { sha256Hex } from "../digest.ts";
import { isFault } from "../store.ts";
import { BLOB_BYTES_MAX, type BlobName, blobsIn, keepBlob, readBlob } from "./blobs.ts";
import { blobsNamedIn, collectBlobs } from "./collect.ts";

let journal = "";
let count = 0;
const root = tempDirectory("blobs");

beforeEach(() => {
  journal = join(root, `${++count}`);
  mkdirSync(journal);
});

function kept(text: string): BlobName {
  const name = keepBlob(journal, text);
  if (isFault(name)) throw new Error(name.fault);
  return name;
}

const pathOf = ({ sha256 }: BlobName): string => join(blobsIn(journal), sha256.slice(0, 2), sha256);
const all = (): readonly string[] =>
  readdirSync(blobsIn(journal), { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/"));

const LONG = "報告 $(x) 'quotes'\n".repeat(60_000);

describe("a blob", () => {
  it("is read back whole and is stored once", () => {
    const name = kept(LONG);
    expect(readBlob(journal, name)).toBe(LONG);
    expect(kept(LONG)).toEqual(name);
    expect(all()).toHaveLength(1);
  });

  it("is masked like a record before it is named", () => {
    const name = kept(`the token is ghp_${"a1B2".repeat(9)} for you`);
    const text = readFileSync(pathOf(name), "utf8");
    expect(text).not.toContain("ghp_a1B2");
    expect(sha256Hex(text)).toBe(name.sha256);
  });

  it("that was cut, exchanged or made longer is not read", () => {
    const [cut, other, longer] = [kept("a".repeat(99)), kept("b".repeat(99)), kept("c".repeat(99))];
    truncateSync(pathOf(cut), 50);
    writeFileSync(pathOf(other), "x".repeat(99));
    writeFileSync(pathOf(longer), "c".repeat(100));
    expect([cut, other, longer].map((name) => readBlob(journal, name))).toEqual([undefined, undefined, undefined]);
    expect(readBlob(journal, kept("a".repeat(99)))).toBe("a".repeat(99));
  });

  it("is not read beyond the limit of the reader, nor by a name that is none", () => {
    const name = kept("a".repeat(99));
    expect(readBlob(journal, name, 98)).toBeUndefined();
    expect(readBlob(journal, { sha256: "../../etc/passwd", bytes: 9 })).toBeUndefined();
    expect(readBlob(journal, { sha256: "0".repeat(64), bytes: 9 })).toBeUndefined();
  });

  it("that is too long, or has no room, is a fault and leaves nothing", () => {
    expect(keepBlob(journal, "a".repeat(BLOB_BYTES_MAX + 1))).toMatchObject({ code: "io" });
    writeFileSync(blobsIn(journal), "in the way");
    expect(keepBlob(journal, "a")).toMatchObject({ code: "corrupt" });
    expect(readdirSync(journal)).toEqual(["blobs"]);
  });
});

describe("collecting blobs", () => {
  const HOUR = 3_600_000;

  it("keeps those that are named anywhere, and young ones whose record may still come", () => {
    const [named, deep, gone] = [kept("named"), kept("deep"), kept("gone")];
    const names = blobsNamedIn([{ blob: named }, { list: [{ payload: `x${deep.sha256}` }] }, undefined]);
    expect(collectBlobs(journal, names, Date.now())).toBe(0);
    expect(collectBlobs(journal, names, Date.now() + HOUR + 1000)).toBe(1);
    expect([named, deep, gone].map((name) => readBlob(journal, name) !== undefined)).toEqual([true, true, false]);
  });

  it("removes what a killed writer left, which no reader ever saw", () => {
    const name = kept("there");
    const left = join(pathOf(name), "..", "new.left");
    writeFileSync(left, "half of a te");
    utimesSync(left, 1, 1);
    expect(collectBlobs(journal, new Set([name.sha256]), Date.now())).toBe(0);
    expect(all()).toHaveLength(1);
  });

  it("of a journal without blobs removes nothing", () => {
    expect(collectBlobs(journal, new Set(), Date.now())).toBe(0);
  });
});

it("a blob that is kept again is young again, so that its second record finds it", () => {
  const name = kept("twice");
  utimesSync(pathOf(name), 1, 1);
  kept("twice");
  expect(collectBlobs(journal, new Set(), Date.now())).toBe(0);
});
