import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesOf, pathsMeet } from "../../lib/path-meeting.ts";
import { protectedPlace, readProtectedList } from "./protected-list.ts";

const holds = (pattern: string, path: string): boolean =>
  pathsMeet(protectedPlace("/p", pattern).everywhere, namesOf(path, false));

describe("the list of protected files", () => {
  it("PB-42 a list has levels, comments, and BLOCK as the default level", () => {
    expect(readProtectedList("# x\n\nHARD_BLOCK:CLAUDE.md\r\nBLOCK: a\n warn:b\nplain/**\n")).toEqual([
      { level: "HARD_BLOCK", pattern: "CLAUDE.md" },
      { level: "BLOCK", pattern: "a" },
      { level: "WARN", pattern: "b" },
      { level: "BLOCK", pattern: "plain/**" },
    ]);
  });

  it("an unknown level in capitals counts as the strictest, and any other word belongs to the path", () => {
    expect(readProtectedList("HARDBLOCK:a\nHARD-BLOCK : b\nc:d\nC:e\nnote: f")).toEqual([
      { level: "HARD_BLOCK", pattern: "a" },
      { level: "HARD_BLOCK", pattern: "b" },
      { level: "BLOCK", pattern: "c:d" },
      { level: "BLOCK", pattern: "C:e" },
      { level: "BLOCK", pattern: "note: f" },
    ]);
  });

  it.each([
    ["CLAUDE.md", "/p/CLAUDE.md", true],
    ["CLAUDE.md", "/p/deep/er/CLAUDE.md", true],
    ["/CLAUDE.md", "/p/deep/CLAUDE.md", false],
    ["./CLAUDE.md", "/p/CLAUDE.md", true],
    ["docs/a.md", "/p/docs/a.md", true],
    ["docs/a.md", "/p/x/docs/a.md", false],
    ["docs", "/p/docs/deep/a.md", true],
    ["docs/", "/p/docs/a.md", true],
    ["docs/**", "/p/docs/deep/a.md", true],
    ["docs/*.md", "/p/docs/deep/a.md", false],
    ["docs/**/*.md", "/p/docs/a.md", true],
    ["**/*.md", "/p/a/b/c.md", true],
    ["*.pem", "/p/a/.pem", true],
    ["*.pem", "/p/a/b.pem.txt", false],
    ["a?c", "/p/abc", true],
    ["a[bx]c", "/p/abc", true],
    ["CLAUDE.md", "/q/CLAUDE.md", false],
    ["CLAUDE.md", "/p", false],
  ])("%s and %s: %s", (pattern, path, expected) => expect(holds(pattern, path)).toBe(expected));

  it("two patterns meet if some path matches both, on small alphabets", () => {
    const name = fc.stringMatching(/^[ab*?]{1,3}$/).filter((text) => text !== "**");
    const pattern = fc
      .array(fc.oneof(name, fc.constant("**")), { minLength: 1, maxLength: 3 })
      .map((all) => all.join("/"));
    const plain = fc
      .array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 3 })
      .map((all) => all.join("/"));
    fc.assert(
      fc.property(pattern, pattern, plain, (a, b, path) => {
        const [one, other, exact] = [namesOf(a, true), namesOf(b, true), namesOf(path, false)];
        if (pathsMeet(one, exact) && pathsMeet(other, exact)) expect(pathsMeet(one, other)).toBe(true);
        expect(pathsMeet(exact, exact)).toBe(true);
        expect(pathsMeet(one, other)).toBe(pathsMeet(other, one));
      }),
      { numRuns: 2000 },
    );
  });

  it("no pattern is slow", () => {
    const long = namesOf(Array.from({ length: 200 }, () => "**/*a*b*c*d*").join("/"), true);
    const other = namesOf(Array.from({ length: 200 }, () => "*x*y*z*").join("/"), true);
    expect(pathsMeet(long, other)).toBe(true);
    expect(pathsMeet(long, namesOf("a/b", false))).toBe(false);
  });
});
