/** The ledger in the shape and the names of trust-scores.json, version 2, as other tools read it. */
import { FALLBACK, type Ledger, type Rates, type Trust, trustAt } from "../state/trust.ts";
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

/** As of now: what absence has cost is in it. The fallback is always there, first, also before anything happened. */
export function trustScores(ledger: Ledger, now: number, rates: Rates): TrustScores {
  // What has never been operated is as old as the ledger.
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
