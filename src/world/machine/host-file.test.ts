import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { hostFileText, readableHostFile } from "./host-file.ts";
import { HostFileError, replaceHostFile, rewritableText } from "./host-file-writing.ts";

function file(content?: string | Buffer): string {
  const root = tempDirectory("host-file");
  const path = join(root, "settings.json");
  if (content !== undefined) fs.writeFileSync(path, content);
  return path;
}

describe("a settings file of the host", () => {
  it("is read as text, or as undefined when it does not exist", () => {
    expect(hostFileText(file("{}"))).toBe("{}");
    expect(hostFileText(file(""))).toBe("");
    for (const path of [file(), join(file("{}"), "settings.json")]) {
      expect([hostFileText(path), readableHostFile(path), rewritableText(path)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path]), /settings\.json is not a plain file/],
    ["a directory", (path: string) => fs.mkdirSync(path), /settings\.json is not a plain file/],
    ["a device", (path: string) => fs.symlinkSync("/dev/zero", path), /settings\.json is not a plain file/],
    ["too large", (path: string) => fs.writeFileSync(path, Buffer.alloc(5_000_000)), /too many for a settings file/],
  ])("that is %s is an error with a reason", (_, make, words) => {
    const path = file();
    make(path);
    expect(() => hostFileText(path)).toThrow(words);
    expect(() => rewritableText(path)).toThrow(HostFileError);
    expect(readableHostFile(path)).toBeUndefined();
  });

  it("that is not UTF-8 throughout is read but not rewritten", () => {
    const path = file(Buffer.from('{"a":"\xff"}', "latin1"));
    expect(hostFileText(path)).toContain('{"a":');
    expect(() => rewritableText(path)).toThrow(/settings\.json is not UTF-8 throughout\. It was left as it is\./);
  });

  it("is replaced only if unchanged since it was read, and leaves no temporary file", () => {
    const path = file("old");
    fs.chmodSync(path, 0o640);
    expect(() => replaceHostFile(path, "older", "new")).toThrow(/changed by somebody meanwhile/);
    expect(fs.readFileSync(path, "utf8")).toBe("old");
    replaceHostFile(path, "old", "new");
    expect([fs.readFileSync(path, "utf8"), fs.statSync(path).mode & 0o777]).toEqual(["new", 0o640]);
    replaceHostFile(path, "new", undefined);
    expect(fs.readdirSync(join(path, ".."))).toEqual([]);
  });
});
