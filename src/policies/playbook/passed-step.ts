/** The step that has passed last, and how its commit is called. */
import type { Covered, PlanFound } from "../../kernel/facts.ts";
import { inline } from "../../lib/text.ts";
import type { PlanVerdict } from "../../state/plan-work.ts";

export interface PassedStep {
  readonly id: string;
  readonly of: PlanVerdict["of"];
  /** `feat(button): 1 Draw it`. */
  readonly message: string;
  /** Tells one PASS from another. */
  readonly key: string;
  readonly plan: string;
}

/** Undefined where no approved plan has a step that passed. */
export function passedStep(active: PlanFound["active"]): PassedStep | undefined {
  const passed = active?.work?.verdicts.findLast(({ step, verdict }) => step !== undefined && verdict === "PASS");
  if (active?.standing !== "approved" || passed?.step === undefined) return undefined;
  const plan = plain(active.path.replace(/^.*\//, "").replace(/\.md$/, ""));
  const id = plain(passed.step);
  const title = plain(active.playbook?.steps.find((one) => one.id === passed.step)?.title ?? "");
  const key = `${inline(active.path, 60)} ${passed.step} ${passed.at}`;
  return { id, of: passed.of, plan, key, message: `feat(${plan}): ${id} ${title}`.trim() };
}

/** Only what a shell takes literally inside double quotes. */
function plain(words: string): string {
  return inline(words, 40).replace(/[^\p{L}\p{N} ._,:-]/gu, "");
}

/** In the session once the commit was tried. */
export function commitNotice(key: string): string {
  return `committed ${key}`;
}

/** Those that are as the critic saw them. */
export function judgedFiles({ files }: Covered): readonly string[] {
  return files.filter(({ isThere, isJudged }) => isThere && isJudged).map(({ path }) => path);
}
