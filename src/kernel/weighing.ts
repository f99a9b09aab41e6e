/** Weighs an attempt: earned trust against risk. */

import type { Risk } from "../reading/operation/domain.ts";
import type { Operation } from "../reading/operation/operation.ts";
import { trustAt } from "../state/trust.ts";
import { autonomyOf, type Grade, gradeOf } from "./autonomy.ts";
import type { Facts } from "./facts.ts";
import { type Model, modelFor } from "./model-ladder.ts";
import { standingOf } from "./stance.ts";

export interface Weighing {
  readonly score: number;
  readonly autonomy: number;
  readonly grade: Grade;
  readonly model: Model;
}

export interface OperationWeighing {
  /** The domain whose trust was used. */
  readonly domain: string;
  readonly weighing: Weighing;
}

type Known = Pick<Facts, "trust" | "settings" | "stance" | "now">;

export function weigh(domain: string, risk: Risk, { trust, settings, now }: Omit<Known, "stance">): Weighing {
  const { score, consecutiveFailures } = trustAt(trust, domain, now, settings.trust);
  const autonomy = autonomyOf(score, risk, settings.risk);
  const grade = gradeOf(autonomy, risk, settings.autonomy);
  return { score, autonomy, grade, model: modelFor({ risk, grade, score, autonomy, consecutiveFailures }) };
}

/** Weighs every domain of the operation; the least trusted one decides. */
export function weighOperation(operation: Operation, facts: Known): OperationWeighing {
  const { domains } = operation;
  let domain: string = domains[0] ?? operation.domain;
  let worst = gated(domain, operation, facts);
  for (let at = 1; at < domains.length; at++) {
    const other = domains[at] as string;
    const weighing = gated(other, operation, facts);
    if (!isStricter(weighing, worst)) continue;
    domain = other;
    worst = weighing;
  }
  return { domain, weighing: worst };
}

function isStricter(one: Weighing, other: Weighing): boolean {
  const more = GRADES.indexOf(one.grade) - GRADES.indexOf(other.grade);
  return more > 0 || (more === 0 && one.score < other.score);
}

const GRADES: readonly Grade[] = ["auto_approved", "logged_only", "human_required", "blocked"];

/**
 * Applies the gate of the stance: below its threshold a gated domain is never auto-approved, and the profile decides
 * when to ask.
 */
function gated(domain: string, operation: Operation, facts: Known): Weighing {
  return atGate(domain, operation.risk, isRisky(operation) || isUnread(operation), facts);
}

export function atGate(domain: string, risk: Risk, isDoubtful: boolean, facts: Known): Weighing {
  const weighing = weigh(domain, risk, facts);
  const { profile } = facts.settings;
  const isGated = standingOf(facts.stance.stance, domain, profile) === "gated";
  if (!isGated || weighing.grade === "blocked" || weighing.score >= profile.trust_gate_threshold) return weighing;
  const asks = profile.trust_gate === "domain" || isDoubtful;
  if (asks) return { ...weighing, grade: "human_required" };
  return weighing.grade === "auto_approved" ? { ...weighing, grade: "logged_only" } : weighing;
}

/**
 * Deletions are left to `no-destructive-command`, which judges the deleted files; the rest can be restored with
 * `sekisho undo`.
 */
function isRisky({ risk, deletes }: Operation): boolean {
  return risk === "high" && !deletes;
}

/** The effect of the operation is not fully known. */
function isUnread({ class: kind, shell }: Operation): boolean {
  return kind === "unknown" || (shell?.unknown ?? []).length > 0;
}
