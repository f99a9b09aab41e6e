/** Turns a plan of another tool into one of ours. Nothing is taken over as done: what it claims has no record here. */
import type { Playbook, Proof, Subtask } from "./playbook.ts";

export interface ImportNote {
  /** `rewritten`: a verdict in words was dropped from a command. `unticked`: boxes that were ticked are open again. */
  readonly kind: "rewritten" | "unticked";
  readonly count: number;
}

export interface ImportedPlan {
  readonly playbook: Playbook;
  readonly notes: readonly ImportNote[];
}

export function importedPlan(playbook: Playbook): ImportedPlan {
  let [rewritten, unticked] = [0, 0];
  const proof = (one: Proof): Proof => {
    const run = plainCommand(one.run);
    if (run === one.run) return one;
    rewritten++;
    // The words that the command printed are gone, so they cannot be expected any more.
    const { expected: _, ...rest } = one;
    return { ...rest, run, expected: "exit 0" };
  };
  const box = (one: Subtask): Subtask => {
    if (one.mark === "done") unticked++;
    const { validations: _, validated: __, ...rest } = one;
    return { ...rest, mark: "open", proofs: one.proofs.map(proof) };
  };
  const steps = playbook.steps.map(({ status: _, ...step }) => ({ ...step, subtasks: step.subtasks.map(box) }));
  const notes: ImportNote[] = [];
  if (rewritten > 0) notes.push({ kind: "rewritten", count: rewritten });
  if (unticked > 0) notes.push({ kind: "unticked", count: unticked });
  return { playbook: { ...playbook, steps }, notes };
}

const VERDICT = String.raw`(?:echo|printf)\s+(?:"[^"]*"|'[^']*'|[\w -]+)`;
/** `A && echo PASS || echo FAIL` and `A && echo PASS`. */
const SPOKEN = new RegExp(String.raw`^(.*?\S)\s*&&\s*${VERDICT}(?:\s*\|\|\s*${VERDICT})?\s*$`, "s");

function plainCommand(run: string): string {
  const [, command] = SPOKEN.exec(run) ?? [];
  return command ?? run;
}
