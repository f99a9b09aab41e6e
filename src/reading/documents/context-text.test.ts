import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { progressIn, withStamp } from "./context-text.ts";

const headings = (text: string): readonly string[] => progressIn(text).entries.map(({ heading }) => heading);

describe("progress entries", () => {
  it("GT-51 start at level-2 headings outside code blocks", () => {
    expect(headings("# Progress\n\n## One\na\n### no\n ## no\n##no\n## Two ##  \r\nb\n")).toEqual(["One", "Two ##"]);
    expect(headings("```\n## no\n```\n## yes\n~~~~\n## no\n~~~\n## no\n~~~~\n## yes too\n")).toEqual([
      "yes",
      "yes too",
    ]);
    expect(headings("")).toEqual([]);
  });

  it("GT-53 head and entries together always equal the text", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("## a", "```", "~~~", "", "# b", "## "));
    const text = fc.array(line).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, (given) => {
        const { head, entries } = progressIn(given);
        expect(`${head}${entries.map((entry) => entry.text).join("")}`).toBe(given);
      }),
    );
  });
});

describe("GT-53 the date in the plan", () => {
  it.each([
    ["# Plan\n\nBuild.\n", "# Plan\nLast compacted: T\n\nBuild.\n"],
    ["# Plan\nLast compacted: before\nBuild.\n", "# Plan\nLast compacted: T\nBuild.\n"],
    ["# Plan\r\nBuild.\r\n", "# Plan\r\nLast compacted: T\r\nBuild.\r\n"],
    ["# Plan\r\n\r\nLast compacted: before\r\n", "# Plan\r\n\r\nLast compacted: T\r\n"],
    ["# Plan", "# Plan\nLast compacted: T\n"],
    ["", "Last compacted: T\n"],
  ])("%j becomes %j", (before, after) => {
    expect(withStamp(before, "T")).toBe(after);
    expect(withStamp(after, "T")).toBe(after);
  });
});
