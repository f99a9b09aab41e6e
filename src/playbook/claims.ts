/** What a plan says about itself that nothing in it supports. Nothing here counts as done. */
import type { Playbook, Step, Subtask } from "./playbook.ts";

export interface Claim {
  /**
   * `open-boxes`: the step is marked done, but boxes in it are open. `open-final`: all steps are, but the final tasks
   * are not. `no-evidence`: PASS without a word of what was seen. `not-passed`: ticked, although a validation failed or
   * is missing. `ticked`: a box is ticked that no command of ours has proven.
   */
  readonly kind: "open-boxes" | "open-final" | "no-evidence" | "not-passed" | "ticked";
  readonly id: string;
  readonly line: number;
  readonly count: number;
}

const DONE = /^(?:done|complete|completed|closed|完了)\b/;

export function saysDone({ status }: Pick<Step, "status">): boolean {
  return status !== undefined && DONE.test(status);
}

/** Everything the plan claims, in the order of its lines. `isProven` tells which subtasks our own records show. */
export function claimsIn({ steps }: Playbook, isProven: (subtask: Subtask) => boolean = () => false): readonly Claim[] {
  const plain = steps.filter(({ isFinal }) => !isFinal);
  const last = plain.at(-1);
  const undone = steps.flatMap(({ isFinal, subtasks }) => (isFinal ? subtasks.filter(isOpen) : []));
  return steps.flatMap((step) => [
    ...ofStep(step),
    ...step.subtasks.flatMap((subtask) => (isProven(subtask) ? [] : ofSubtask(subtask))),
    ...(step === last && saysDone(step) && undone.length > 0
      ? [{ kind: "open-final", id: step.id, line: step.line, count: undone.length } as const]
      : []),
  ]);
}

const isOpen = ({ mark, optional }: Subtask): boolean => mark !== "done" && !optional;

function ofStep(step: Step): readonly Claim[] {
  const count = step.subtasks.filter(isOpen).length;
  return saysDone(step) && count > 0 ? [{ kind: "open-boxes", id: step.id, line: step.line, count }] : [];
}

function ofSubtask({ id, line, mark, validations }: Subtask): readonly Claim[] {
  const said = Object.values(validations ?? {});
  const hollow = said.filter(isHollow).length;
  const failed = said.filter((value) => /^(?:FAIL|PENDING|null|)$/i.test(firstWord(value))).length;
  return [
    ...(hollow > 0 ? [{ kind: "no-evidence", id, line, count: hollow } as const] : []),
    ...(mark === "done" && failed > 0 ? [{ kind: "not-passed", id, line, count: failed } as const] : []),
    ...(mark === "done" ? [{ kind: "ticked", id, line, count: 1 } as const] : []),
  ];
}

const firstWord = (value: string): string => /^\S*/.exec(value)?.[0] ?? "";

/** A PASS followed by nothing, or only by the word that it was confirmed. */
export function isHollow(value: string): boolean {
  const [, rest] = /^PASS\b[\s\-–—:：]*(.*)$/.exec(value) ?? [];
  return (
    rest !== undefined &&
    /^(?:(?:ok|done|pass(?:ed)?|checked|confirmed|verified|(?:確認|検証|動作確認)(?:済み?|した|完了)?|問題なし)[.。!！]?|[-–—.…]*)$/i.test(
      rest.trim(),
    )
  );
}
