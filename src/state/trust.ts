/** How far an agent is trusted with each kind of work: a score by domain, moved by outcomes and by nothing else. */
import { own } from "./keyed.ts";

/** How fast trust is earned and lost. The settings `trust.*` by their names. */
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

/** What is known of one domain. */
export interface Trust {
  readonly score: number;
  readonly successes: number;
  readonly failures: number;
  readonly operations: number;
  readonly lastAt: number;
  /** Successes that still count double after an absence; 0: it is not warming up. */
  readonly warmup: number;
  readonly consecutiveFailures: number;
  /** While it recovers from failures: the score before the first of them. */
  readonly target?: number;
}

export interface Ledger {
  readonly domains: Readonly<Record<string, Trust>>;
  readonly operations: number;
  /** 0: nothing was ever recorded. */
  readonly updatedAt: number;
  /** In force since they were last recorded: a replay of the journal moves as the days themselves did. */
  readonly rates: Rates;
}

export const newLedger: Ledger = { domains: {}, operations: 0, updatedAt: 0, rates: defaultRates };

export type TrustChange =
  | { readonly record: "trust"; readonly do: "rates"; readonly rates: Rates }
  /** By a person, from a file: `first` begins anew, further ones add domains. */
  | {
      readonly record: "trust";
      readonly do: "import";
      readonly first: boolean;
      readonly operations: number;
      readonly domains: Readonly<Record<string, Trust>>;
    };

/** The domain of tools that nobody knows, and the score of domains that nothing is known of. */
export const FALLBACK = "_global";

export const DOMAINS_MAX = 64;

const DAY_MS = 86_400_000;
const BOOSTED = 0.05;
const SETTLED = 0.02;
const DAILY_DECAY = 0.999;

/** A domain as it stands now: absence costs once, however often one looks, for it is counted from the last operation. */
export function trustAt(ledger: Pick<Ledger, "domains">, domain: string, now: number, rates: Rates): Trust {
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
  // Rounding must not give back what was lost: a small score has more digits than this.
  const score = Math.min(trust.score, rounded(trust.score * DAILY_DECAY ** days, 4));
  return { ...trust, score, warmup: warmup_operations };
}

/** One tool use has ended. */
export function recordOutcome(ledger: Ledger, domain: string, outcome: "success" | "failure", now: number): Ledger {
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
  // Close to 1 a success is too small to be written down: waiting for more would be waiting for ever.
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

/** Half up, and within what a score can be. A half is one in decimals: 0.36825 × 0.7 is a little less in binary. */
function rounded(score: number, digits: number): number {
  const scale = 10 ** digits;
  const inDecimals = Number((score * scale).toPrecision(12));
  return Math.min(1, Math.max(0, Math.round(inDecimals) / scale));
}

/** Total: a change of another shape, or of a newer version, changes nothing. What files bring in is checked before. */
export function reduceTrust(ledger: Ledger, change: TrustChange, now: number): Ledger {
  switch (change.do) {
    case "rates":
      return { ...ledger, rates: { ...defaultRates, ...change.rates } };
    case "import":
      return {
        ...ledger,
        // What was counted between two parts of an import stays counted.
        operations: change.first ? change.operations : ledger.operations,
        updatedAt: now,
        domains: { ...(change.first ? {} : ledger.domains), ...change.domains },
      };
    default:
      return ledger;
  }
}
