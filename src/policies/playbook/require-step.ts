import { NAMELESS } from "../../kernel/event.ts";
import { NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE } from "../example.ts";
import { EXAMPLE_TEXT, examplePlan } from "./example-plan.ts";
import { onStep } from "./step-gate.ts";

/** A change belongs to the step that is worked on: its turn has come, it is the agent's, and the file is in its scope. */
export const requireStep = definePolicy({
  id: "require-step",
  only: "plans",
  on: ["PreToolUse"],
  needs: ["settings", "session", "places", "targets", "standing", "scripts", "plan"],
  needsIf: { plan: ({ settings }) => settings.plan.required !== "off" },
  ofTheMoment: true,
  why: text(
    "The approved plan says which step comes first, who does it and which files it may change.",
    "承認済みの計画には、ステップの順序・担当・変更してよいファイルが書かれています。",
  ),
  applies: ({ session }, operation) => changes(operation) && session !== NAMELESS,

  check({ event, operation, facts }) {
    const { plan, settings } = facts;
    if (plan === NOT_ASKED || settings.plan.required === "off") return pass;
    const { active } = plan as PlanFound;
    if (active?.standing !== "approved") return pass;
    return onStep(event, operation, facts, plan as PlanFound);
  },

  get examples(): readonly Example[] {
    const settings = (more: object = {}) => ({
      ...defaultSettings,
      plan: { ...defaultSettings.plan, required: "code" as const, ...more },
    });
    const second = { work: { at: 1, base: "", step: "2", steps: {}, verdicts: [], judged: [] } };
    const users = EXAMPLE_TEXT.replace("Scope: src/**", "Executor: user");
    const planning = EXAMPLE_TEXT.replace("Scope: src/**", "Stance: planning");
    const code = edit(`${PLACE}/src/a.ts`);
    return [
      { expect: "pass", when: code, given: { settings: settings(), plan: examplePlan() } },
      { expect: "ask", when: edit(`${PLACE}/lib/a.ts`), given: { settings: settings(), plan: examplePlan() } },
      { expect: "ask", when: bash("sed -i s/a/b/ lib/a.ts"), given: { settings: settings(), plan: examplePlan() } },
      { expect: "deny", when: code, given: { settings: settings(), plan: examplePlan(second) } },
      { expect: "pass", when: code, given: { settings: settings({ depends: "warn" }), plan: examplePlan(second) } },
      { expect: "deny", when: code, given: { settings: settings(), plan: examplePlan({}, users) } },
      {
        expect: "pass",
        when: edit(`${PLACE}/notes.md`),
        given: { settings: settings(), plan: examplePlan({}, users) },
      },
      { expect: "deny", when: code, given: { settings: settings(), plan: examplePlan({}, planning) } },
      {
        expect: "pass",
        when: edit(`${PLACE}/notes.md`),
        given: { settings: settings(), plan: examplePlan({}, planning) },
      },
      { expect: "pass", when: edit(`${PLACE}/lib/a.ts`), given: { plan: examplePlan() } },
    ];
  },
});
