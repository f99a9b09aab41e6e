/** Plans for tests, with every default filled in. */
import type { Budget, Pipeline, Retry, Step } from "../definition.ts";
import { type Plan, planOf } from "../plan.ts";

const FREE: Budget = { maxUsd: null, maxTokens: null, maxAgents: null, maxRuntimeSeconds: null };
const ONCE: Retry = {
  max: 0,
  isWritten: false,
  fallback: null,
  autoFix: false,
  autoFixCommand: null,
  intervalSeconds: 0,
  onError: "all",
};

export const times = (max: number, more: Partial<Retry> = {}): Retry => ({ ...ONCE, max, isWritten: true, ...more });

export function exampleStep(id: string, more: Partial<Step> = {}): Step {
  return {
    id,
    type: "work",
    description: id,
    prompt: null,
    skills: [],
    model: null,
    maxModel: null,
    allowedTools: null,
    maxTurns: null,
    requiresUser: false,
    args: [],
    inputs: [],
    outputs: [],
    checks: [],
    commands: [],
    principles: [],
    tdd: false,
    tddPhase: null,
    test: null,
    scope: [],
    batches: [],
    atomic: false,
    when: null,
    optional: false,
    fallback: null,
    gate: more.type === "gate" ? { type: "machine", failAction: null, options: [] } : null,
    retry: ONCE,
    compensation: null,
    dependsOn: null,
    timeoutSeconds: null,
    budget: FREE,
    ...more,
  };
}

export const personsGate = (id: string, more: Partial<Step> = {}): Step =>
  exampleStep(id, {
    type: "gate",
    requiresUser: true,
    gate: { type: "human", failAction: null, options: [] },
    ...more,
  });

export const goesBackTo = (revertTo: string): NonNullable<Step["compensation"]> => ({ action: "redo", revertTo });

export function examplePlan(steps: readonly Step[], more: Partial<Pipeline> = {}, maxTotalRetries = 10): Plan {
  const pipeline: Pipeline = {
    name: "EXAMPLE",
    version: "1.0.0",
    description: "",
    tiers: [{ name: "S", steps: steps.map(({ id }) => id) }],
    steps,
    inputs: [],
    baseDod: [],
    global: {
      evidenceCaching: true,
      evidenceCachePath: null,
      pipelineLogPath: null,
      contextJsonSsot: true,
      maxTotalRetries,
      modelFallback: { enabled: true, order: ["haiku", "sonnet", "opus"], maxFailuresBeforeEscalation: 3 },
    },
    budget: FREE,
    maxModel: null,
    file: "example.yaml",
    digest: "d".repeat(64),
    ...more,
  };
  const plan = planOf(pipeline, "S");
  if (!plan) throw new Error("the plan has no tier S");
  return plan;
}
