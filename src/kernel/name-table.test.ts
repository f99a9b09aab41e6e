import { describe, expect, it } from "vitest";
import { FEW, names } from "./name-table.ts";

describe("names", () => {
  const asked = ["cat", "[", "grep", "gre", "rep", "", " ", "cat grep", "cat ", " grep", "\n"];

  it("answers the same whether it is asked for the first time or all day", () => {
    const table = names("[ cat grep git");
    const first = asked.map((name) => names("[ cat grep git").has(name));
    for (let times = 0; times <= FEW; times += 1) table.has("git");
    expect(asked.map((name) => table.has(name))).toEqual(first);
    expect(first).toEqual(asked.map((name) => ["[", "cat", "grep", "git"].includes(name)));
  });
});
