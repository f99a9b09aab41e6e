import { describe, expect, it } from "vitest";
import { boxesIn } from "./plan-boxes.ts";

const lines = (...all: readonly string[]): string => all.join("\n");
const counts = (markdown: string): string => {
  const { done, total } = boxesIn(markdown);
  return `${done}/${total}`;
};

describe("MD-59 checkboxes of a plan", () => {
  it.each([
    ["an open one", "- [ ] a", "0/1"],
    ["a small x", "- [x] a", "1/1"],
    ["a capital X", "- [X] a", "1/1"],
    ["other bullets", lines("* [x] a", "+ [ ] b"), "1/2"],
    ["numbered", lines("1. [x] a", "2) [ ] b", "12. [x] c"), "2/3"],
    ["any indent", lines("- [x] a", "    - [ ] b", "\t\t- [x] c", `${" ".repeat(40)}- [ ] d`), "2/4"],
    ["a box without words", lines("- [ ]", "- [x]"), "1/2"],
    ["Windows line ends", "- [x] a\r\n- [ ] b\r\n", "1/2"],
    ["old line ends", "- [x] a\r- [ ] b", "1/2"],
  ])("%s", (_, markdown, expected) => {
    expect(counts(markdown)).toBe(expected);
  });

  it.each([
    ["nothing", ""],
    ["no list item", "[ ] a"],
    ["no room before the box", "-[ ] a"],
    ["no room within it", "- [] a"],
    ["another sign", "- [-] a"],
    ["words right behind it", "- [x](link)"],
    ["in a sentence", "tick - [ ] when done"],
    ["in a quote", "> - [ ] a"],
  ])("%s is not a checkbox", (_, markdown) => {
    expect(counts(markdown)).toBe("0/0");
  });

  it.each([
    ["backticks", lines("- [x] a", "```", "- [ ] b", "```", "- [ ] c"), "1/2"],
    ["with a language", lines("```md", "- [ ] b", "```", "- [x] c"), "1/1"],
    ["tildes", lines("~~~", "- [ ] b", "~~~", "- [x] c"), "1/1"],
    ["indented, in a list", lines("- [x] a", "  ```", "  - [ ] b", "  ```"), "1/1"],
    [
      "a longer fence around a shorter one",
      lines("````", "```", "- [ ] b", "```", "- [ ] c", "````", "- [x] d"),
      "1/1",
    ],
    ["backticks within tildes", lines("~~~", "```", "- [ ] b", "~~~", "- [x] c"), "1/1"],
    ["a language ends no fence", lines("```md", "```js", "- [ ] b", "```", "- [x] c"), "1/1"],
    ["one that is never closed", lines("- [x] a", "```", "- [ ] b"), "1/1"],
    ["code within a line is no fence", lines("```npm test``` first", "- [ ] b"), "0/1"],
  ])("checkboxes in fenced code do not count: %s", (_, markdown, expected) => {
    expect(counts(markdown)).toBe(expected);
  });

  it("MD-58 the first five open items are named and truncated", () => {
    const { open } = boxesIn(
      lines("- [x] done", ...[1, 2, 3, 4, 5, 6].map((at) => `- [ ]   item ${at} `), `- [ ] ${"x".repeat(200)}`),
    );
    expect(open).toEqual(["item 1", "item 2", "item 3", "item 4", "item 5"]);
    expect(boxesIn(`- [ ] ${"x".repeat(200)}`).open).toEqual(["x".repeat(80)]);
  });

  it("a secret is masked before the item is truncated", () => {
    const [item] = boxesIn(`- [ ] ${"x".repeat(60)} ghp_${"a".repeat(36)}`).open;
    expect(item).toBe(`${"x".repeat(60)} *****`);
  });

  it("all items of a huge plan are counted", () => {
    expect(counts("- [ ] one more thing to do\n".repeat(10_000))).toBe("0/10000");
  });

  // With quadratic backtracking some of these take minutes, and the test would time out.
  it.each([
    ["blanks before a separator", `- [ ]${" ".repeat(200_000)}a\u2028b`],
    ["blanks before a lone return", `- [ ]${" ".repeat(200_000)}a\rb`],
    ["blanks only", " ".repeat(250_000)],
    ["backticks", `${"`".repeat(200_000)}a\`b`],
    ["digits", "1".repeat(250_000)],
  ])("a hostile plan is parsed in time: %s", (_, markdown) => {
    expect(boxesIn(markdown).done).toBe(0);
  });
});
