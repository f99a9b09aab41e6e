/** An audit entry as a line for programs. */
import { complexityOf } from "../reading/operation/domain.ts";
import type { AuditEntry } from "./audit.ts";
import { isoTime } from "./time.ts";

/**
 * Uses the field names of the original trust engine's audit lines, which other tools know. Missing weighings are
 * marked.
 */
export function auditLine(entry: AuditEntry): Readonly<Record<string, unknown>> {
  return {
    timestamp: isoTime(entry.at),
    kind: entry.kind,
    id: entry.id,
    event: entry.event,
    session_id: entry.session,
    agent_type: entry.agent?.type ?? null,
    tool_name: entry.tool ?? null,
    tool_use_id: entry.call ?? null,
    tool_input: entry.input ?? null,
    domain: entry.operation?.domain ?? null,
    risk_category: entry.operation?.risk ?? null,
    complexity: complexityOf(entry.operation?.risk ?? ""),
    ...weighedFields(entry),
    decision: gradeOf(entry),
    verdict: entry.decision ?? null,
    policies: entry.objections.map(({ policy }) => policy),
    ...(entry.lifted && { lifted_by: entry.lifted[0]?.by }),
    ...(entry.released && { released: entry.released }),
    reason: entry.objections[0]?.what ?? entry.detail ?? null,
    outcome: entry.outcome ?? null,
    exit_code: entry.exitCode ?? null,
    trust_score_after: entry.trustAfter ?? null,
    unbound: entry.unbound,
  };
}

function weighedFields({ weighed, operation }: AuditEntry): Readonly<Record<string, unknown>> {
  if (!weighed) {
    const none = { trust_domain: null, trust_score_before: null, autonomy_score: null };
    return { ...none, recommended_model: "unknown", phase: "unknown" };
  }
  return {
    // With several domains on a line, the least trusted one was weighed.
    trust_domain: weighed.domain ?? operation?.domain ?? null,
    trust_score_before: weighed.score,
    autonomy_score: weighed.autonomy,
    recommended_model: weighed.model,
    phase: weighed.stance,
  };
}

/** The result: an objection decides, otherwise the weighing. */
function gradeOf({ decision, weighed }: AuditEntry): string | null {
  if (decision === undefined) return null;
  if (decision === "pass") return weighed?.grade ?? "logged_only";
  return decision === "ask" ? "human_required" : "blocked";
}
