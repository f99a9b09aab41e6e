/** Weighs an attempt: earned trust against risk. */

import type { Because, Part, Risk } from "../reading/operation/domain.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Model } from "../state/models.ts";
import { trustAt } from "../state/trust.ts";
import { autonomyOf, type Grade, gradeOf } from "./autonomy.ts";
import type { Facts } from "./facts.ts";
import { modelFor } from "./model-ladder.ts";
import { standingOf } from "./stance.ts";

export interface Weighing {
  readonly score: number;
  readonly autonomy: number;
  readonly grade: Grade;
  readonly model: Model;
}

export interface OperationWeighing {
  /** The domain and the risk of the part that decided. */
  readonly domain: string;
  readonly risk: Risk;
  readonly weighing: Weighing;
  readonly because?: Because;
}

type Known = Pick<Facts, "trust" | "settings" | "stance" | "now">;

export function weigh(domain: string, risk: Risk, { trust, settings, now }: Omit<Known, "stance">): Weighing {
  const { score, consecutiveFailures } = trustAt(trust, domain, now, settings.trust);
  const autonomy = autonomyOf(score, risk, settings.risk);
  const grade = gradeOf(autonomy, risk, settings.autonomy);
  return { score, autonomy, grade, model: modelFor({ risk, grade, score, autonomy, consecutiveFailures }) };
}

/** Weighs every part of the operation; the strictest result decides. */
export function weighOperation({ parts, domain, risk }: Operation, facts: Known): OperationWeighing {
  const [first = { domain, risk }, ...others] = parts;
  let worst: OperationWeighing = { ...first, weighing: atGate(first, facts) };
  for (const part of others) {
    const weighing = atGate(part, facts);
    if (isStricter(weighing, worst.weighing)) worst = { ...part, weighing };
  }
  return worst;
}

function isStricter(one: Weighing, other: Weighing): boolean {
  const more = GRADES.indexOf(one.grade) - GRADES.indexOf(other.grade);
  return more > 0 || (more === 0 && one.score < other.score);
}

const GRADES: readonly Grade[] = ["auto_approved", "logged_only", "human_required", "blocked"];

/**
 * Applies the gate of the stance: below its threshold a gated domain is never auto-approved. The profile decides when to
 * ask: about everything in a gated domain, or only where a person would want to be asked about this effect.
 */
export function atGate({ domain, risk, worthAsking }: GatedPart, facts: Known): Weighing {
  const weighing = weigh(domain, risk, facts);
  const { profile } = facts.settings;
  const isGated = standingOf(facts.stance.stance, domain, profile) === "gated";
  if (!isGated || weighing.grade === "blocked" || weighing.score >= profile.trust_gate_threshold) return weighing;
  if (profile.trust_gate === "domain" || worthAsking) return { ...weighing, grade: "human_required" };
  return weighing.grade === "auto_approved" ? { ...weighing, grade: "logged_only" } : weighing;
}

/** The domain may be one that only the ledger knows. */
type GatedPart = Omit<Part, "domain"> & { readonly domain: string };
