import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import type { Job } from "../../kernel/job.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { examplePlan } from "./example-plan.ts";
import { commitNotice, judgedFiles, passedStep } from "./passed-step.ts";

/** With `plan.commits: auto` Sekisho commits a step once its critic has passed it: the files that it judged, as they were. */
export const runStepCommit = definePolicy({
  id: "run-step-commit",
  on: ["PostToolUse", "Stop"],
  needs: ["settings", "session", "plan", "covered", "uncommitted"],
  needsIf: {
    plan: ({ settings }) => settings.plan.commits === "auto",
    covered: ({ settings }) => settings.plan.commits === "auto",
    uncommitted: ({ settings }) => settings.plan.commits === "auto",
  },
  why: text(
    "Each step gets its own commit, so that you can go back to a state that a critic has passed.",
    "ステップごとにコミットがあれば、批評役が合格にした状態へ戻れます。",
  ),
  // A critic ends before the call that started it, or in the background before the end of the turn.
  applies: (event) => event.name === "Stop" || event.tool.kind === "agent",

  check({ facts: { settings, session, plan, covered, uncommitted } }) {
    if (plan === NOT_ASKED || settings.plan.commits !== "auto") return pass;
    const { active, root } = plan as PlanFound;
    const passed = passedStep(active);
    if (!active || !passed || passed.of !== "critic") return pass;
    const notice = commitNotice(passed.key);
    const open = askedOr(uncommitted, []);
    const files = judgedFiles(askedOr(covered, { files: [], isKnown: false })).filter((path) => open.includes(path));
    if (session.shown.includes(notice) || files.length === 0) return pass;
    const { branch } = active.work ?? {};
    const job: Job = {
      job: "commit-step",
      ...{ root, plan: active.path, step: passed.id, message: passed.message, files },
      ...(branch !== undefined && { branch }),
    };
    return { ...pass, changes: [{ record: "session", do: "show", notice }], jobs: [job] };
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, commits: "auto" as const } };
    const when = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const said = { agent: "a", plan: "d", files: "f", covered: 1, read: 1, ran: 1, at: 9 } as const;
    const verdicts = [{ ...said, of: "critic", step: "1", verdict: "PASS" } as const];
    const plan = examplePlan({ work: { at: 1, base: "", steps: {}, judged: [], verdicts } });
    const covered = { isKnown: true, files: [{ path: "a.ts", mark: "m", isThere: true, isJudged: true }] };
    return [
      { expect: "pass", when, given: { settings, plan, covered, uncommitted: ["a.ts"] } },
      { expect: "pass", when, given: { plan, covered, uncommitted: ["a.ts"] } },
    ];
  },
});
