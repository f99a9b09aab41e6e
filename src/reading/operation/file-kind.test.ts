import { describe, expect, it } from "vitest";
import { fileKind, isBuilt, isGenerated, isTest } from "./file-kind.ts";

const CODE =
  "ts tsx js jsx mjs cjs py sh bash zsh css scss less html vue svelte go rs java kt swift c cpp h hpp rb php sql r lua pl ex exs erl hs ml fs cs vb dart scala groovy clj nim zig v d";
const DOCUMENT = "md txt rst adoc tex org wiki asciidoc";
const CONFIG =
  "json yaml yml toml ini env xml csv tsv lock conf cfg properties editorconfig gitignore gitattributes dockerignore npmrc nvmrc";

describe("file kinds", () => {
  it.each(CODE.split(" "))("GT-6 .%s is code", (ending) => expect(fileKind(`/p/a.${ending}`)).toBe("code"));
  it.each(DOCUMENT.split(" "))("GT-7 .%s is a document", (ending) =>
    expect(fileKind(`/p/a.${ending}`)).toBe("document"),
  );
  it.each(CONFIG.split(" "))("GT-8 .%s is neither", (ending) => expect(fileKind(`/p/a.${ending}`)).toBe("other"));

  it("GT-5 depend on the text after the last dot of the name, ignoring case", () => {
    expect(fileKind("/p/A.TS")).toBe("code");
    expect(fileKind("/p/a.ts.txt")).toBe("document");
    expect(fileKind("/p.ts/Makefile")).toBe("other");
    expect(fileKind("")).toBe("other");
  });

  it("GT-14 include configured extra endings as code", () => {
    expect(fileKind("/p/a.yaml", ["yaml"])).toBe("code");
  });
});

describe("MD-73 test files", () => {
  it.each([
    "test/a.js",
    "src/test/a.ts",
    "src/__tests__/a.jsx",
    "src/a.test.ts",
    "src/a.spec.mjs",
    "src/a.test.cts",
    "src/a.spec.tsx",
    "pkg/test_a.py",
    "pkg/a_test.py",
    "a_test.go",
    "tests/it.rs",
    "src/test/java/AThing.java",
    "ATest.java",
    "ThingTests.kt",
    "spec/a_spec.rb",
    "a_test.exs",
  ])("%s", (path) => expect(isTest(path)).toBe(true));

  it.each(["src/a.ts", "src/latest/a.ts", "contest.py", "src/testament.js", "test/data.json", "Attest.java.txt"])(
    "not %s",
    (path) => expect(isTest(path)).toBe(false),
  );
});

it("MD-70 generated and built files are recognised", () => {
  for (const path of ["a.d.ts", "a.d.mts", "a.min.js", "x/a.min.css", "a.bundle.js", "a.js.map"])
    expect(isGenerated(path)).toBe(true);
  expect(isGenerated("src/d.ts")).toBe(false);
  expect(isBuilt("dist/a.js")).toBe(true);
  expect(isBuilt("src/build.ts")).toBe(false);
});
