import { describe, expect, it } from "vitest";
import { differenceOf, digestOf, digestsOf } from "./identity.ts";
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
    ["another criterion", "Two", "Three", { head: false, added: [], changed: ["2"], removed: [] }],
    ["another command", "2.1 Two", "2.1 Two\n  Run: `true`", { head: false, added: [], changed: ["2"], removed: [] }],
    ["another goal", "What: a", "What: z", { head: true, added: [], changed: [], removed: [] }],
    ["a new step", "## 2 B", "## 3 C\n- [ ] 3.1 X\n## 2 B", { head: true, added: ["3"], changed: [], removed: [] }],
    ["a step less", "## 2 B\n- [ ] 2.1 Two\n", "", { head: true, added: [], changed: [], removed: ["2"] }],
  ])("%s is a difference", (_, before, after, difference) => {
    const changed = of(TEXT.replace(before, after));
    expect(digestOf(changed)).not.toBe(digestOf(of(TEXT)));
    expect(differenceOf(digestsOf(of(TEXT)), digestsOf(changed))).toEqual(difference);
  });
});
