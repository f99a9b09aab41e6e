/** Where the work by a plan stands: from our records, with the plan's words as they are now. */
import { type PlanWork, stepIn } from "../state/plan-work.ts";
import { saysDone } from "./claims.ts";
import { digestsOf } from "./identity.ts";
import type { Playbook, Step } from "./playbook.ts";

export interface StepStanding {
  readonly step: Step;
  /** `claimed`: the worker says it is done, and no critic has said so. */
  readonly is: "open" | "claimed" | "passed" | "deferred";
  readonly attempts: number;
  /** The critic has said FAIL as often as the step allows. */
  readonly isSpent: boolean;
  /** Steps that it depends on and that are neither passed nor deferred. */
  readonly waitsFor: readonly string[];
}

export interface Progress {
  readonly steps: readonly StepStanding[];
  /** The step that is worked on; undefined once all are done. */
  readonly current?: StepStanding;
}

/** Without a number of its own, a step may fail as often as the framework's template says. */
const ITERATIONS = 5;

export function progressOf(playbook: Playbook, work: Pick<PlanWork, "steps" | "step"> | undefined): Progress {
  const digests = digestsOf(playbook).steps;
  const known = work ?? { steps: {} };
  const first = playbook.steps.map((step) => standing(step, known, digests[step.id] ?? ""));
  const done = new Set(first.filter(isDone).map(({ step }) => step.id));
  const ids = new Set(playbook.steps.map(({ id }) => id));
  const steps = first.map((one) => ({
    ...one,
    waitsFor: one.step.depends.filter((id) => ids.has(id) && !done.has(id)),
  }));
  const named = steps.find(({ step }) => step.id === work?.step);
  const open = steps.filter((one) => !isDone(one) && !one.step.isFinal);
  const current = named && !isDone(named) ? named : (open.find(({ waitsFor }) => waitsFor.length === 0) ?? open[0]);
  return { steps, ...(current && { current }) };
}

export function isDone({ is }: Pick<StepStanding, "is">): boolean {
  return is === "passed" || is === "deferred";
}

function standing(step: Step, work: Pick<PlanWork, "steps">, digest: string): Omit<StepStanding, "waitsFor"> {
  const { state, attempts, claimed, plan } = stepIn(work, step.id);
  // A step in other words than those that were judged has been judged by nobody.
  const isJudged = state !== "open" && plan === digest;
  const is = isJudged ? state : claimed || claimsDone(step) ? "claimed" : "open";
  return { step, is, attempts, isSpent: attempts >= (step.iterations ?? ITERATIONS) };
}

/** The file says it: by its status, or because every box is ticked. */
function claimsDone(step: Step): boolean {
  const boxes = step.subtasks.filter(({ optional }) => !optional);
  return saysDone(step) || (boxes.length > 0 && boxes.every(({ mark }) => mark === "done"));
}

/** The id of the step after this one that is not done. */
export function nextAfter({ steps }: Progress, id: string): string | undefined {
  return steps.find((one) => one.step.id !== id && !isDone(one) && !one.step.isFinal)?.step.id;
}
