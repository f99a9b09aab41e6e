import { describe, expect, it } from "vitest";
import { sedText } from "./sed-script.ts";

const TEXT = "one\ntwo\nthree\nfour";

describe("the result of a sed script", () => {
  it.each([
    ["d", ""],
    ["2d", "one\nthree\nfour"],
    ["$d", "one\ntwo\nthree"],
    ["2,3d", "one\nfour"],
    ["2,+1d", "one\nfour"],
    ["2,$d", "one"],
    ["/two/d", "one\nthree\nfour"],
    ["/two/!d", "two"],
    ["/two/,/three/d", "one\nfour"],
    ["/two/,/nothing/d", "one"],
    ["\\|two|d", "one\nthree\nfour"],
    ["1d;2d", "two\nfour"],
    ["/t/{/two/d}", "one\nthree\nfour"],
    ["s/two/2/", "one\n2\nthree\nfour"],
    ["2s/^/# /", "one\n# two\nthree\nfour"],
    ["s/o/0/g", "0ne\ntw0\nthree\nf0ur"],
    ["2c other", "one\nother\nthree\nfour"],
    ["2a more", "one\ntwo\nmore\nthree\nfour"],
    ["1i\\first", "first\none\ntwo\nthree\nfour"],
    ["p", TEXT],
    ["", TEXT],
    ["/", TEXT],
    ["2,", TEXT],
  ])("%j", (script, left) => expect(sedText(script, TEXT)).toBe(left));

  it("terminates on any script", () => {
    for (const script of ["{".repeat(1_000), "/a/".repeat(1_000), "s/a/b/;".repeat(1_000), "\\", "1,1,1,1d"])
      expect(() => sedText(script, TEXT)).not.toThrow();
  });
});
