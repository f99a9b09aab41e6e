/** What an import would change, row by row. */
import type { Stance } from "../state/stance.ts";
import type { Ledger, Trust } from "../state/trust.ts";

export interface ImportRow {
  readonly what: string;
  /** Null: it is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Every domain of before and of after, as it is written down: what absence costs is counted on from there. */
export function trustRows(
  before: Pick<Ledger, "operations" | "domains">,
  after: Pick<Ledger, "operations" | "domains">,
): readonly ImportRow[] {
  const names = [...new Set([...Object.keys(before.domains), ...Object.keys(after.domains)])].sort();
  return [
    { what: "operations", before: String(before.operations), after: String(after.operations) },
    ...names.map((what) => ({ what, before: wordsOf(before, what), after: wordsOf(after, what) })),
  ];
}

function wordsOf({ domains }: Pick<Ledger, "domains">, name: string): string | null {
  const trust = Object.hasOwn(domains, name) ? domains[name] : undefined;
  return trust ? trustWords(trust) : null;
}

/** `0.45 (5/3) [RECOVERING → 0.6]`: the score, successes and failures, and where a recovery ends. */
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
