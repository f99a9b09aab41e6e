import { describe, expect, it } from "vitest";
import { changedParts, digestOf, partsOf } from "./identity.ts";
import { readPlaybook } from "./read.ts";

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

  it.each([
    ["another criterion", "Two", "Three", ["2"]],
    ["another command", "2.1 Two", "2.1 Two\n  Run: `true`", ["2"]],
    ["another goal", "What: a", "What: z", ["head"]],
    ["another block of YAML", "## 1", "```yaml\ndone_when: []\n```\n## 1", ["head"]],
    ["a new step", "## 2 B", "## 3 C\n- [ ] 3.1 X\n## 2 B", ["head", "3"]],
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
