import { describe, expect, it } from "vitest";
import { planModeFile } from "./plan-mode.ts";
import { readPlaybook } from "./read.ts";

describe("a plan of the host's plan mode as a playbook", () => {
  it.each([
    ["a numbered list", "# Plan: Greeting\n\nIt is wrong.\n\n1. edit\n2. test\n", "greeting", ["edit", "test"]],
    ["prose only", "Just change the greeting.\n", "plan", ["Just change the greeting."]],
    ["an open code block", "# Fix\n\n- run\n\n```sh\nnpm test\n", "fix", ["run"]],
    ["a conflict", "# Fix\n<<<<<<< HEAD\n- one\n=======\n- two\n>>>>>>> x\n", "fix", ["one", "two"]],
    ["Japanese", "# 挨拶の修正\n\n- 直す\n", "挨拶の修正", ["直す"]],
    ["a name that leads elsewhere", "# ../../etc/passwd\n\n- one\n", "etc-passwd", ["one"]],
  ])("%s gives boxes that can be read, and the plan stays word for word", (_, plan, slug, boxes) => {
    const { name, text } = planModeFile(plan);
    const { faults, steps } = readPlaybook(text);
    expect(name).toMatch(new RegExp(`^${slug}-[0-9a-f]{6}$`));
    expect(faults).toEqual([]);
    expect(steps.flatMap(({ subtasks }) => subtasks.map(({ criterion }) => criterion))).toEqual(boxes);
    expect(text).toContain(plan.trimEnd());
  });

  it("a plan with steps of its own stays as it is", () => {
    const plan = "# Button\n\n## 1 Component\n\n- [ ] 1.1 It shows its label\n";
    expect(planModeFile(plan).text).toBe(plan);
  });

  it("another plan has another name", () => {
    expect(planModeFile("# A\n\n- one\n").name).not.toBe(planModeFile("# A\n\n- two\n").name);
  });
});
