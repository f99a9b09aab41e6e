import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashWith, markOf } from "./sha256.ts";

describe("the mark of a text", () => {
  it("is the beginning of its SHA-256", () => {
    const expected = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 48);
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => markOf(text) === expected(text)));
    for (const length of [0, 55, 56, 63, 64, 119, 120, 5000]) {
      expect(markOf("x".repeat(length))).toBe(expected("x".repeat(length)));
    }
  });

  it("is the same from a faster function", () => {
    const texts = ["", "npm test", "関所 \ud800 é", "x".repeat(5000)];
    const before = texts.map(markOf);
    const asked: string[] = [];
    hashWith((text) => {
      asked.push(text);
      return createHash("sha256").update(text).digest("hex");
    });
    expect(texts.map(markOf)).toEqual(before);
    expect(asked).toEqual(texts);
  });
});
