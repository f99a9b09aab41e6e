/** Computes how much an agent may do on its own, from its trust and the risk. */

import { complexityOf, type Risk } from "../reading/operation/domain.ts";
import type { Settings } from "../state/settings/settings.ts";

export type Grade = "auto_approved" | "logged_only" | "human_required" | "blocked";

const RISK_VALUE: Readonly<Record<Risk, number>> = { low: 1, medium: 2, high: 3, critical: 4 };

/** 1 means everything. Rounded to six significant digits, so that equal trust looks equal everywhere. */
export function autonomyOf(
  score: number,
  risk: Risk,
  { lambda1, lambda2 }: Settings["risk"],
  complexity: number = complexityOf(risk),
): number {
  const stake = (lambda1 * RISK_VALUE[risk]) / 4 + lambda2 * complexity;
  const autonomy = 1 - stake * (1 - score);
  return Number(Math.min(1, Math.max(0, autonomy)).toPrecision(6));
}

/** Critical operations are always blocked. Autonomy must exceed the approval threshold, not just reach it. */
export function gradeOf(autonomy: number, risk: Risk, thresholds: Settings["autonomy"]): Grade {
  if (risk === "critical") return "blocked";
  if (autonomy > thresholds.auto_approve_threshold) return "auto_approved";
  return autonomy >= thresholds.human_required_threshold ? "logged_only" : "human_required";
}
