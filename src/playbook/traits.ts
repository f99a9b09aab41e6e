/** What an approval remembers of a plan, so that most changes need not read its file again. */
import { isLong } from "./ladder.ts";
import type { Playbook } from "./playbook.ts";

export interface PlanTraits {
  /** It is more than a short plan, and covers a change of any size. */
  readonly long?: true;
  /** No step waits for another, belongs to somebody else, or is limited to some files. */
  readonly free?: true;
}

export function traitsOf({ steps }: Pick<Playbook, "steps">, characters: number): PlanTraits {
  const isFree = steps.every(
    ({ depends, scope, executor, subtasks }) =>
      depends.length === 0 && scope.length === 0 && executor === undefined && subtasks.every((box) => !box.executor),
  );
  return { ...(isLong(characters) && { long: true }), ...(isFree && { free: true }) };
}
