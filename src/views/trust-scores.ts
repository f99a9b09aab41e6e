/** The trust ledger in the format of trust-scores.json version 2, which other tools read. */
import { FALLBACK, type Rates, type Trust, type TrustLedger, trustAt } from "../state/trust.ts";
import { isoTime } from "./time.ts";

export interface TrustScores {
  readonly version: "2";
  readonly updated_at: string;
  readonly global_operation_count: number;
  readonly domains: Readonly<Record<string, DomainScore>>;
}

export interface DomainScore {
  readonly score: number;
  readonly successes: number;
  readonly failures: number;
  readonly total_operations: number;
  readonly last_operated_at: string;
  readonly is_warming_up: boolean;
  readonly warmup_remaining: number;
  readonly consecutive_failures: number;
  readonly pre_failure_score: number | null;
  readonly is_recovering: boolean;
}

/** Scores include the decay for absence up to now. The fallback domain always comes first, even in an empty ledger. */
export function trustScores(ledger: TrustLedger, now: number, rates: Rates): TrustScores {
  // A domain that was never operated dates from the last update of the ledger.
  const since = ledger.updatedAt === 0 ? now : ledger.updatedAt;
  const names = [FALLBACK, ...Object.keys(ledger.domains).filter((name) => name !== FALLBACK)];
  return {
    version: "2",
    updated_at: isoTime(since),
    global_operation_count: ledger.operations,
    domains: Object.fromEntries(
      names.map((name) => {
        const at = Object.hasOwn(ledger.domains, name) ? now : since;
        return [name, domainScore(trustAt(ledger, name, at, rates))];
      }),
    ),
  };
}

export function domainScore(trust: Trust): DomainScore {
  return {
    score: trust.score,
    successes: trust.successes,
    failures: trust.failures,
    total_operations: trust.operations,
    last_operated_at: isoTime(trust.lastAt),
    is_warming_up: trust.warmup > 0,
    warmup_remaining: trust.warmup,
    consecutive_failures: trust.consecutiveFailures,
    pre_failure_score: trust.target ?? null,
    is_recovering: trust.target !== undefined,
  };
}
