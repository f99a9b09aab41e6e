/** The changes that an import would make, row by row. */
import type { Stance } from "../state/stance.ts";
import type { Trust, TrustLedger } from "../state/trust.ts";

export interface ImportRow {
  readonly what: string;
  /** Null: it does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Every domain before and after, as recorded; absence is counted on top of it. */
export function trustRows(
  before: Pick<TrustLedger, "operations" | "domains">,
  after: Pick<TrustLedger, "operations" | "domains">,
): readonly ImportRow[] {
  const names = [...new Set([...Object.keys(before.domains), ...Object.keys(after.domains)])].sort();
  return [
    { what: "operations", before: String(before.operations), after: String(after.operations) },
    ...names.map((what) => ({ what, before: wordsOf(before, what), after: wordsOf(after, what) })),
  ];
}

function wordsOf({ domains }: Pick<TrustLedger, "domains">, name: string): string | null {
  const trust = Object.hasOwn(domains, name) ? domains[name] : undefined;
  return trust ? trustWords(trust) : null;
}

/** `0.45 (5/3) [RECOVERING → 0.6]`: score, successes and failures, and the recovery target. */
export function trustWords({
  score,
  successes,
  failures,
  target,
}: Omit<Trust, "operations" | "lastAt" | "warmup" | "consecutiveFailures">): string {
  const recovering = target === undefined ? "" : ` [RECOVERING → ${target}]`;
  return `${score} (${successes}/${failures})${recovering}`;
}

export function stanceRows(before: Stance | undefined, after: Stance): readonly ImportRow[] {
  return [{ what: "stance", before: before ?? null, after }];
}
