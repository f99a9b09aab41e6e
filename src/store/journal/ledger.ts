/** The result of folding the journal: the state and the journal's own bookkeeping. A pure function of a prefix. */
import { fold, newState, type State } from "../../state/state.ts";
import { type Authority, NO_AUTHORITY } from "../authority.ts";
import type { Entry } from "./line.ts";
import { FIRST_SEGMENT } from "./segment.ts";

export interface Ledger {
  /** End of the prefix: the offset after the last folded line. */
  readonly segment: number;
  readonly offset: number;
  /** Id of the line that ends there; empty when it was unreadable. */
  readonly last: string;
  readonly state: State;
  /** Number of folded records, without the journal's own. */
  readonly records: number;
  /** Unreadable lines that were skipped, and segments without an end. */
  readonly damaged: number;
  /** Newest sealed segment and its seal. */
  readonly sealed: number;
  readonly seal: string;
  /** Newest pruned segment. */
  readonly pruned: number;
}

export const NO_SEAL = "0".repeat(64);

export const newLedger: Ledger = {
  segment: FIRST_SEGMENT,
  offset: 0,
  last: "",
  state: newState,
  records: 0,
  damaged: 0,
  sealed: FIRST_SEGMENT - 1,
  seal: NO_SEAL,
  pruned: FIRST_SEGMENT - 1,
};

/** Folds the line that ends at `offset`; `undefined` is an unreadable line. */
export function foldEntry(
  ledger: Ledger,
  entry: Entry | undefined,
  offset: number,
  authority: Authority = NO_AUTHORITY,
): Ledger {
  if (!entry) return { ...ledger, offset, last: "", damaged: ledger.damaged + 1 };
  const last = entry.rid;
  switch (entry.kind) {
    case "close":
      return nextSegment(ledger);
    case "seal":
      // Seals come in order and the first one counts; `verify` reports a contradicting one.
      return entry.of === ledger.sealed + 1
        ? { ...ledger, offset, last, sealed: entry.of, seal: entry.hash }
        : { ...ledger, offset, last };
    case "prune":
      return {
        ...ledger,
        offset,
        last,
        pruned: Math.max(ledger.pruned, entry.segment),
        seal: entry.segment === ledger.sealed ? entry.seal : ledger.seal,
      };
    default: {
      const counted = entry.kind === "action" ? authority.check(entry, ledger.state) : entry;
      return { ...ledger, offset, last, records: ledger.records + 1, state: fold(ledger.state, counted) };
    }
  }
}

export function nextSegment(ledger: Ledger): Ledger {
  return { ...ledger, segment: ledger.segment + 1, offset: 0, last: "" };
}

/** For a journal whose older segments are gone; their `prune` record provides the seal to continue from. */
export function ledgerFrom(segment: number): Ledger {
  return { ...newLedger, segment, sealed: segment - 1, pruned: segment - 1 };
}
