/** Pipelines as people and programs see them: the list, what is wrong with a file, and the plan of a tier. */
import type { Language } from "../lib/text.ts";
import type { Budget, Pipeline, Step } from "../pipeline/definition.ts";
import type { Plan } from "../pipeline/plan.ts";
import type { Problem } from "../pipeline/problem.ts";
import { RULES } from "../pipeline/rules/rules.ts";
import { MODELS, type Model } from "../state/models.ts";

/** Raised when a field changes its meaning. */
export const SCHEMA_VERSION = 1;

interface Seen {
  readonly shown: string;
  readonly origin: string;
  readonly pipeline: Pipeline | undefined;
  readonly problems: readonly Problem[];
}

export interface ProblemView {
  readonly rule: string;
  readonly severity: "error" | "warning";
  /** `file:line`. */
  readonly at: string;
  readonly path: string;
  readonly says: string;
  readonly better: string;
}

export function problemViews({ shown, problems }: Seen, language: Language): readonly ProblemView[] {
  return problems.map(({ rule, line, path, word = "", more = "" }) => {
    const { severity, says, better } = RULES[rule];
    const filled = (text: string): string =>
      text.replace(/\{(word|more)\}/g, (_, name) => (name === "word" ? word : more));
    return {
      rule,
      severity,
      at: `${shown}:${line}`,
      path,
      says: filled(says[language]),
      better: filled(better[language]),
    };
  });
}

export interface PipelineRow {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly origin: string;
  readonly file: string;
  readonly tiers: readonly { readonly name: string; readonly steps: readonly string[] }[];
  readonly errors: number;
  readonly warnings: number;
  /** Another file with the same name comes before it. */
  readonly shadowed: boolean;
}

export function pipelineRow(seen: Seen, name: string, shadowed: boolean): PipelineRow {
  const { shown, origin, pipeline, problems } = seen;
  const errors = problems.filter(({ rule }) => RULES[rule].severity === "error").length;
  return {
    ...{ name, version: pipeline?.version ?? "", description: pipeline?.description ?? "", origin, file: shown },
    tiers: (pipeline?.tiers ?? []).map((tier) => ({ name: tier.name, steps: tier.steps })),
    ...{ errors, warnings: problems.length - errors, shadowed },
  };
}

export interface PlanView {
  readonly pipeline: string;
  readonly version: string;
  readonly file: string;
  readonly digest: string;
  readonly tier: string;
  readonly steps: readonly PlanStepView[];
  readonly max_total_retries: number;
  readonly budget: BudgetView;
}

export interface PlanStepView {
  readonly id: string;
  readonly type: Step["type"];
  readonly description: string;
  /** Who decides or does it: a model, a program, a person. */
  readonly by: "agent" | "commands" | "evidence" | "verdict" | "person";
  /** The models in the order in which they are tried. */
  readonly models: readonly Model[];
  readonly tries: number;
  readonly commands: readonly string[];
  readonly checks: readonly string[];
  readonly after: readonly string[];
  readonly when: string | null;
  readonly optional: boolean;
  readonly timeout_seconds: number | null;
  readonly budget: BudgetView;
}

export interface BudgetView {
  readonly max_usd: number | null;
  readonly max_tokens: number | null;
  readonly max_agents: number | null;
  readonly max_runtime_seconds: number | null;
}

export function planView({ pipeline, tier, steps }: Plan): PlanView {
  const { name, version, file, digest, global, budget } = pipeline;
  return {
    ...{ pipeline: name, version, file, digest, tier },
    steps: steps.map(({ step, after }) => ({
      ...{ id: step.id, type: step.type, description: step.description, by: doneBy(step) },
      models: usesModel(step) ? modelsOf(step, pipeline) : [],
      tries: step.retry.max + 1,
      ...{ commands: step.commands, checks: step.checks.map((check) => check.name), after },
      when: step.when?.source ?? null,
      ...{ optional: step.optional, timeout_seconds: step.timeoutSeconds, budget: budgetView(step.budget) },
    })),
    max_total_retries: global.maxTotalRetries,
    budget: budgetView(budget),
  };
}

function budgetView({ maxUsd, maxTokens, maxAgents, maxRuntimeSeconds }: Budget): BudgetView {
  return { max_usd: maxUsd, max_tokens: maxTokens, max_agents: maxAgents, max_runtime_seconds: maxRuntimeSeconds };
}

function doneBy({ type, gate, commands }: Step): PlanStepView["by"] {
  if (gate) return ({ machine: "evidence", ai: "verdict", human: "person" } as const)[gate.type];
  return type === "automatic" || commands.length > 0 ? "commands" : "agent";
}

function usesModel(step: Step): boolean {
  return ["agent", "verdict"].includes(doneBy(step));
}

/** From the step's own model upward, as far as the ladder and both limits reach. */
export function modelsOf({ model, maxModel }: Step, { global, maxModel: most }: Pipeline): readonly Model[] {
  const { enabled, order } = global.modelFallback;
  const first = model ?? order[0] ?? MODELS[0];
  const height = (one: Model): number => MODELS.indexOf(one);
  const limit = Math.min(...[maxModel, most].map((one) => (one === null ? MODELS.length : height(one))));
  const higher = enabled ? order.filter((one) => height(one) > height(first)) : [];
  return [first, ...higher].filter((one) => height(one) <= limit);
}
