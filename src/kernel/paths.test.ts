import { describe, expect, it } from "vitest";
import { absolute, clean, fromHome, shellPattern, within } from "./paths.ts";

describe("paths by their letters", () => {
  it.each([
    ["a/../b", "/x", "/x/b"],
    ["/a//b/./c/", "/x", "/a/b/c"],
    ["../..", "/x", "/"],
    ["//etc", undefined, "/etc"],
    ["a", undefined, undefined],
  ])("%s in %s", (path, cwd, expected) => {
    expect(absolute(path, cwd)).toBe(expected);
  });

  it("below, or the same, but not merely alike", () => {
    expect(within("/a/b", "/a")).toBe(true);
    expect(within("/a", "/a")).toBe(true);
    expect(within("/ab", "/a")).toBe(false);
    expect(within("/a", "/")).toBe(true);
  });

  it("a person's home", () => {
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

  it("odd patterns are still patterns", () => {
    for (const odd of ["[", "[]", "[!]", "/a[", "*?*", "(", "\\", "/[z-a]"])
      expect(() => shellPattern(odd)).not.toThrow();
  });

  it.each([
    ["@(x)".repeat(40), "settings.local.json"],
    ["*[a-z.]".repeat(40), "settings.local.json"],
    ["*a".repeat(1000), "a".repeat(250)],
  ])("none takes its time: %#", (pattern, name) => {
    const started = performance.now();
    expect(shellPattern(`/p/${pattern}Z`).test(`/p/${name}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
