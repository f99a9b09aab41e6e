/** Which model suits a piece of work: the less is trusted and the more is at stake, the higher on the ladder. */
import type { Grade } from "./autonomy.ts";
import type { Risk } from "./operation-domain.ts";

/** The lowest first. Beyond the last there is only the person. */
export const MODELS = ["haiku", "sonnet", "opus"] as const;

export type Model = (typeof MODELS)[number];

export interface Work {
  readonly risk: Risk;
  readonly grade: Grade;
  readonly score: number;
  readonly autonomy: number;
  readonly consecutiveFailures: number;
}

/** From so many failures in a row on the work is handed one step up. */
export const ESCALATES_AT = 3;

export function modelFor(work: Work): Model {
  const model = plainly(work);
  return work.consecutiveFailures >= ESCALATES_AT ? above(model) : model;
}

function plainly({ risk, grade, score, autonomy }: Work): Model {
  const isSerious = risk !== "low";
  if (grade === "blocked") return "opus";
  // Reading is no work for the best, however new the agent is.
  if (isSerious && score < 0.4) return "opus";
  if (isSerious && autonomy < 0.6) return "opus";
  return grade === "auto_approved" && risk === "low" ? "haiku" : "sonnet";
}

function above(model: Model): Model {
  return MODELS[MODELS.indexOf(model) + 1] ?? "opus";
}

/** The higher of two; a word that is on no ladder is nobody's to change. */
export function atLeastModel(given: string | undefined, wanted: Model): string {
  if (given === undefined) return wanted;
  const at = (MODELS as readonly string[]).indexOf(given);
  return at < 0 || at >= MODELS.indexOf(wanted) ? given : wanted;
}

const PERSONAS: Readonly<Record<string, string>> = { opus: "architect", sonnet: "analyst", haiku: "worker" };

/** What kind of help a model stands for. */
export function personaOf(model: string): string {
  return Object.hasOwn(PERSONAS, model) ? (PERSONAS[model] as string) : "analyst";
}
