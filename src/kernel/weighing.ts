/** How an attempt stands between what was earned and what is at stake. */

import { trustAt } from "../state/trust.ts";
import { autonomyOf, type Grade, gradeOf } from "./autonomy.ts";
import type { Facts } from "./facts.ts";
import { type Model, modelFor } from "./model-ladder.ts";
import type { Operation } from "./operation.ts";
import type { Risk } from "./operation-domain.ts";
import { standingOf } from "./stance.ts";

export interface Weighing {
  readonly score: number;
  readonly autonomy: number;
  readonly grade: Grade;
  readonly model: Model;
}

export interface OperationWeighing {
  /** Whose trust it was. */
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

/** Every kind of work in it is weighed, and the one that is trusted least decides. */
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

/** With the gate of the stance: below it nothing of a gated domain is approved, and what the profile says is asked about. */
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

/** Of deletions `no-destructive-command` is the judge, by what they take; the rest is kept for `sekisho undo`. */
function isRisky({ risk, deletes }: Operation): boolean {
  return risk === "high" && !deletes;
}

/** Nobody can say what it would do. */
function isUnread({ class: kind, shell }: Operation): boolean {
  return kind === "unknown" || (shell?.unknown ?? []).length > 0;
}
