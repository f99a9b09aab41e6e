import { describe, expect, it } from "vitest";
import { growsFaster } from "../../test/growth.ts";
import { weakeningOf } from "./weakening.ts";

const TEXT = `it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n`;

describe("the weakening of a test file", () => {
  it("a text that tests as much or more is no weakening", () => {
    expect(weakeningOf("a.test.ts", TEXT, TEXT)).toBeUndefined();
    expect(weakeningOf("a.test.ts", TEXT, `${TEXT}it("x", () => expect(y).toBe(1));`)).toBeUndefined();
    expect(weakeningOf("a.test.ts", "", TEXT)).toBeUndefined();
    expect(weakeningOf("a.test.ts", "", "")).toBeUndefined();
  });

  it("counts assertions and cases before and after", () => {
    expect(weakeningOf("a.test.ts", TEXT, TEXT.replace("expect(add(2, 2)).toBe(4);", ""))).toEqual({
      before: { assertions: 2, tests: 1 },
      after: { assertions: 1, tests: 1 },
      takesAway: true,
      markers: [],
    });
  });

  it("names newly added markers", () => {
    const before = TEXT.replace("it(", "it.skip(");
    expect(weakeningOf("a.test.ts", before, before)).toBeUndefined();
    expect(weakeningOf("a.test.ts", before, before + TEXT.replace("it(", "it.only("))?.markers).toEqual(["it.only"]);
  });

  it("stays fast on hostile text", () => {
    const hostile = [
      ..."'\"`/*(<.\\#\n \t",
      ...[
        "expect(",
        "assert ",
        "assert(",
        "it.",
        "t.a(",
        '"""',
        "'''",
        "/*",
        "//",
        "=begin\n",
        "def test(",
        "x.",
        "expect(a",
      ],
      ...["=> {", "assert x", "#[cfg_attr(", "const it = (", "expect(a,", "assert a == ", "`${", "\\"],
    ];
    for (const path of ["a.test.ts", "test_a.py", "a_spec.rb", "a_test.go", "tests/a.rs", "ATest.java", "a_test.cc"]) {
      for (const piece of hostile) {
        const work = (size: number) => weakeningOf(path, piece.repeat(Math.ceil(size / piece.length)), TEXT);
        expect([path, piece, growsFaster(work, 40_000)]).toEqual([path, piece, undefined]);
      }
    }
  });
});
