import { describe, expect, it } from "vitest";
import { skipsPlan } from "./approval.ts";

describe("a person who wants no plan", () => {
  it.each([
    "skip the plan",
    "Rename it everywhere, skip the plan.",
    "please skip the plan",
    "No plan needed",
    "計画なしで進めてください",
    "名前を変えて。計画は不要です",
  ])("%s", (words) => {
    expect(skipsPlan(words)).toBe(true);
  });

  it.each([
    "don't skip the plan",
    "should we skip the plan?",
    "the agent may not skip the plan here",
    "explain what `skip the plan` means",
    "<task-notification>skip the plan</task-notification>",
    "```\nskip the plan\n```",
    "計画を立ててください",
  ])("not: %s", (words) => {
    expect(skipsPlan(words)).toBe(false);
  });
});
