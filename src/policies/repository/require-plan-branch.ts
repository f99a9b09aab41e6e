import { askedOr, type PlanCommit } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE } from "../example.ts";

/** One plan, one branch: a commit for the plan stands where the plan says. Claims in a plan are told, not refused. */
export const requirePlanBranch = definePolicy({
  id: "require-plan-branch",
  only: "plans",
  on: ["PreToolUse"],
  needs: ["settings", "planCommit"],
  needsIf: {
    planCommit: ({ settings, operation }) => settings.plan.required !== "off" && operation?.shell !== undefined,
  },
  ofTheMoment: true,
  why: text(
    "A plan is reviewed and merged as one branch; a commit elsewhere is in no review.",
    "計画はひとつのブランチとしてレビューされ、マージされる。別の場所のコミットは、どのレビューにも入らない。",
  ),

  applies: (_, operation) => operation.shell !== undefined,

  check({ facts }) {
    const found = askedOr(facts.planCommit, null);
    if (!found) return pass;
    const { branch, current } = found;
    const isElsewhere = branch !== undefined && current !== undefined && branch !== current;
    return isElsewhere ? elsewhere(found.path, branch, current) : { ...pass, notes: claimed(found) };
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "all" as const } };
    const path = ".sekisho/playbooks/button.md";
    const planCommit = { path, branch: "feat/button", current: "feat/button", claims: [] };
    const when = bash("git commit -m x");
    return [
      { expect: "deny", when, given: { settings, planCommit: { ...planCommit, current: "main" } } },
      { expect: "pass", when, given: { settings, planCommit } },
      { expect: "pass", when, given: { settings, planCommit: { ...planCommit, claims: [`${path} 1`] } } },
      { expect: "pass", when, given: { settings, planCommit: null } },
      { expect: "pass", when: edit(`${PLACE}/a.ts`) },
    ];
  },
});

function elsewhere(path: string, branch: string, current: string): Ruling {
  const [plan, its, here] = [inline(path, 80), inline(branch, 80), inline(current, 80)];
  return deny({
    what: text(
      `The plan ${plan} is for the branch ${its}, and this would commit on ${here}.`,
      `計画 ${plan} はブランチ ${its} のものですが、${here} にコミットしようとしています。`,
    ),
    fix: text(
      `Go there first: \`git switch ${its}\` (\`git switch -c ${its}\` makes it). If the plan should name another branch, ask the person.`,
      `先に \`git switch ${its}\` で移ってください (なければ \`git switch -c ${its}\`)。計画のブランチを変えるなら、利用者に尋ねてください。`,
    ),
  });
}

function claimed({ claims }: PlanCommit) {
  if (claims.length === 0) return [];
  const steps = claims.map((one) => inline(one, 80)).join(", ");
  return [
    text(
      `This commit takes along steps that call themselves done, and nothing has shown it: ${steps}. Do not report them as done.`,
      `このコミットには、完了と書かれているが証明のないステップが含まれます: ${steps}。完了として報告しないでください。`,
    ),
  ];
}
