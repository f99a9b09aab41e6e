import { describe, expect, it } from "vitest";
import { absolute, clean, fromHome, within } from "./paths.ts";

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
