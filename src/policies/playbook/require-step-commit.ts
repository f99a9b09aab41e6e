import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { examplePlan } from "./example-plan.ts";
import { commitNotice, judgedFiles, type PassedStep, passedStep } from "./passed-step.ts";

/**
 * Where `plan.commits` says so, the work of a step is committed once it has passed. With `on` the agent makes the commit,
 * and the gate judges it like any other; with `auto` it is asked for what Sekisho could not commit.
 */
export const requireStepCommit = definePolicy({
  id: "require-step-commit",
  on: ["Stop"],
  needs: ["settings", "session", "plan", "uncommitted", "covered"],
  needsIf: {
    plan: ({ settings }) => settings.plan.commits !== "off",
    uncommitted: ({ settings }) => settings.plan.commits !== "off",
    covered: ({ settings }) => settings.plan.commits === "auto",
  },
  bound: 1,
  level: "step",
  why: text(
    "Each step gets its own commit, so that you can go back to a state that a critic has passed.",
    "ステップごとにコミットがあれば、批評役が合格にした状態へ戻れます。",
  ),
  applies: (event) => event.backgroundTasks === 0,

  check({ facts: { settings, session, plan, uncommitted, covered } }) {
    const { commits } = settings.plan;
    const passed = plan === NOT_ASKED || commits === "off" ? undefined : passedStep((plan as PlanFound).active);
    if (!passed) return pass;
    const judged = judgedFiles(askedOr(covered, { files: [], isKnown: false }));
    const isAuto = commits === "auto" && passed.of === "critic";
    // What Sekisho commits by itself is asked for only if it did not; work on the next step is not part of it.
    if (isAuto && !session.shown.includes(commitNotice(passed.key))) return pass;
    const files = askedOr(uncommitted, []).filter((path) => !isAuto || judged.includes(path));
    const notice = `commit ${passed.key}`;
    if (files.length === 0 || session.shown.includes(notice)) return pass;
    const show = { record: "session", do: "show", notice } as const;
    return { ...deny(wordsFor(passed, files)), changes: [show] };
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, commits: "on" as const } };
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const said = { agent: "a", plan: "d", files: "f", covered: 1, read: 1, ran: 1, at: 9 } as const;
    const verdicts = [{ ...said, of: "critic", step: "1", verdict: "PASS" } as const];
    const work = { at: 1, base: "", steps: {}, judged: [], verdicts };
    const plan = examplePlan({ work });
    const auto = { ...settings, plan: { ...settings.plan, commits: "auto" as const } };
    const covered = { isKnown: true, files: [{ path: "a.ts", mark: "m", isThere: true, isJudged: true }] };
    return [
      { expect: "deny", when, given: { settings, plan, uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { settings, plan, uncommitted: [] } },
      { expect: "pass", when, given: { settings, plan: examplePlan(), uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { plan, uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { settings: auto, plan, covered, uncommitted: ["a.ts"] } },
    ];
  },
});

function wordsFor({ plan, id, message }: PassedStep, files: readonly string[]) {
  const count = files.length === 1 ? "1 file is" : `${files.length} files are`;
  return {
    what: text(
      `Step ${id} of plan ${plan} has passed, and ${count} in no commit.`,
      `計画 ${plan} のステップ ${id} は合格しましたが、${files.length} 個のファイルがまだコミットされていません。`,
    ),
    fix: text(
      `Commit them: \`git add -A && git commit -m "${message}"\`. If that is refused, tell the person why.`,
      `コミットしてください: \`git add -A && git commit -m "${message}"\`。拒否されたら、その理由を利用者に伝えてください。`,
    ),
  };
}
