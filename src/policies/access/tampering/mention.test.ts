import { describe, expect, it } from "vitest";
import { speaksOf } from "./mention.ts";

const FILE = "/home/dev/project/src/a.ts";

describe("a text that mentions a file", () => {
  it.each([
    ["open('/home/dev/project/src/a.ts')", "/tmp"],
    ["open('src/a.ts')", "/home/dev/project"],
    ["open('./src/a.ts')", "/home/dev/project"],
    ["open('../project/src/a.ts')", "/home/dev/other"],
    ["join('src', 'a.ts')", "/home/dev/project"],
    ["open('a.ts')", "/home/dev/project/src"],
    ["open('a.ts')", undefined],
    ["$HOME/project/src/a.ts", "/"],
    ["~/project/src/a.ts", "/"],
    ["__dirname + '/src/a.ts'", "/"],
  ])("%s from %s", (text, cwd) => {
    expect(speaksOf(text, FILE, cwd)).toBe(true);
  });

  it.each([
    ["open('src/a.tsx')", "/home/dev/project"],
    ["open('src/a.ts.bak')", "/home/dev/project"],
    ["open('other/a.ts')", "/home/dev/project"],
    ["open('/etc/a.ts')", "/home/dev/project"],
    ["open('a.ts')", "/home/dev/project"],
    ["data.ts", "/home/dev/project/src"],
    ["open('b.ts')", "/home/dev/project/src"],
  ])("not %s from %s", (text, cwd) => {
    expect(speaksOf(text, FILE, cwd)).toBe(false);
  });

  it("a mention of a file is not a mention of its directory, and the root is never mentioned", () => {
    expect(speaksOf("open('/home/dev/project/x')", "/home/dev/project", "/")).toBe(false);
    expect(speaksOf("rmtree('/home/dev/project/')", "/home/dev/project", "/")).toBe(true);
    expect(speaksOf("a / b", "/", "/")).toBe(false);
  });
});
