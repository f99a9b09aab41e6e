import { judgeIn } from "../../evidence/reviewer.ts";
import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { criticBrief, reviewerBrief } from "./brief.ts";
import { examplePlan } from "./example-plan.ts";

/** A critic or reviewer is told by us what to judge: criteria, files and commands, and the form of a verdict. */
export const remindJudge = definePolicy({
  id: "remind-judge",
  only: "plans",
  on: ["SubagentStart"],
  needs: ["settings", "plan", "covered"],
  needsIf: {
    plan: ({ event, settings }) => settings.plan.required !== "off" && judgeIn(event.agent?.type ?? "") !== undefined,
    covered: ({ event, settings }) => settings.plan.required !== "off" && judgeIn(event.agent?.type ?? "") === "critic",
  },
  why: text(
    "What is to be judged must not be chosen by whoever is judged.",
    "何を判定するかを、判定される側が選んではならない。",
  ),
  applies: (event) => judgeIn(event.agent?.type ?? "") !== undefined,

  check({ event, facts: { settings, plan, covered } }) {
    if (plan === NOT_ASKED || settings.plan.required === "off") return pass;
    const found = plan as PlanFound;
    const brief =
      judgeIn(event.agent?.type ?? "") === "critic"
        ? criticBrief(found, askedOr(covered, { files: [], isKnown: false }), settings.plan.critic)
        : reviewerBrief(found);
    return brief.length > 0 ? { ...pass, notes: brief } : pass;
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
    const when = (type: string) => ({ name: "SubagentStart", agent: { id: "a-1", type } }) as const;
    return [
      { expect: "pass", when: when("sekisho:critic"), given: { settings, plan: examplePlan() } },
      { expect: "pass", when: when("reviewer"), given: { settings, plan: { ...examplePlan(), drafts: ["button"] } } },
      { expect: "pass", when: when("critic") },
    ];
  },
});
