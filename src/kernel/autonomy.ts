/** How much an agent may do by itself: from the trust it has earned and from what is at stake. */
import type { Settings } from "../state/settings.ts";
import { complexityOf, type Risk } from "./operation-domain.ts";

export type Grade = "auto_approved" | "logged_only" | "human_required" | "blocked";

const RISK_VALUE: Readonly<Record<Risk, number>> = { low: 1, medium: 2, high: 3, critical: 4 };

/** 1: everything. To six significant digits, so that the same trust reads the same everywhere. */
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

/** What nothing makes up for is blocked, whatever was earned. A threshold itself is not yet above it. */
export function gradeOf(autonomy: number, risk: Risk, thresholds: Settings["autonomy"]): Grade {
  if (risk === "critical") return "blocked";
  if (autonomy > thresholds.auto_approve_threshold) return "auto_approved";
  return autonomy >= thresholds.human_required_threshold ? "logged_only" : "human_required";
}
