/** Trust per kind of work: a score by domain, changed only by outcomes. */
import { own } from "../lib/keyed.ts";

/** How fast trust is earned and lost; the settings `trust.*` with the same names. */
export interface Rates {
  readonly initial_score: number;
  readonly hibernation_days: number;
  readonly boost_threshold: number;
  readonly warmup_operations: number;
  readonly failure_decay: number;
  readonly recovery_boost_multiplier: number;
}

export const defaultRates: Rates = {
  initial_score: 0.3,
  hibernation_days: 14,
  boost_threshold: 20,
  warmup_operations: 5,
  failure_decay: 0.85,
  recovery_boost_multiplier: 1.5,
};

/** The trust in one domain. */
export interface Trust {
  readonly score: number;
  readonly successes: number;
  readonly failures: number;
  readonly operations: number;
  readonly lastAt: number;
  /** Successes that still count double after an absence; 0: no warm-up. */
  readonly warmup: number;
  readonly consecutiveFailures: number;
  /** During recovery from failures: the score before the first of them. */
  readonly target?: number;
}

export interface TrustLedger {
  readonly domains: Readonly<Record<string, Trust>>;
  readonly operations: number;
  /** 0: nothing was recorded yet. */
  readonly updatedAt: number;
  /** In force since they were recorded, so that a replay of the journal gives the same scores. */
  readonly rates: Rates;
}

export const newTrustLedger: TrustLedger = { domains: {}, operations: 0, updatedAt: 0, rates: defaultRates };

export type TrustChange =
  | { readonly record: "trust"; readonly do: "rates"; readonly rates: Rates }
  /** By a person, from a file: `first` starts over, further parts add domains. */
  | {
      readonly record: "trust";
      readonly do: "import";
      readonly first: boolean;
      readonly operations: number;
      readonly domains: Readonly<Record<string, Trust>>;
    };

/** The domain of unknown tools, and the default score for domains without records. */
export const FALLBACK = "_global";

export const DOMAINS_MAX = 64;

const DAY_MS = 86_400_000;
const BOOSTED = 0.05;
const SETTLED = 0.02;
const DAILY_DECAY = 0.999;

/** The current trust in a domain. Absence counts from the last operation, so it costs once however often it is read. */
export function trustAt(ledger: Pick<TrustLedger, "domains">, domain: string, now: number, rates: Rates): Trust {
  const known = own(ledger.domains, domain);
  if (known) return afterAbsence(known, now, rates);
  const fallback = own(ledger.domains, FALLBACK);
  return newTrust(fallback ? afterAbsence(fallback, now, rates).score : rates.initial_score, now);
}

export function newTrust(score: number, at: number): Trust {
  return { score, successes: 0, failures: 0, operations: 0, lastAt: at, warmup: 0, consecutiveFailures: 0 };
}

function afterAbsence(trust: Trust, now: number, { hibernation_days, warmup_operations }: Rates): Trust {
  const days = Math.floor((now - trust.lastAt) / DAY_MS) - hibernation_days;
  if (days <= 0) return trust;
  // Rounding must not raise the score: a small one may have more digits.
  const score = Math.min(trust.score, rounded(trust.score * DAILY_DECAY ** days, 4));
  return { ...trust, score, warmup: warmup_operations };
}

/** Records the end of one tool use. */
export function recordOutcome(
  ledger: TrustLedger,
  domain: string,
  outcome: "success" | "failure",
  now: number,
): TrustLedger {
  const { rates, domains } = ledger;
  const known = own(domains, domain);
  if (!known && Object.keys(domains).length >= DOMAINS_MAX) return ledger;
  const before = known ? afterAbsence(known, now, rates) : newTrust(rates.initial_score, now);
  const after = outcome === "success" ? succeeded(before, rates, now) : failed(before, rates, now);
  return {
    ...ledger,
    operations: ledger.operations + 1,
    updatedAt: now,
    domains: { ...domains, [domain]: after },
  };
}

function succeeded(trust: Trust, rates: Rates, now: number): Trust {
  const { score: before, target } = trust;
  const base = trust.operations < rates.boost_threshold ? BOOSTED : SETTLED;
  const rate = base * (trust.warmup > 0 ? 2 : 1) * (target === undefined ? 1 : rates.recovery_boost_multiplier);
  const score = Math.max(before, rounded(before + (1 - before) * rate, 5));
  const after: Trust = {
    score,
    successes: trust.successes + 1,
    failures: trust.failures,
    operations: trust.operations + 1,
    lastAt: now,
    warmup: Math.max(0, trust.warmup - 1),
    consecutiveFailures: 0,
  };
  // Close to 1 rounding hides a success, so the target might never be reached.
  return target !== undefined && score < target && score > before ? { ...after, target } : after;
}

function failed(trust: Trust, rates: Rates, now: number): Trust {
  const { score, consecutiveFailures: inARow, target = inARow === 0 ? score : undefined } = trust;
  const after: Trust = {
    score: Math.min(score, rounded(score * rates.failure_decay, 5)),
    successes: trust.successes,
    failures: trust.failures + 1,
    operations: trust.operations + 1,
    lastAt: now,
    warmup: trust.warmup,
    consecutiveFailures: inARow + 1,
  };
  return target === undefined ? after : { ...after, target };
}

/** Rounds half up within 0 to 1. Halves are decimal: 0.36825 × 0.7 is slightly less in binary. */
function rounded(score: number, digits: number): number {
  const scale = 10 ** digits;
  const inDecimals = Number((score * scale).toPrecision(12));
  return Math.min(1, Math.max(0, Math.round(inDecimals) / scale));
}

/** A change of another shape or a newer version changes nothing. Imported values are validated before. */
export function reduceTrust(ledger: TrustLedger, change: TrustChange, now: number): TrustLedger {
  switch (change.do) {
    case "rates":
      return { ...ledger, rates: { ...defaultRates, ...change.rates } };
    case "import":
      return {
        ...ledger,
        // Outcomes recorded between two parts of an import stay counted.
        operations: change.first ? change.operations : ledger.operations,
        updatedAt: now,
        domains: { ...(change.first ? {} : ledger.domains), ...change.domains },
      };
    default:
      return ledger;
  }
}
