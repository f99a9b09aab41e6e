import { describe, expect, it } from "vitest";
import { changedFiles } from "./diff.ts";
import { isAbove, sizeOf } from "./ladder.ts";

const file = (path: string, lines = 5) => ({ path, lines, all: lines });
const files = (count: number) => Array.from({ length: count }, (_, at) => file(`src/${at}.ts`));

describe("the ladder", () => {
  it.each([
    ["nothing", [], "free"],
    ["a typo in README", [file("README.md", 400)], "free"],
    ["twenty lines in one file", [file("src/a.ts", 20)], "free"],
    ["a file and its documents", [file("src/a.ts"), file("docs/a.md", 90), file("CHANGELOG.md")], "free"],
    ["formatting in ten files", files(10).map((one) => ({ ...one, lines: 0 })), "free"],
    ["a lock file and build output", [file("package-lock.json", 900), file("dist/a.js", 900)], "free"],
    ["twenty-one lines", [file("src/a.ts", 21)], "S"],
    ["three files", files(3), "S"],
    ["four files", files(4), "M"],
    ["one line of a dependency", [file("package.json", 1)], "M"],
    ["requirements", [file("requirements-dev.txt", 1)], "M"],
    ["one line of CI", [file(".github/workflows/ci.yml", 1)], "M"],
    ["a migration", [file("db/migrate/001_add.rb", 1)], "M"],
    ["an interface", [file("api/openapi.yaml", 1)], "M"],
    ["ten files", files(10), "M"],
    ["eleven files", files(11), "L"],
  ] as const)("%s", (_, changed, tier) => {
    expect(sizeOf(changed).tier).toBe(tier);
  });

  it("a protected file is never free, and the size says why", () => {
    expect(sizeOf([file("CLAUDE.md", 1)], undefined, (path) => path === "CLAUDE.md")).toMatchObject({
      tier: "M",
      weighty: [{ path: "CLAUDE.md", why: "protected" }],
    });
  });

  it("tells the numbers, and follows its thresholds", () => {
    expect(sizeOf(files(4))).toMatchObject({ files: ["src/0.ts", "src/1.ts", "src/2.ts", "src/3.ts"], lines: 20 });
    expect(sizeOf(files(4), { free_files: 9, free_lines: 99, s_files: 9, m_files: 9 }).tier).toBe("free");
  });

  it("tiers have an order", () => {
    expect([isAbove("S", "free"), isAbove("S", "S"), isAbove("M", "L")]).toEqual([true, false, false]);
  });
});

describe("what git says was changed", () => {
  const diff = [
    "diff --git a/src/a.ts b/src/a.ts",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1 +1,3 @@",
    "-const a = 1;",
    "+const a = 2;",
    "+// a comment",
    "+",
    "@@ -9 +9 @@",
    "--- not a head, but a decrement;",
    "diff --git a/old name.py b/new name.py",
    "similarity index 90%",
    "rename from old name.py",
    "rename to new name.py",
    "@@ -1 +1 @@",
    "+# a comment",
    '+"""a document"""',
    "diff --git a/logo.png b/logo.png",
    "Binary files differ",
    'diff --git "a/\\346\\227\\245.ts" "b/\\346\\227\\245.ts"',
    "@@ -1 +1 @@",
    "+日",
    "",
  ].join("\n");

  it("counts lines with words, and leaves out comments and blank lines", () => {
    expect(changedFiles(diff)).toEqual([
      { path: "src/a.ts", lines: 3, all: 5 },
      { path: "new name.py", lines: 0, all: 2 },
      { path: "logo.png", lines: 0, all: 0 },
      { path: "日.ts", lines: 1, all: 1 },
    ]);
  });
});
