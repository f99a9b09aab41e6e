/** How an attempt stands between what was earned and what is at stake. */

import { trustAt } from "../state/trust.ts";
import { autonomyOf, type Grade, gradeOf } from "./autonomy.ts";
import type { Facts } from "./facts.ts";
import { type Model, modelFor } from "./model-ladder.ts";
import type { Operation } from "./operation.ts";
import type { Risk } from "./operation-domain.ts";
import { domainInStance, standingOf } from "./stance.ts";

export interface Weighing {
  readonly score: number;
  readonly autonomy: number;
  readonly grade: Grade;
  readonly model: Model;
}

type Known = Pick<Facts, "trust" | "settings" | "stance" | "now">;

export function weigh(domain: string, risk: Risk, { trust, settings, now }: Omit<Known, "stance">): Weighing {
  const { score, consecutiveFailures } = trustAt(trust, domain, now, settings.trust);
  const autonomy = autonomyOf(score, risk, settings.risk);
  const grade = gradeOf(autonomy, risk, settings.autonomy);
  return { score, autonomy, grade, model: modelFor({ risk, grade, score, autonomy, consecutiveFailures }) };
}

/** With the gate of the stance: below it nothing of a gated domain is approved, and what the profile says is asked about. */
export function weighOperation(operation: Operation, facts: Known): Weighing {
  const weighing = weigh(operation.domain, operation.risk, facts);
  const { profile } = facts.settings;
  const isGated = standingOf(facts.stance.stance, domainInStance(operation), profile) === "gated";
  if (!isGated || weighing.grade === "blocked" || weighing.score >= profile.trust_gate_threshold) return weighing;
  const asks = profile.trust_gate === "domain" || isRisky(operation) || isUnread(operation);
  if (asks) return { ...weighing, grade: "human_required" };
  return weighing.grade === "auto_approved" ? { ...weighing, grade: "logged_only" } : weighing;
}

/** Of deletions `no-destructive-command` is the judge, by what they take; the rest is kept for `sekisho undo`. */
function isRisky({ risk, deletes }: Operation): boolean {
  return risk === "high" && !deletes;
}

/** Nobody can say what it would do. */
function isUnread({ class: kind, shell }: Operation): boolean {
  return kind === "unknown" || (shell?.unknown ?? []).length > 0;
}
