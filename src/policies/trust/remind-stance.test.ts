import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { withValues } from "../../state/setting-rules.ts";
import { defaultSettings } from "../../state/settings.ts";
import type { Stance } from "../../state/stance.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { remindStance } from "./remind-stance.ts";

describePolicy(remindStance);

const told = (stance: Stance, isImplicit: boolean, more: Gathered = {}) => {
  const when = { name: "SessionStart" as const, source: "startup" };
  const { notes, notices } = verdictOf(remindStance, when, { stance: { stance, isImplicit }, ...more });
  return { agent: notes.map(({ en }) => en).join(), person: notices.map(({ en }) => en).join() };
};

describe("TR-66 a stance", () => {
  it("TR-66 that nobody has set is announced where it is felt", () => {
    expect(told("planning", true).person).toBe("the stance is PLANNING, by default; `sekisho stance` sets it.");
    expect(told("planning", false).person).toBe("");
    const oath = withValues(defaultSettings, { "profile.trust_gate": "domain" });
    expect(told("building", true, { settings: oath }).person).toContain("BUILDING, by default");
    expect(told("building", true)).toEqual({ agent: "", person: "" });
  });

  it("that closes something is told to the agent, whoever has set it", () => {
    expect(told("planning", false).agent).toContain(
      "the stance is PLANNING. Reading, tests and plans below docs/ are open",
    );
    expect(told("auditing", true).agent).toContain("the stance is AUDITING. Only reading is open");
  });
});
