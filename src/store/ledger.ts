/** What the journal folds: the state, and what the journal must know of itself. A pure function of a prefix. */
import { fold, newState, type State } from "../state/state.ts";
import type { Entry } from "./line.ts";
import { FIRST_SEGMENT } from "./segment.ts";

export interface Ledger {
  /** Where the prefix ends: the offset behind the last line that was folded. */
  readonly segment: number;
  readonly offset: number;
  /** The id of the line that ends there; empty when it could not be read. */
  readonly last: string;
  readonly state: State;
  /** Records folded, without the journal's own. */
  readonly records: number;
  /** Lines that could not be read and were passed over, and segments without an end. */
  readonly damaged: number;
  /** The newest sealed segment and its seal. */
  readonly sealed: number;
  readonly seal: string;
  /** The newest segment that was given up to pruning. */
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

/** Folds one line that ends at `offset`; a line that could not be read is `undefined`. */
export function foldEntry(ledger: Ledger, entry: Entry | undefined, offset: number): Ledger {
  if (!entry) return { ...ledger, offset, last: "", damaged: ledger.damaged + 1 };
  const last = entry.rid;
  switch (entry.kind) {
    case "close":
      return nextSegment(ledger);
    case "seal":
      // Seals come in order and the first counts; one that contradicts it is for `verify` to report.
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
    default:
      return { ...ledger, offset, last, records: ledger.records + 1, state: fold(ledger.state, entry) };
  }
}

export function nextSegment(ledger: Ledger): Ledger {
  return { ...ledger, segment: ledger.segment + 1, offset: 0, last: "" };
}

/** Where the older segments are gone: the `prune` record that accounts for them brings the seal to go on from. */
export function ledgerFrom(segment: number): Ledger {
  return { ...newLedger, segment, sealed: segment - 1, pruned: segment - 1 };
}
