/** What an approval is bound to: the plan's own words. Marks and what people claim about progress are left out. */
import { markOf } from "../lib/sha256.ts";
import type { Playbook, Step } from "./playbook.ts";

/** A digest of the head and one of every step, so that after an edit only the difference needs approval again. */
export interface Digests {
  readonly head: string;
  readonly steps: Readonly<Record<string, string>>;
}

const DIGEST_CHARS = 16;

export function digestsOf({ title, what, why, context, done, branch, steps }: Playbook): Digests {
  const head = [title, what, why, context, done.map(({ words }) => words), branch, steps.map(({ id }) => id)];
  return { head: digest(head), steps: Object.fromEntries(steps.map((step) => [step.id, digest(wordsOf(step))])) };
}

/** One digest of the whole plan. */
export function digestOf(playbook: Playbook): string {
  const { head, steps } = digestsOf(playbook);
  return digest([head, steps]);
}

function wordsOf({ id, title, goal, depends, executor, iterations, stance, scope, isFinal, subtasks }: Step): unknown {
  const boxes = subtasks.map((one) => [
    one.id,
    one.criterion,
    one.proofs.map(({ run, expected }) => [run, expected]),
    one.depends,
    one.executor,
    one.optional,
  ]);
  return [id, title, goal, depends, executor, iterations, stance, scope, isFinal, boxes];
}

function digest(value: unknown): string {
  return markOf(JSON.stringify(value)).slice(0, DIGEST_CHARS);
}

export interface Difference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly head: boolean;
}

/** What differs between the plan that was approved and the plan as it is. */
export function differenceOf(approved: Digests, now: Digests): Difference {
  const ids = Object.keys(now.steps);
  return {
    head: approved.head !== now.head,
    added: ids.filter((id) => approved.steps[id] === undefined),
    changed: ids.filter((id) => approved.steps[id] !== undefined && approved.steps[id] !== now.steps[id]),
    removed: Object.keys(approved.steps).filter((id) => now.steps[id] === undefined),
  };
}
