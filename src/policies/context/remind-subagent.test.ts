import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../../hosts/index.ts";
import type { Gathered } from "../../kernel/facts.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import { withValues } from "../../state/settings/setting-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindSubagent } from "./remind-subagent.ts";

const starts = { name: "SubagentStart" as const, agent: { id: "a1", type: "general-purpose" } };
const told = (given: Gathered = {}, more: object = {}, language: "en" | "ja" = "en"): string =>
  hosts[HOST].context("SubagentStart", verdictOf(remindSubagent, { ...starts, ...more }, given), language);

describe("what a subagent is told when it starts", () => {
  it("are the rules in force", () => {
    expect(told()).toContain("another way to the same effect is refused too");
    expect(told()).toContain("main, master, develop, release/*");
    expect(told()).not.toContain("tests");
    const values = { "quality.tests": "ask", "rules.code_skill": "code-rules", "publish.branches": ["trunk"] };
    const strict = told({ settings: withValues(defaultSettings, values) });
    expect(strict).toContain("Don't weaken, skip or delete tests.");
    expect(strict).toContain("`code-rules`");
    expect(strict).toContain("to trunk.");
    expect(told({}, { attended: false })).toContain("Nobody is there");
    expect(told({ stance: { stance: "auditing", isImplicit: false } })).toContain("The stance is AUDITING");
  });

  it("fits into 1,500 characters in every profile and language, uncut", () => {
    for (const { values } of PROFILES) {
      const settings = withValues(defaultSettings, { ...values, "publish.branches": Array(20).fill("b".repeat(60)) });
      for (const language of ["en", "ja"] as const) {
        const words = told(
          { settings, stance: { stance: "planning", isImplicit: false } },
          { attended: false },
          language,
        );
        expect(words.length).toBeLessThanOrEqual(1500);
        expect(words.split("…").length).toBeLessThanOrEqual(2);
      }
    }
  });
});
