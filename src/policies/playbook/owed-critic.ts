/** Which word of a critic is still missing for what the plan claims. */
import type { Covered, PlanFound } from "../../kernel/facts.ts";
import { digestOf } from "../../playbook/identity.ts";
import { isDone, progressOf, type StepStanding } from "../../playbook/progress.ts";
import type { PlanWork } from "../../state/plan-work.ts";
import type { Settings } from "../../state/settings/settings.ts";

export interface OwedCritic {
  /** The step that says it is done; absent: the whole plan does. */
  readonly step?: StepStanding;
  /** The plan was passed, and these files have changed since. */
  readonly changed?: readonly string[];
  /** The critic has said FAIL as often as the plan allows: now it is the person's turn. */
  readonly isSpent: boolean;
}

type Active = NonNullable<PlanFound["active"]>;

/** Undefined: nothing is claimed that a critic has not passed. */
export function owedCritic(
  { playbook, work }: Pick<Active, "playbook" | "work">,
  { files }: Covered,
  critic: Settings["plan"]["critic"],
): OwedCritic | undefined {
  if (!playbook || critic === "off") return undefined;
  const steps = progressOf(playbook, work).steps.filter(({ step }) => !step.isFinal);
  const claimed = steps.find(({ is }) => is === "claimed");
  if (critic === "step" && claimed) return { step: claimed, isSpent: claimed.isSpent };
  if (steps.length === 0 || !steps.every((one) => isDone(one) || one.is === "claimed")) return undefined;
  const isPassed = !claimed || isPlanPassed(work, digestOf(playbook));
  const changed = files.filter(({ isThere, isJudged }) => isThere && !isJudged).map(({ path }) => path);
  const isSpent = failures(work) >= FAILURES_MAX;
  if (!isPassed) return { isSpent };
  return changed.length > 0 ? { changed, isSpent } : undefined;
}

const FAILURES_MAX = 5;

export function isPlanPassed(work: PlanWork | undefined, digest: string): boolean {
  const last = work?.verdicts.findLast(({ step }) => step === undefined);
  return last?.verdict === "PASS" && last.plan === digest;
}

function failures(work: PlanWork | undefined): number {
  return (work?.verdicts ?? []).filter(({ step, verdict }) => step === undefined && verdict === "FAIL").length;
}
