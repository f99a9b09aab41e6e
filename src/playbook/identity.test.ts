import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { changedParts, digestOf, partsOf } from "./identity.ts";
import { readPlaybook } from "./read.ts";
import { readV16 } from "./v16.ts";

const TEXT = "# P\nWhat: a\nWhy: b\n## 1 A\n- [ ] 1.1 One\n## 2 B\n- [ ] 2.1 Two\n";
const of = (text: string) => readPlaybook(text);

describe("what an approval is bound to", () => {
  it("ticking a box or setting a status leaves it as it is", () => {
    expect(digestOf(of(TEXT.replace("[ ] 1.1", "[x] 1.1").replace("## 2", "Status: done\n## 2")))).toBe(
      digestOf(of(TEXT)),
    );
  });

  it("blank lines and a validation leave it as it is", () => {
    expect(digestOf(of(TEXT.replace("One\n", "One\n\n  technical: PASS – 3 passed\n")))).toBe(digestOf(of(TEXT)));
  });

  it("of two steps with the same id, neither can be changed unseen", () => {
    const twice = TEXT.replace("## 2 B", "## 1 B");
    for (const [from, to] of [
      ["1.1 One", "1.1 Anything"],
      ["2.1 Two", "2.1 Anything"],
    ] as const)
      expect(digestOf(of(twice.replace(from, to)))).not.toBe(digestOf(of(twice)));
    expect(of(twice).steps.map(({ id, repeats }) => [id, repeats])).toEqual([
      ["1", undefined],
      ["1-2", "1"],
    ]);
  });

  it("a plan of version 16 is the same to a gate, which reads no YAML, and to a command, which does", () => {
    const goal = "summary: one button\ndone_when: [it works]";
    const head = `# p.md\n## meta\n\`\`\`yaml\nproject: p\nbranch: feat/p\n\`\`\`\n## goal\n\`\`\`yaml\n${goal}\n\`\`\`\n`;
    const steps = "### p1: one\n- [ ] **p1.1**: it is there\n";
    const command = readV16(head + steps, parse);
    expect(command.what).toBe("one button");
    expect(digestOf(command)).toBe(digestOf(of(head + steps)));
    expect(digestOf(of(head.replace("one button", "two") + steps))).not.toBe(digestOf(command));
  });

  it("other line breaks, bullets and endings leave its prose as it is, and notes may grow", () => {
    const said = `${TEXT}It must not touch\nthe login.\n\n- no new package\n`;
    const again = said.replace("touch\nthe", "touch the").replace("- no", "* no").replaceAll("\n", "\r\n");
    expect(digestOf(of(again))).toBe(digestOf(of(said)));
    for (const heading of ["## Notes", "### Decision log", "## 作業記録"])
      expect(digestOf(of(`${said}\n${heading}\n\nThe cache was stale.\n`))).toBe(digestOf(of(said)));
  });

  it.each([
    ["another criterion", "Two", "Three", ["2"]],
    ["another command", "2.1 Two", "2.1 Two\n  Run: `true`", ["2"]],
    ["another goal", "What: a", "What: z", ["head"]],
    ["another block of YAML", "## 1", "```yaml\ndone_when: []\n```\n## 1", ["head"]],
    ["a new step", "## 2 B", "## 3 C\n- [ ] 3.1 X\n## 2 B", ["head", "3"]],
    ["words below a box", "1.1 One", "1.1 One\n  - without a new package", ["1"]],
    ["a comment that nobody sees on the page", "1.1 One", "1.1 One\n  <!-- or not -->", ["1"]],
    ["other code below a box", "1.1 One", "1.1 One\n\n```ts\nreturn 1\n```\n", ["1"]],
    ["a field that means nothing where it stands", "1.1 One", "1.1 One\n  Scope: everything", ["1"]],
    ["a section without steps", "## 1 A", "## Out of scope\nthe login\n## 1 A", ["head"]],
    ["a letter that looks the same", "1.1 One", "1.1 \u041ene", ["1"]],
    ["a character that nobody sees", "1.1 One", "1.1 O\u200bne", ["1"]],
    ["a step less", "## 2 B\n- [ ] 2.1 Two\n", "", ["head", "2"]],
  ])("%s is a difference", (_, before, after, changed) => {
    const now = of(TEXT.replace(before, after));
    expect(digestOf(now)).not.toBe(digestOf(of(TEXT)));
    expect(changedParts(partsOf(of(TEXT)), partsOf(now))).toEqual(changed);
  });

  it("a plan of 200 steps stays small in the journal", () => {
    const steps = Array.from({ length: 200 }, (_, at) => `## ${at + 1} S\n- [ ] ${at + 1}.1 X\n`).join("");
    expect(JSON.stringify(partsOf(of(steps))).length).toBeLessThan(1500);
  });
});
