/** How a domain's score developed: the journal folded again, at its recorded rates or at others. */

import { own } from "../lib/keyed.ts";
import type { JournalRecord } from "../state/record.ts";
import { fold, newState, type State } from "../state/state.ts";
import { defaultRates, type Rates, type Trust, type TrustLedger, trustAt } from "../state/trust.ts";
import { isoTime } from "./time.ts";

export interface HistoryPoint {
  readonly at: string;
  readonly outcome: "success" | "failure" | "import" | "absence";
  readonly score: number;
  /** The turning point, if any. */
  readonly note: string;
}

interface Curve {
  readonly points: readonly HistoryPoint[];
  /** The current score. */
  readonly score: number;
}

export interface HistoryView extends Curve {
  readonly domain: string;
  /** False: the oldest records are pruned, so the curve starts too late and too low. */
  readonly complete: boolean;
  /** The same outcomes at other rates, and the resulting score. */
  readonly what_if?: Curve & { readonly rates: Partial<Rates>; readonly difference: number };
}

export interface Asked {
  readonly domain: string;
  /** Oldest first; each call starts again. */
  readonly records: () => Iterable<JournalRecord>;
  /** The current ledger, for comparison with the records. */
  readonly ledger: TrustLedger;
  readonly now: number;
  /** The current rates, for the absence since the last record. */
  readonly rates: Rates;
  /** Replace the recorded rates from the beginning. */
  readonly whatIf?: Partial<Rates>;
}

export function historyView({ whatIf, ...asked }: Asked): HistoryView {
  const { domain, ledger } = asked;
  const { operations, ...was } = replay(asked, {});
  const would = whatIf && replay(asked, whatIf);
  return {
    domain,
    complete: operations === (own(ledger.domains, domain)?.operations ?? 0),
    ...was,
    ...(would && {
      what_if: {
        rates: whatIf,
        score: would.score,
        difference: Number((would.score - was.score).toFixed(5)),
        points: would.points,
      },
    }),
  };
}

function replay(
  { domain, records, now, rates }: Asked,
  forced: Partial<Rates>,
): Curve & { readonly operations: number } {
  const points: HistoryPoint[] = [];
  let state: State = { ...newState, trust: { ...newState.trust, rates: { ...defaultRates, ...forced } } };
  for (const record of records()) {
    const before = state.trust;
    state = fold(state, withRates(record, forced));
    const point = pointBetween(before, state.trust, domain, state.t);
    if (point) points.push(point);
  }
  const last = own(state.trust.domains, domain);
  const { score } = trustAt(state.trust, domain, now, { ...rates, ...forced });
  if (last && score !== last.score) {
    points.push({ at: isoTime(now), outcome: "absence", score, note: daysAway(last.lastAt, now) });
  }
  return { points, score, operations: last?.operations ?? 0 };
}

/** The record with other rates in force. */
function withRates(record: JournalRecord, forced: Partial<Rates>): JournalRecord {
  if (record.kind !== "verdict" || !record.changes) return record;
  const changes = record.changes.map((change) =>
    change.record === "trust" && change.do === "rates" ? { ...change, rates: { ...change.rates, ...forced } } : change,
  );
  return { ...record, changes };
}

function pointBetween(before: TrustLedger, after: TrustLedger, domain: string, now: number): HistoryPoint | undefined {
  const [was, is] = [own(before.domains, domain), own(after.domains, domain)];
  if (was === is) return undefined;
  if (!is) {
    return {
      at: isoTime(now),
      outcome: "import",
      score: after.rates.initial_score,
      note: "not in the file: begins anew",
    };
  }
  const outcome = outcomeBetween(was, is);
  const note = outcome === "import" ? "set from a file" : turnsBetween(was, is, after.rates).join(", ");
  return { at: isoTime(now), outcome, score: is.score, note };
}

/** Outcomes come one at a time; any other step is an import. */
function outcomeBetween(was: Trust | undefined, is: Trust): HistoryPoint["outcome"] {
  const succeeded = is.successes - (was?.successes ?? 0);
  const failed = is.failures - (was?.failures ?? 0);
  if (succeeded === 1 && failed === 0) return "success";
  return succeeded === 0 && failed === 1 ? "failure" : "import";
}

function turnsBetween(was: Trust | undefined, is: Trust, { hibernation_days }: Rates): readonly string[] {
  const isAfterAbsence = was !== undefined && is.lastAt - was.lastAt >= (hibernation_days + 1) * DAY_MS;
  return [
    ...(was === undefined ? ["begins"] : []),
    ...(isAfterAbsence ? [daysAway(was.lastAt, is.lastAt)] : []),
    ...(is.target !== undefined && was?.target === undefined ? [`recovers towards ${is.target}`] : []),
    ...(is.target === undefined && was?.target !== undefined ? ["recovery ends"] : []),
    ...(is.warmup === 0 && (was?.warmup ?? 0) > 0 ? ["warm-up ends"] : []),
    ...(is.consecutiveFailures > 1 ? [`${is.consecutiveFailures} failures in a row`] : []),
  ];
}

const DAY_MS = 86_400_000;

function daysAway(from: number, to: number): string {
  return `after ${Math.floor((to - from) / DAY_MS)} days away`;
}
