import { describe, expect, it } from "vitest";
import { growsFaster } from "../../test/growth.ts";
import { readPlaybook } from "./read.ts";

/** An agent may write any file as a plan, and a gate waits for the reader. */
describe("the time to read a plan grows with its length", () => {
  it.each([
    ["a heading with blanks", (size: number) => `# a${" ".repeat(size)}b\n`],
    ["a heading with number signs", (size: number) => `# a${" #".repeat(size / 2)}b\n`],
    ["a command of backticks", (size: number) => `- [ ] x\n  Run: ${"`".repeat(size)}b\n`],
    ["a command of blanks", (size: number) => `- [ ] x\n  Run: \`${" ".repeat(size)}b\n`],
    ["dependencies that never end", (size: number) => `- [ ] 1.1 ${"(depends on ".repeat(size / 12)}\n`],
    ["labels", (size: number) => `- [ ] ${"[P] ".repeat(size / 4)}x\n`],
    ["open code blocks", (size: number) => "```\n".repeat(size / 4)],
    ["steps of the same name", (size: number) => "## 1 A\n- [ ] 1.1 a\n".repeat(size / 20)],
    ["conflicts", (size: number) => "<<<<<<< \n".repeat(size / 9)],
  ])("%s", (_, text) => {
    expect(growsFaster((size) => readPlaybook(text(size)), 16 * 1024)).toBeUndefined();
  });
});
