/** From a plan and the work by it to the limits of the current step. */
import type { PlanWork } from "../state/plan-work.ts";
import { knownStance } from "../state/stance.ts";
import type { StepLimits } from "../state/step-limits.ts";
import { namedFor } from "./executors.ts";
import type { Playbook } from "./playbook.ts";
import { isDone, type Progress, progressOf } from "./progress.ts";

/** Undefined once every step is done. */
export function limitsOf(playbook: Playbook, work: PlanWork | undefined): StepLimits | undefined {
  const progress = progressOf(playbook, work);
  const { current } = progress;
  if (!current) return undefined;
  const { id, scope } = current.step;
  const stance = knownStance(current.step.stance ?? "");
  const other = otherThan(progress, id);
  return {
    ...{ id, waitsFor: current.waitsFor, scope },
    ...(stance && { stance }),
    ...namedFor(current.step, playbook),
    ...(other !== undefined && { other }),
  };
}

/** A step that needs nothing else and is not done. */
function otherThan({ steps }: Progress, id: string): string | undefined {
  return steps.find((one) => one.step.id !== id && !isDone(one) && !one.step.isFinal && one.waitsFor.length === 0)?.step
    .id;
}
