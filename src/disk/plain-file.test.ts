import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { plainFile, plainText } from "./plain-file.ts";

const directory = tempDirectory("plain-file");
const at = (name: string): string => join(directory, name);

function written(name: string, text: string | Uint8Array): string {
  writeFileSync(at(name), text);
  return at(name);
}

describe("a file from an untrusted source", () => {
  it("is read with its modification time", () => {
    const path = written("plain", "words");
    utimesSync(path, 100, 100);
    expect(plainFile(path, 100)).toMatchObject({ bytes: Buffer.from("words"), cut: false, modified: 100_000 });
  });

  it("is read up to the limit and marked as cut", () => {
    expect(plainFile(written("long", "0123456789"), 4)).toMatchObject({ bytes: Buffer.from("0123"), cut: true });
    expect(plainFile(at("long"), 10)).toMatchObject({ cut: false });
  });

  it("a huge file costs no more than its beginning", () => {
    const path = written("huge", "x");
    truncateSync(path, 2 ** 40);
    expect(plainFile(path, 1024)?.bytes).toHaveLength(1024);
    expect(plainText(path, 1024)).toBeUndefined();
  });

  it("an empty file is empty, not missing", () => {
    expect(plainFile(written("empty", ""), 10)?.bytes).toHaveLength(0);
    expect(plainText(at("empty"), 10)).toBe("");
  });

  it("links are followed; dangling and circular ones yield nothing", () => {
    written("target", "words");
    symlinkSync(at("target"), at("link"));
    symlinkSync(at("gone"), at("dangling"));
    symlinkSync(at("circle"), at("circle"));
    expect(plainText(at("link"), 10)).toBe("words");
    expect(plainFile(at("dangling"), 10)).toBeUndefined();
    expect(plainFile(at("circle"), 10)).toBeUndefined();
  });

  it("a directory, a device or a pipe without a writer yields nothing", () => {
    mkdirSync(at("directory"));
    execFileSync("mkfifo", [at("pipe")]);
    expect(plainFile(at("directory"), 10)).toBeUndefined();
    expect(plainFile("/dev/zero", 10)).toBeUndefined();
    expect(plainFile(at("pipe"), 10)).toBeUndefined();
    expect(plainFile(at("missing"), 10)).toBeUndefined();
    expect(plainFile(`${at("plain")}\u0000`, 10)).toBeUndefined();
  });

  it.skipIf(process.geteuid?.() === 0)("an unreadable file yields nothing", () => {
    chmodSync(written("closed", "words"), 0);
    expect(plainFile(at("closed"), 10)).toBeUndefined();
  });

  it("plainText returns the whole text or nothing, without the byte order mark", () => {
    expect(plainText(written("mark", "\uFEFF計画"), 100)).toBe("計画");
    expect(plainText(at("mark"), 5)).toBeUndefined();
  });
});
