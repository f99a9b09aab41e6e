import { expect, it } from "vitest";
import { clip, table, width, wrap } from "./print.ts";

it.each([
  ["status", 6],
  ["関所はこれを止めます", 20],
  ["ｶﾅ", 2],
  ["ガ".normalize("NFD"), 2],
  ["「確認」、直して。", 18],
  ["Ａ１　〜", 8],
  ["e\u0301", 1],
  ["✔ ✖ ✘ ! … → – · █░▇▁ ↵", 22],
  ["👍👨‍👩‍👧🇯🇵", 6],
  ["\u001b[31m赤\u001b[39m", 2],
])("%j takes %i columns", (text, columns) => expect(width(text)).toBe(columns));

it.each([
  ["npm test", 8, "npm test"],
  ["npm run test", 8, "npm run…"],
  ["関所はこれ", 10, "関所はこれ"],
  ["関所はこれを", 10, "関所はこ…"],
  ["関所はこれを", 11, "関所はこれ…"],
  ["👍👍👍", 4, "👍…"],
  ["anything", 0, "…"],
])("%j in %i columns is %j", (text, columns, clipped) => expect(clip(text, columns)).toBe(clipped));

it("cells line up in both languages", () => {
  expect(
    table([
      ["関所", "a", "x"],
      ["b", "確認", "y"],
    ]),
  ).toBe("関所  a     x\nb     確認  y");
});

it("Japanese breaks after its own marks, and every line keeps within the edge", () => {
  const text = "関所はこれを止めます。直してから、もう一度試してください。";
  expect(wrap(text, 30, "  ").split("\n")).toEqual([
    "関所はこれを止めます。",
    "  直してから、",
    "  もう一度試してください。",
  ]);
});
