import { describe, expect, it } from "vitest";
import { weakeningOf } from "./weakening.ts";

const TEXT = `it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n`;

describe("what a new text takes away", () => {
  it("nothing, where it says the same or more", () => {
    expect(weakeningOf("a.test.ts", TEXT, TEXT)).toBeUndefined();
    expect(weakeningOf("a.test.ts", TEXT, `${TEXT}it("x", () => expect(y).toBe(1));`)).toBeUndefined();
    expect(weakeningOf("a.test.ts", "", TEXT)).toBeUndefined();
    expect(weakeningOf("a.test.ts", "", "")).toBeUndefined();
  });

  it("counts what was there and what is left", () => {
    expect(weakeningOf("a.test.ts", TEXT, TEXT.replace("expect(add(2, 2)).toBe(4);", ""))).toEqual({
      before: { assertions: 2, tests: 1 },
      after: { assertions: 1, tests: 1 },
      takesAway: true,
      markers: [],
    });
  });

  it("names the markers that were not there", () => {
    const before = TEXT.replace("it(", "it.skip(");
    expect(weakeningOf("a.test.ts", before, before)).toBeUndefined();
    expect(weakeningOf("a.test.ts", before, before + TEXT.replace("it(", "it.only("))?.markers).toEqual(["it.only"]);
  });

  it("is not slow, whatever stands there", () => {
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
    ].map((piece) => piece.repeat(Math.ceil(40_000 / piece.length)));
    for (const path of ["a.test.ts", "test_a.py", "a_spec.rb", "a_test.go", "tests/a.rs", "ATest.java", "a_test.cc"])
      for (const text of hostile) expect(() => weakeningOf(path, text, TEXT)).not.toThrow();
  });
});
