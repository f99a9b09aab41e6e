import { asksForSkills, rulesInForce } from "../../evidence/default-rules.ts";
import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { onClosing } from "./closing-gate.ts";

const ID = "require-closing-evidence";
const BOUND = 5;

/** Applies the evidence rules that people have written for the end of a turn or a task. */
export const requireClosingEvidence = definePolicy({
  id: ID,
  on: ["Stop", "TaskCompleted"],
  needs: ["now", "session", "settings", "places", "checkedTrees", "personChecks", "skills", "host"],
  needsIf: { skills: ({ settings }) => asksForSkills(settings) },
  bound: BOUND,
  level: "closing",
  why: text(
    "What a project asks for at the end is asked for each time, not when somebody remembers it.",
    "終わりに求めることは、思い出したときだけでなく毎回求める。",
  ),
  applies: (event) => event.name !== "Stop" || event.backgroundTasks === 0,

  check({ event, facts }) {
    const all = rulesInForce(facts.settings, askedOr(facts.skills, []), facts.host.skillsDirectory);
    const rules = all.filter(({ when }) => when.event === event.name);
    return rules.length === 0 ? pass : onClosing(event, facts, rules, { id: ID, bound: BOUND });
  },

  get examples(): readonly Example[] {
    const rule: EvidenceRule = {
      name: "changelog",
      when: { event: "Stop" },
      need: { evidence: "change", of: "CHANGELOG.md", freshness: "session" },
      else: "block",
    };
    const settings = { ...defaultSettings, gates: { ...defaultSettings.gates, rules: [rule] } };
    const written = boundSession({ written: ["/home/dev/project/CHANGELOG.md"] });
    return [
      { expect: "deny", when: { name: "Stop", backgroundTasks: 0, lastMessage: "" }, given: { settings } },
      { expect: "pass", when: { name: "Stop", backgroundTasks: 1, lastMessage: "" }, given: { settings } },
      {
        expect: "pass",
        when: { name: "Stop", backgroundTasks: 0, lastMessage: "" },
        given: { settings, session: written },
      },
    ];
  },
});
