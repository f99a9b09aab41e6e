import { describe, expect, it } from "vitest";
import { FEW, names, Rows } from "./name-table.ts";

describe("names", () => {
  const asked = ["cat", "[", "grep", "gre", "rep", "", " ", "cat grep", "cat ", " grep", "\n"];

  it("gives the same answers on the first lookup and after many", () => {
    const table = names("[ cat grep git");
    const first = asked.map((name) => names("[ cat grep git").has(name));
    for (let times = 0; times <= FEW; times += 1) table.has("git");
    expect(asked.map((name) => table.has(name))).toEqual(first);
    expect(first).toEqual(asked.map((name) => ["[", "cat", "grep", "git"].includes(name)));
  });

  it("occur in a text as whole words only, like a pattern of them", () => {
    const texts = ["npm test", "a&&npm", "npm-x", "xnpm", "npm_x", "./npm", "", " ", "日npm本", "python3", "python33"];
    const pattern = /\b(?:npm|python3?)\b/;
    expect(texts.map((text) => names("npm python python3").occurIn(text))).toEqual(
      texts.map((text) => pattern.test(text)),
    );
  });
});

describe("rows", () => {
  const text = "\na: one\nlong: two,\n    three;\n  four\nb.c: x: y\n";
  const asked = ["a", "long", "b.c", "x", "", " ", "two,", "long: two,\n    three;\n  four\nb.c", "four", "__proto__"];

  it("give the same answers on the first lookup and after many", () => {
    const table = new Rows(text);
    const first = asked.map((name) => new Rows(text).get(name));
    for (let times = 0; times <= FEW; times += 1) table.get("a");
    expect(asked.map((name) => table.get(name))).toEqual(first);
    expect(first.slice(0, 4)).toEqual(["one", "two, three; four", "x: y", undefined]);
    expect(first.slice(4).every((row) => row === undefined)).toBe(true);
  });
});
