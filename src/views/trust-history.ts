/** How a domain's score came to be: the journal folded again, at the rates it had or at others. */

import { own } from "../state/keyed.ts";
import type { JournalRecord } from "../state/record.ts";
import { fold, newState, type State } from "../state/state.ts";
import { defaultRates, type Ledger, type Rates, type Trust, trustAt } from "../state/trust.ts";
import { isoTime } from "./time.ts";

export interface HistoryPoint {
  readonly at: string;
  readonly outcome: "success" | "failure" | "import" | "absence";
  readonly score: number;
  /** What turned at this point, if anything did. */
  readonly note: string;
}

interface Curve {
  readonly points: readonly HistoryPoint[];
  /** As of now. */
  readonly score: number;
}

export interface HistoryView extends Curve {
  readonly domain: string;
  /** False: the oldest records are pruned, and the curve begins too late and too low. */
  readonly complete: boolean;
  /** The same outcomes at other rates, and what they would have come to. */
  readonly what_if?: Curve & { readonly rates: Partial<Rates>; readonly difference: number };
}

export interface Asked {
  readonly domain: string;
  /** Oldest first, anew at every call. */
  readonly records: () => Iterable<JournalRecord>;
  /** As it stands: what the records are held against. */
  readonly ledger: Ledger;
  readonly now: number;
  /** What holds now: absence since the last record is counted by it. */
  readonly rates: Rates;
  /** In force from the beginning, in place of those that were. */
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

/** A record as it would have been with other rates in force. */
function withRates(record: JournalRecord, forced: Partial<Rates>): JournalRecord {
  if (record.kind !== "verdict" || !record.changes) return record;
  const changes = record.changes.map((change) =>
    change.record === "trust" && change.do === "rates" ? { ...change, rates: { ...change.rates, ...forced } } : change,
  );
  return { ...record, changes };
}

function pointBetween(before: Ledger, after: Ledger, domain: string, now: number): HistoryPoint | undefined {
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

/** Outcomes come one by one; any other step is a file's. */
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
