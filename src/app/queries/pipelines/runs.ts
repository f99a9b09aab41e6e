/** The runs of this project. */

import type { Run } from "../../../state/runs/run.ts";
import { type RunView, runView } from "../../../views/pipeline-run.ts";
import { isAlive, isOfThisBoot } from "../../../world/machine/caller.ts";
import { type Here, orFail } from "../../project.ts";
import { runNamed } from "../../running/book.ts";

/** Newest first; those that have not ended before the others. */
export function runsHere({ store }: Pick<Here, "store">): readonly RunView[] {
  const all = Object.values(orFail(store.read(["runs"])).runs);
  const sorted = all.sort(
    (one, other) => Number(!!one.ended) - Number(!!other.ended) || other.startedAt - one.startedAt,
  );
  return sorted.map(viewOf);
}

export function runHere(place: Pick<Here, "store">, given: string): RunView {
  return viewOf(runNamed(place, given));
}

export function viewOf(run: Run): RunView {
  const { runner } = run;
  return runView(run, runner !== undefined && isOfThisBoot(runner) && isAlive(runner));
}
