import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { withValues } from "../../state/settings/setting-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import type { Stance } from "../../state/stance.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindStance } from "./remind-stance.ts";

const told = (stance: Stance, isImplicit: boolean, more: Gathered = {}) => {
  const when = { name: "SessionStart" as const, source: "startup" };
  const { notes, notices } = verdictOf(remindStance, when, { stance: { stance, isImplicit }, ...more });
  return { agent: notes.map(({ en }) => en).join(), person: notices.map(({ en }) => en).join() };
};

describe("TR-66 a stance", () => {
  it("TR-66 that is only the default is announced to the person where it restricts something", () => {
    expect(told("planning", true).person).toBe("the stance is PLANNING, by default; `sekisho stance` sets it.");
    expect(told("planning", false).person).toBe("");
    const oath = withValues(defaultSettings, { "profile.trust_gate": "domain" });
    expect(told("building", true, { settings: oath }).person).toContain("BUILDING, by default");
    expect(told("building", true)).toEqual({ agent: "", person: "" });
  });

  it("that restricts something is announced to the agent, whether it is set or the default", () => {
    expect(told("planning", false).agent).toContain(
      "the stance is PLANNING. Reading, tests and plans below docs/ are open",
    );
    expect(told("auditing", true).agent).toContain("the stance is AUDITING. Only reading is open");
  });
});
