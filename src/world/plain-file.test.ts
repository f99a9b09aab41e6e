import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { plainFile, plainText } from "./plain-file.ts";

const directory = mkdtempSync(join(tmpdir(), "sekisho-plain-file-"));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);

function written(name: string, text: string | Uint8Array): string {
  writeFileSync(at(name), text);
  return at(name);
}

describe("a file that anybody may have put there", () => {
  it("is read with its time", () => {
    const path = written("plain", "words");
    utimesSync(path, 100, 100);
    expect(plainFile(path, 100)).toEqual({ bytes: Buffer.from("words"), cut: false, modified: 100_000 });
  });

  it("only its beginning, and says so", () => {
    expect(plainFile(written("long", "0123456789"), 4)).toMatchObject({ bytes: Buffer.from("0123"), cut: true });
    expect(plainFile(at("long"), 10)).toMatchObject({ cut: false });
  });

  it("one without an end in sight costs no more than its beginning", () => {
    const path = written("huge", "x");
    truncateSync(path, 2 ** 40);
    expect(plainFile(path, 1024)?.bytes).toHaveLength(1024);
    expect(plainText(path, 1024)).toBeUndefined();
  });

  it("an empty one is empty, not missing", () => {
    expect(plainFile(written("empty", ""), 10)?.bytes).toHaveLength(0);
    expect(plainText(at("empty"), 10)).toBe("");
  });

  it("a link is followed, and one that leads nowhere or in circles is nothing", () => {
    written("target", "words");
    symlinkSync(at("target"), at("link"));
    symlinkSync(at("gone"), at("dangling"));
    symlinkSync(at("circle"), at("circle"));
    expect(plainText(at("link"), 10)).toBe("words");
    expect(plainFile(at("dangling"), 10)).toBeUndefined();
    expect(plainFile(at("circle"), 10)).toBeUndefined();
  });

  it("what is no file is nothing: a directory, a device, a pipe that nobody writes to", () => {
    mkdirSync(at("directory"));
    execFileSync("mkfifo", [at("pipe")]);
    expect(plainFile(at("directory"), 10)).toBeUndefined();
    expect(plainFile("/dev/zero", 10)).toBeUndefined();
    expect(plainFile(at("pipe"), 10)).toBeUndefined();
    expect(plainFile(at("missing"), 10)).toBeUndefined();
    expect(plainFile(`${at("plain")}\u0000`, 10)).toBeUndefined();
  });

  it.skipIf(process.geteuid?.() === 0)("one that is not ours to read is nothing", () => {
    chmodSync(written("closed", "words"), 0);
    expect(plainFile(at("closed"), 10)).toBeUndefined();
  });

  it("a text is all of it or nothing, without its byte order mark", () => {
    expect(plainText(written("mark", "\uFEFF計画"), 100)).toBe("計画");
    expect(plainText(at("mark"), 5)).toBeUndefined();
  });
});
