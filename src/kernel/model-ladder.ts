/** Chooses a model for a task: less trust and more risk mean a higher model. */

import type { Risk } from "../reading/operation/domain.ts";
import { MODELS, type Model } from "../state/models.ts";
import type { Grade } from "./autonomy.ts";

export interface Work {
  readonly risk: Risk;
  readonly grade: Grade;
  readonly score: number;
  readonly autonomy: number;
  readonly consecutiveFailures: number;
}

/** After this many failures in a row the next higher model is used. */
export const ESCALATES_AT = 3;

export function modelFor(work: Work): Model {
  const model = plainly(work);
  return work.consecutiveFailures >= ESCALATES_AT ? above(model) : model;
}

function plainly({ risk, grade, score, autonomy }: Work): Model {
  const isSerious = risk !== "low";
  if (grade === "blocked") return "opus";
  // Low-risk work never needs the highest model, even for a new agent.
  if (isSerious && score < 0.4) return "opus";
  if (isSerious && autonomy < 0.6) return "opus";
  return grade === "auto_approved" && risk === "low" ? "haiku" : "sonnet";
}

function above(model: Model): Model {
  return MODELS[MODELS.indexOf(model) + 1] ?? "opus";
}

/** The higher of the two; an unknown model is kept. */
export function atLeastModel(given: string | undefined, wanted: Model): string {
  if (given === undefined) return wanted;
  const at = (MODELS as readonly string[]).indexOf(given);
  return at < 0 || at >= MODELS.indexOf(wanted) ? given : wanted;
}

const PERSONAS: Readonly<Record<string, string>> = { opus: "architect", sonnet: "analyst", haiku: "worker" };

/** The persona of a model. */
export function personaOf(model: string): string {
  return Object.hasOwn(PERSONAS, model) ? (PERSONAS[model] as string) : "analyst";
}
