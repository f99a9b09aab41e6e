/** What an approval is bound to: the plan's own words. Marks and what people claim about progress are left out. */
import { markOf } from "../lib/sha256.ts";
import type { Playbook, Step, Subtask } from "./playbook.ts";

/** A digest of the head and one of every step, so that after an edit only the difference needs approval again. */
export interface Digests {
  readonly head: string;
  readonly steps: Readonly<Record<string, string>>;
}

const DIGEST_CHARS = 16;

export function digestsOf(playbook: Playbook): Digests {
  const { dialect, title, what, why, context, done, branch, blocks, prose, steps } = playbook;
  // The head of version 16 is in its blocks, which only commands look into: both readings must give the same digest.
  const answers = dialect === "v16" ? [] : [title, what, why, context, done.map(({ words }) => words), branch];
  const head = [...answers, blocks, prose, steps.map(({ id }) => id)];
  return { head: digest(head), steps: Object.fromEntries(steps.map((step) => [step.id, digest(wordsOf(step))])) };
}

const PART_CHARS = 6;
const PARTS_MAX = 100;

/** `id:digest` of the head and of the first steps, cut short: enough to tell which of them have changed. */
export function partsOf(playbook: Playbook): readonly string[] {
  const { head, steps } = digestsOf(playbook);
  const parts = [["head", head] as const, ...Object.entries(steps)].slice(0, PARTS_MAX);
  return parts.map(([id, one]) => `${id}:${one.slice(0, PART_CHARS)}`);
}

/** `id:digest` of a box: its criterion and commands, without its mark. */
export function boxPart({ id, criterion, proofs }: Subtask): string {
  const words = [id, criterion, proofs.map(({ run, expected }) => [run, expected])];
  return `${id}:${digest(words).slice(0, PART_CHARS)}`;
}

/** The ids of what is not as it was, new ones included. */
export function changedParts(before: readonly string[], now: readonly string[]): readonly string[] {
  const changed = [...now.filter((part) => !before.includes(part)), ...before.filter((part) => !now.includes(part))];
  return [...new Set(changed.map((part) => part.slice(0, part.lastIndexOf(":"))))];
}

/** One digest of the whole plan. */
export function digestOf(playbook: Playbook): string {
  const { head, steps } = digestsOf(playbook);
  return digest([head, steps]);
}

function wordsOf(step: Step): unknown {
  const { id, title, goal, depends, executor, iterations, stance, scope, isFinal, prose, subtasks } = step;
  const boxes = subtasks.map((one) => [
    one.id,
    one.criterion,
    one.proofs.map(({ run, expected }) => [run, expected]),
    one.depends,
    one.executor,
    one.optional,
  ]);
  return [id, title, goal, depends, executor, iterations, stance, scope, isFinal, prose, boxes];
}

function digest(value: unknown): string {
  return markOf(JSON.stringify(value)).slice(0, DIGEST_CHARS);
}
