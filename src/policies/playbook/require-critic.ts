import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { EXAMPLE_TEXT, examplePlan } from "./example-plan.ts";
import { type OwedCritic, owedCritic } from "./owed-critic.ts";

/** Whoever did the work cannot say that it is done: a step or a plan that claims it needs a critic's PASS. */
export const requireCritic = definePolicy({
  id: "require-critic",
  only: "plans",
  on: ["Stop"],
  needs: ["settings", "plan", "covered"],
  needsIf: {
    plan: ({ settings }) => isAsked(settings.plan),
    covered: ({ settings }) => isAsked(settings.plan),
  },
  bound: 3,
  level: "step",
  why: text(
    "Whoever made something is the last to see what is wrong with it.",
    "作った本人ほど、その誤りに気付きにくい。",
  ),
  applies: (event) => event.backgroundTasks === 0,

  check({ facts: { settings, plan, covered } }) {
    if (plan === NOT_ASKED || !isAsked(settings.plan)) return pass;
    const { active } = plan as PlanFound;
    if (active?.standing !== "approved") return pass;
    const owed = owedCritic(active, askedOr(covered, { files: [], isKnown: false }), settings.plan.critic);
    if (owed === undefined) return pass;
    const name = inline(active.path.replace(/^.*\//, "").replace(/\.md$/, ""), 60);
    if (owed.isSpent) return { ...pass, owing: true, notices: [spentWords(owed, name)] };
    return deny({ what: whatIs(owed, name), fix: fixFor(owed) });
  },

  get examples(): readonly Example[] {
    const settings = (critic: "end" | "step") => ({
      ...defaultSettings,
      plan: { ...defaultSettings.plan, required: "code" as const, critic },
    });
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const one = EXAMPLE_TEXT.replace("[ ] 1.1", "[x] 1.1");
    const both = one.replace("[ ] 2.1", "[x] 2.1");
    return [
      { expect: "pass", when, given: { settings: settings("step"), plan: examplePlan() } },
      { expect: "deny", when, given: { settings: settings("step"), plan: examplePlan({}, one) } },
      { expect: "pass", when, given: { settings: settings("end"), plan: examplePlan({}, one) } },
      { expect: "deny", when, given: { settings: settings("end"), plan: examplePlan({}, both) } },
      { expect: "pass", when, given: { plan: examplePlan({}, both) } },
    ];
  },
});

function isAsked({ required, critic }: { readonly required: string; readonly critic: string }): boolean {
  return required !== "off" && critic !== "off";
}

function whatIs({ step, changed }: OwedCritic, name: string): Text {
  if (changed) {
    const paths = changed
      .slice(0, 3)
      .map((path) => inline(path, 60))
      .join(", ");
    const more = changed.length > 3 ? ` (+${changed.length - 3})` : "";
    return text(
      `Not done yet: ${paths}${more} changed after the critic passed plan ${name}.`,
      `まだ完了していません。批評役が計画 ${name} を通した後に ${paths}${more} が変わりました。`,
    );
  }
  const what = step
    ? [`step ${inline(step.step.id, 20)} of plan ${name}`, `計画 ${name} のステップ ${inline(step.step.id, 20)}`]
    : [`plan ${name}`, `計画 ${name}`];
  return text(
    `Not done yet: ${what[0]} says it is done, and no critic has passed it.`,
    `まだ完了していません。${what[1]} は完了とされていますが、批評役の判定がありません。`,
  );
}

function fixFor({ step }: OwedCritic): Text {
  const id = step ? inline(step.step.id, 20) : "ID";
  return text(
    `Start the subagent \`sekisho:critic\` (Agent tool): it is told what to judge. Or let the person run \`sekisho playbook step ${id} done\`.`,
    `サブエージェント \`sekisho:critic\` を起動してください (Agent ツール)。判定の対象は関所が伝えます。または利用者に \`sekisho playbook step ${id} done\` を実行してもらってください。`,
  );
}

function spentWords({ step }: OwedCritic, name: string): Text {
  const what = step ? `step ${inline(step.step.id, 20)} of plan ${name}` : `plan ${name}`;
  return text(
    `The critic has failed ${what} as often as the plan allows. Look at it yourself: \`sekisho playbook status ${name}\`.`,
    `批評役の不合格が、計画で決めた回数に達しました (${what})。ご自身で確認してください: \`sekisho playbook status ${name}\`。`,
  );
}
