/** Models and budgets: what a step may use, against what holds for the whole. */
import { MODELS, type Model } from "../../state/models.ts";
import type { Budget, Pipeline, Step } from "../definition.ts";
import type { Complaint } from "../problem.ts";

export function inModels(pipeline: Pipeline): readonly Complaint[] {
  const { order } = pipeline.global.modelFallback;
  const falls = order.some((one, at) => at > 0 && isAbove(order[at - 1], one) !== false);
  const path = "global.model_fallback.order";
  return [
    ...(falls || order.length === 0 ? [{ rule: "order-falls", path, word: order.join(", ") || "[]" } as const] : []),
    ...pipeline.steps.flatMap((step) => [...inStep(step, pipeline.maxModel), ...inBudget(step, pipeline.budget)]),
  ];
}

/** Undefined if they are the same. */
function isAbove(one: Model | undefined, other: Model): boolean | undefined {
  return one === other ? undefined : one !== undefined && MODELS.indexOf(one) > MODELS.indexOf(other);
}

function inStep({ id, model, maxModel, skills }: Step, runMax: Model | null): readonly Complaint[] {
  const path = `steps.${id}`;
  const most = lower(maxModel, runMax);
  const used: readonly (readonly [string, Model | null])[] = [
    [`${path}.model`, model],
    ...skills.map((one, at) => [`${path}.skills.${at}`, one.model] as const),
    ...(maxModel !== null && runMax !== null ? [[`${path}.max_model`, maxModel] as const] : []),
  ];
  return used.flatMap(([at, one]): readonly Complaint[] => {
    const limit = at.endsWith(".max_model") ? runMax : most;
    return one !== null && limit !== null && isAbove(one, limit)
      ? [{ rule: "above-max", path: at, word: one, more: limit }]
      : [];
  });
}

function lower(one: Model | null, other: Model | null): Model | null {
  if (one === null || other === null) return one ?? other;
  return isAbove(one, other) ? other : one;
}

const BUDGET_FIELDS = {
  maxUsd: "max_usd",
  maxTokens: "max_tokens",
  maxAgents: "max_agents",
  maxRuntimeSeconds: "max_runtime",
} as const satisfies Record<keyof Budget, string>;

function inBudget({ id, budget }: Step, whole: Budget): readonly Complaint[] {
  return (Object.keys(BUDGET_FIELDS) as (keyof Budget)[]).flatMap((key): readonly Complaint[] => {
    const [own, all] = [budget[key], whole[key]];
    const path = `steps.${id}.budget.${BUDGET_FIELDS[key]}`;
    return own !== null && all !== null && own > all
      ? [{ rule: "budget-above-run", path, word: String(own), more: String(all) }]
      : [];
  });
}
