import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import type { PlanVerdict } from "../../state/plan-work.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { examplePlan } from "./example-plan.ts";

/**
 * Where `plan.commits` says so, the work of a step is committed once it has passed. The agent makes the commit, so that
 * the gate judges it like any other; one that is refused there is not made.
 */
export const requireStepCommit = definePolicy({
  id: "require-step-commit",
  on: ["Stop"],
  needs: ["settings", "session", "plan", "uncommitted"],
  needsIf: {
    plan: ({ settings }) => settings.plan.commits === "on",
    uncommitted: ({ settings }) => settings.plan.commits === "on",
  },
  bound: 1,
  level: "step",
  why: text("A step that has passed is a point to come back to.", "合格したステップは、戻ってこられる地点になる。"),
  applies: (event) => event.backgroundTasks === 0,

  check({ facts: { settings, session, plan, uncommitted } }) {
    if (plan === NOT_ASKED || settings.plan.commits !== "on") return pass;
    const { active } = plan as PlanFound;
    const passed = active?.work?.verdicts.findLast(({ step, verdict }) => step !== undefined && verdict === "PASS");
    const files = askedOr(uncommitted, []);
    if (active?.standing !== "approved" || !passed || files.length === 0) return pass;
    const notice = `commit ${inline(active.path, 60)} ${passed.step} ${passed.at}`;
    if (session.shown.includes(notice)) return pass;
    const show = { record: "session", do: "show", notice } as const;
    return { ...deny(wordsFor(active, passed, files)), changes: [show] };
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, commits: "on" as const } };
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const said = { agent: "a", plan: "d", files: "f", covered: 1, read: 1, ran: 1, at: 9 } as const;
    const verdicts = [{ ...said, of: "critic", step: "1", verdict: "PASS" } as const];
    const work = { at: 1, base: "", steps: {}, judged: [], verdicts };
    const plan = examplePlan({ work });
    return [
      { expect: "deny", when, given: { settings, plan, uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { settings, plan, uncommitted: [] } },
      { expect: "pass", when, given: { settings, plan: examplePlan(), uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { plan, uncommitted: ["a.ts"] } },
    ];
  },
});

function wordsFor(
  { path, playbook }: NonNullable<PlanFound["active"]>,
  { step = "" }: PlanVerdict,
  files: readonly string[],
) {
  const [name, id] = [plain(path.replace(/^.*\//, "").replace(/\.md$/, "")), plain(step)];
  const title = plain(playbook?.steps.find((one) => one.id === step)?.title ?? "");
  const count = files.length === 1 ? "1 file is" : `${files.length} files are`;
  return {
    what: text(
      `Step ${id} of plan ${name} has passed, and ${count} in no commit.`,
      `計画 ${name} のステップ ${id} は合格しましたが、${files.length} 個のファイルがまだコミットされていません。`,
    ),
    fix: text(
      `Commit them: \`git add -A && git commit -m "feat(${name}): ${id} ${title}"\`. If that is refused, tell the person why.`,
      `コミットしてください: \`git add -A && git commit -m "feat(${name}): ${id} ${title}"\`。拒否されたら、その理由を利用者に伝えてください。`,
    ),
  };
}

/** Only what a shell takes literally inside double quotes. */
function plain(words: string): string {
  return inline(words, 40).replace(/[^\p{L}\p{N} ._,:-]/gu, "");
}
