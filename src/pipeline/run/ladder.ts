/** Which model a piece of work begins with, and which one is next after failures. */
import { MODELS, type Model } from "../../state/models.ts";
import type { StepRun } from "../../state/runs/run.ts";
import type { Pipeline } from "../definition.ts";
import type { Node } from "./nodes.ts";

/** Above the last rung there is only the person. */
export function rungsOf({ step }: Pick<Node, "step">, pipeline: Pipeline, most: Model | null): readonly Model[] {
  const caps = [step.maxModel, pipeline.maxModel, most].flatMap((model) => (model ? [MODELS.indexOf(model)] : []));
  const top = Math.min(MODELS.length - 1, ...caps);
  const first = Math.min(top, MODELS.indexOf(firstOf({ step }, pipeline)));
  const { enabled, order } = pipeline.global.modelFallback;
  const ladder = MODELS.filter((model) => order.includes(model));
  const higher = enabled ? ladder.filter((model) => MODELS.indexOf(model) > first && MODELS.indexOf(model) <= top) : [];
  return [MODELS[first] as Model, ...higher];
}

function firstOf({ step }: Pick<Node, "step">, { global }: Pipeline): Model {
  return (
    step.model ?? step.skills.find(({ model }) => model !== null)?.model ?? global.modelFallback.order[0] ?? MODELS[0]
  );
}

/** Null: nothing changes. `person`: it failed on the last model too. */
export function escalation(
  node: Node,
  run: StepRun,
  pipeline: Pipeline,
  most: Model | null,
): { readonly from: Model; readonly to: Model | "person" } | null {
  const { enabled, maxFailuresBeforeEscalation } = pipeline.global.modelFallback;
  if (!enabled || run.onModel < maxFailuresBeforeEscalation) return null;
  const rungs = rungsOf(node, pipeline, most);
  const at = Math.max(0, (rungs as readonly string[]).indexOf(run.model ?? ""));
  return { from: rungs[at] as Model, to: rungs[at + 1] ?? "person" };
}

/** The model of the next pass. */
export function modelOf(node: Node, run: StepRun | undefined, pipeline: Pipeline, most: Model | null): Model {
  const rungs = rungsOf(node, pipeline, most);
  return rungs.find((model) => model === run?.model) ?? (rungs[0] as Model);
}
