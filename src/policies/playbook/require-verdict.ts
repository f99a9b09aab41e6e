import { judgeIn } from "../../evidence/reviewer.ts";
import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { bareName } from "../../state/session/proof.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { examplePlan } from "./example-plan.ts";
import { judgementOf } from "./judgement.ts";
import { isOwnMaking } from "./own-making.ts";

/** The word of a critic or reviewer counts if it has looked at everything and says so in the form. Else it goes back. */
export const requireVerdict = definePolicy({
  id: "require-verdict",
  only: "plans",
  on: ["SubagentStop"],
  needs: ["session", "settings", "host", "plan", "covered"],
  needsIf: {
    plan: ({ event, settings }) => settings.plan.required !== "off" && isJudge(event),
    covered: ({ event, settings }) => settings.plan.required !== "off" && judgeIn(event.agent?.type ?? "") === "critic",
  },
  bound: 2,
  why: text(
    "A judgement on files that nobody opened is a guess.",
    "開いてもいないファイルについての判定は、推測にすぎない。",
  ),
  applies: (event) => bareName(event.agent?.type ?? "") === "pm" || isJudge(event),

  check({ event, facts }) {
    const { plan, session, settings } = facts;
    if (settings.plan.required === "off") return pass;
    if (!isJudge(event)) return remember({ record: "proof", do: "helper", type: "pm" });
    if (plan === NOT_ASKED || isOwnMaking(event.agent?.type ?? "", session, facts.host)) return pass;
    const covered = askedOr(facts.covered, { files: [], isKnown: false });
    const judgement = judgementOf(event, facts, plan as PlanFound, covered);
    if (judgement === undefined) return pass;
    if ("change" in judgement) return remember(judgement.change);
    return deny({
      what: judgement.lacks,
      fix: text(
        "Do what is missing, then report again with the same kind of last line.",
        "足りないことを行い、同じ形の最後の行でもう一度報告してください。",
      ),
    });
  },

  get examples(): readonly Example[] {
    const agent = { id: "a-1", type: "sekisho:critic" };
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
    const when = (lastMessage: string) => ({ name: "SubagentStop", agent, lastMessage }) as const;
    return [
      { expect: "deny", when: when("All good.\nVERDICT: PASS step 1"), given: { settings, plan: examplePlan() } },
      { expect: "deny", when: when("Looks fine to me."), given: { settings, plan: examplePlan() } },
      { expect: "pass", when: when("1.1 is missing.\nVERDICT: FAIL step 1"), given: { settings, plan: examplePlan() } },
      { expect: "pass", when: when("Looks fine to me.") },
    ];
  },
});

function isJudge({ agent }: { readonly agent?: { readonly type: string } }): boolean {
  return judgeIn(agent?.type ?? "") !== undefined;
}
