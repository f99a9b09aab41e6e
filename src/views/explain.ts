/** A verdict with its full trace, for a person who asks why. */

import { allowCommand, HEADLESS, PAUSE } from "../kernel/lift.ts";
import type { Policy } from "../kernel/policy.ts";
import type { Language } from "../lib/text.ts";
import type { Decision } from "../state/decision.ts";
import { CANARY } from "../state/session/session.ts";
import type { AuditEntry } from "./audit.ts";
import { releaseWords } from "./release.ts";

export interface ExplainView {
  readonly entry: AuditEntry;
  readonly rulings: readonly RulingView[];
  /** The command by which a person lets exactly this pass. */
  readonly allow?: string;
}

export interface RulingView {
  readonly policy: string;
  readonly decision: Decision;
  readonly why: string;
  readonly what?: string;
  readonly fix?: string;
  readonly fault?: string;
  readonly floor?: true;
  /** The grant that lifted the objection. */
  readonly liftedBy?: string;
  /** Why its refusal of the end of the turn did not count. */
  readonly released?: string;
}

/** The trace is the recorded one; the reason of each policy comes from the policy table. */
export function explainView(entry: AuditEntry, policies: readonly Policy[], language: Language): ExplainView {
  const why = (id: string): string => policies.find((policy) => policy.id === id)?.why[language] ?? "";
  const objecting = entry.objections.map(({ policy, decision, what, fix, fault, floor }) => ({
    policy,
    decision,
    why: why(policy),
    what,
    fix,
    ...(fault !== undefined && { fault }),
    ...(floor && { floor }),
  }));
  const lifted = (entry.lifted ?? []).map(({ policy, decision, what, by }) => ({
    policy,
    decision,
    why: why(policy),
    what,
    liftedBy: by,
  }));
  const released = (entry.released ?? []).map(({ policy, why: reason }) => ({
    policy,
    decision: "pass" as const,
    why: why(policy),
    released: releaseWords(reason),
  }));
  const silent = entry.asked
    .filter((id) => ![...objecting, ...lifted, ...released].some(({ policy }) => policy === id))
    .map((policy) => ({ policy, decision: "pass" as const, why: why(policy) }));
  const mayPass = entry.effect !== undefined && entry.decision === "deny";
  return {
    entry,
    rulings: [...objecting, ...lifted, ...released, ...silent],
    ...(mayPass && { allow: allowCommand(entry.id, entry.unbound) }),
  };
}

/** The entry with this id or unique prefix. */
export function findEntry(entries: readonly AuditEntry[], id: string): AuditEntry | "none" | "several" {
  const found = entries.filter((entry) => entry.id === id || entry.id.startsWith(id));
  const exact = found.find((entry) => entry.id === id);
  if (exact) return exact;
  return found.length === 1 ? (found[0] ?? "none") : found.length === 0 ? "none" : "several";
}

/** Kinds of entries without an objection. */
const QUIET: readonly AuditEntry["kind"][] = ["call", "event", "action", "released", "mode"];

/** The newest objection or error, or else the newest entry that is not an action. */
export function lastEntry(entries: readonly AuditEntry[]): AuditEntry | undefined {
  const real = entries.filter(({ session }) => session !== CANARY);
  return real.findLast(({ kind }) => !QUIET.includes(kind)) ?? real.findLast(({ kind }) => kind !== "action");
}

/** What let a refused action pass. */
export function liftWords(by: string): string {
  if (by === HEADLESS) return "passed because it is only about trust and nobody is there to answer (`ask.headless`)";
  return `lifted by ${by === PAUSE ? "a pause" : `allow ${by}`}`;
}
