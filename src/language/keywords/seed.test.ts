/** The patterns of the original vocabulary (MD-24), bare and with an object, and the modes as titles of an order. */
import { describe, expect, it } from "vitest";
import orders from "../../../test/orders.json" with { type: "json" };
import { keywordsIn } from "./keywords.ts";

const HEARD: Readonly<Record<string, readonly string[]>> = orders.heard;

describe.each(Object.keys(HEARD))("MD-24 %s is heard", (keyword) => {
  it.each(HEARD[keyword] ?? [])("in %j", (prompt) => expect(keywordsIn(prompt)).toContain(keyword));
});

describe("MD-25 across clauses", () => {
  it("an order that is taken back starts nothing", () => {
    for (const prompt of HEARD["cancel"] ?? []) expect([prompt, keywordsIn(prompt)]).toEqual([prompt, ["cancel"]]);
  });

  it("a word of the task takes nothing back", () => {
    expect(keywordsIn("turbo: add a cancel button")).toEqual(["turbo"]);
    expect(keywordsIn("turbo: implement the dialog with save, cancel")).toEqual(["turbo"]);
    expect(keywordsIn("ターボモードで、キャンセル処理を実装して")).toEqual(["turbo"]);
    expect(keywordsIn("注文を確認して、キャンセルして")).toEqual([]);
  });

  it("the keyword that overrides another does so from any clause", () => {
    expect(keywordsIn("市場を調査して、検索機能を追加して")).toEqual(["research-pilot"]);
    expect(keywordsIn("検索機能を追加して、バグを修正して")).toEqual(["feature-pilot"]);
    expect(keywordsIn("市場を調査して、検索機能を追加して、バグを修正して")).toEqual(["research-pilot"]);
    expect(keywordsIn("ポートフォリオを分析して、競合他社と比較して")).toEqual(["analyze-pipeline"]);
    expect(keywordsIn("run a feasibility study, then add a new export feature")).toEqual(["research-pilot"]);
  });
});
