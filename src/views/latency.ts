/** The cost of a hook on this machine: the median and the slow end. */
import type { JournalRecord } from "../state/record.ts";

export interface Spread {
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
}

/** Timing of a hook: measured from outside just now, and the time inside from its records. */
export interface Figure {
  readonly hook: string;
  readonly measured?: Spread;
  readonly journal?: Spread;
}

/** Undefined without data. */
export function spreadOf(times: readonly number[]): Spread | undefined {
  if (times.length === 0) return undefined;
  const sorted = [...times].sort((a, b) => a - b);
  // Nearest rank: always a time that was really measured.
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { runs: times.length, p50: rounded(at(0.5)), p95: rounded(at(0.95)) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Older times belong to an earlier version or machine. */
const NEWEST_MAX = 500;

/** Milliseconds inside the program by event, from the newest records of each. */
export function timesIn(records: Iterable<JournalRecord>): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  for (const record of records) {
    if (record.kind !== "verdict" || record.ms === undefined) continue;
    const known = times.get(record.event) ?? [];
    known.push(record.ms);
    if (known.length > NEWEST_MAX) known.shift();
    times.set(record.event, known);
  }
  return times;
}
