/** The steps of one tier in the order in which they run: what a run does, and what a dry run shows. */
import type { Pipeline, Step, Tier } from "./definition.ts";

export interface Plan {
  readonly pipeline: Pipeline;
  readonly tier: string;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly step: Step;
  /** Steps of this tier that must have passed, or been left out, before it begins. */
  readonly after: readonly string[];
  /** For a green step: the red one before it, whose test must have been seen failing. */
  readonly red: string | null;
}

/** Undefined if the pipeline has no such tier. Upper and lower case are the same. */
export function planOf(pipeline: Pipeline, tier: string): Plan | undefined {
  const found = tierOf(pipeline, tier);
  if (!found) return undefined;
  const steps = found.steps.flatMap((id) => pipeline.steps.find((step) => step.id === id) ?? []);
  return { pipeline, tier: found.name, steps: steps.map((step, at) => planned(step, steps.slice(0, at), pipeline)) };
}

export function tierOf({ tiers }: Pick<Pipeline, "tiers">, name: string): Tier | undefined {
  return tiers.find((tier) => tier.name === name) ?? tiers.find((tier) => isSameWord(tier.name, name));
}

function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function planned(step: Step, before: readonly Step[], pipeline: Pipeline): PlannedStep {
  const ids = new Set(before.map(({ id }) => id));
  const after = step.dependsOn === null ? before.slice(-1).map(({ id }) => id) : reached(step.dependsOn, ids, pipeline);
  const red = step.tddPhase === "green" ? before.findLast(({ tddPhase }) => tddPhase === "red") : undefined;
  return { step, after: red && !after.includes(red.id) ? [...after, red.id] : after, red: red?.id ?? null };
}

/** What a step outside the tier depends on is needed in its place. */
function reached(wanted: readonly string[], inTier: ReadonlySet<string>, { steps }: Pipeline): readonly string[] {
  const [found, seen] = [new Set<string>(), new Set<string>()];
  const open = [...wanted];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (inTier.has(id)) found.add(id);
    else open.push(...(steps.find((step) => step.id === id)?.dependsOn ?? []));
  }
  return [...inTier].filter((id) => found.has(id));
}
