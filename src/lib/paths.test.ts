import { describe, expect, it } from "vitest";
import { growsFaster } from "../../test/growth.ts";
import { absolute, clean, fromHome, shellPattern, within } from "./paths.ts";

describe("lexical paths", () => {
  it.each([
    ["a/../b", "/x", "/x/b"],
    ["/a//b/./c/", "/x", "/a/b/c"],
    ["../..", "/x", "/"],
    ["//etc", undefined, "/etc"],
    ["a", undefined, undefined],
  ])("%s in %s", (path, cwd, expected) => {
    expect(absolute(path, cwd)).toBe(expected);
  });

  it("a path is within itself and its parents, but not within a directory that merely shares a prefix", () => {
    expect(within("/a/b", "/a")).toBe(true);
    expect(within("/a", "/a")).toBe(true);
    expect(within("/ab", "/a")).toBe(false);
    expect(within("/a", "/")).toBe(true);
  });

  it("a tilde means the home directory", () => {
    expect(fromHome("~/a", "/h")).toBe("/h/a");
    expect(fromHome("~a", "/h")).toBe("~a");
    expect(clean("/a/")).toBe("/a");
  });
});

describe("shell patterns", () => {
  it.each([
    ["/p/*", "/p/a", true],
    ["/p/*", "/p/a/b", false],
    ["/p/*", "/p/.claude", false],
    ["/p/.*", "/p/.claude", true],
    ["/p/.c*", "/p/.claude", true],
    ["/p/.cl?ude", "/p/.claude", true],
    ["/p/.cl[a-z]ude", "/p/.claude", true],
    ["/p/.cl[!b]ude", "/p/.claude", true],
    ["/p/.cl[!a]ude", "/p/.claude", false],
    ["/p/.claude/settings*.json", "/p/.claude/settings.local.json", true],
    ["/p/.claude/+(x)", "/p/.claude/settings.json", true],
    ["/p/a.c", "/p/abc", false],
    ["/*/*/.claude", "/home/dev/.claude", true],
    ["/p/.s[a-z]*sho", "/p/.sekisho", true],
    ["/p/[.]claude", "/p/.claude", false],
    ["/p/?claude", "/p/.claude", false],
    ["/p/@(x|.y)claude", "/p/.claude", true],
    ["/p/*a*b*c", "/p/xaybzbzc", true],
    ["/p/*a*b*c", "/p/xaybzbz", false],
    ["/p/[z-a]x", "/p/anythingx", true],
  ])("%s against %s: %s", (pattern, path, matches) => {
    expect(shellPattern(pattern).test(path)).toBe(matches);
  });

  it("malformed patterns do not throw", () => {
    for (const odd of ["[", "[]", "[!]", "/a[", "*?*", "(", "\\", "/[z-a]"])
      expect(() => shellPattern(odd)).not.toThrow();
  });

  it.each([
    ["@(x)", "settings.local.json"],
    ["*[a-z.]", "settings.local.json"],
    ["*a", "a".repeat(250)],
  ])("matching takes linear time: %s repeated", (piece, name) => {
    const matches = (times: number): boolean => shellPattern(`/p/${piece.repeat(times)}Z`).test(`/p/${name}`);
    expect(matches(1000)).toBe(false);
    expect(growsFaster(matches, 1000)).toBeUndefined();
  });
});
