import { judgeIn } from "../../evidence/reviewer.ts";
import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass, remember } from "../../kernel/policy.ts";
import { clip, text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { criticBrief, reviewerBrief } from "./brief.ts";
import { examplePlan } from "./example-plan.ts";
import { digestOfFiles, toJudge } from "./judgement.ts";

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
    "A critic or reviewer gets its criteria, files and commands from Sekisho, not from the agent whose work it judges.",
    "批評役とレビュー役は、条件・ファイル・コマンドを、判定される側のエージェントからではなく関所から受け取ります。",
  ),
  applies: (event) => judgeIn(event.agent?.type ?? "") !== undefined,

  check({ event, facts: { settings, plan, covered } }) {
    if (plan === NOT_ASKED || settings.plan.required === "off") return pass;
    const found = plan as PlanFound;
    const brief =
      judgeIn(event.agent?.type ?? "") === "critic"
        ? criticBrief(found, askedOr(covered, { files: [], isKnown: false }), settings.plan.critic)
        : reviewerBrief(found);
    const files = digestOfFiles(toJudge(askedOr(covered, { files: [], isKnown: false })));
    const begins = { record: "proof", do: "judge", agent: clip(event.agent?.id ?? "", 80), files } as const;
    return { ...remember(begins), ...(brief.length > 0 && { notes: brief }) };
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
