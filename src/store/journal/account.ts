/** The ledger and every part, which `verify` folds again and compares with the snapshots. */
import { foldPart, type Part, type PartTable } from "../../state/part.ts";
import type { Authority } from "../authority.ts";
import type { Listing } from "./directory.ts";
import { foldEntry, type Ledger, newLedger } from "./ledger.ts";
import type { Entry } from "./line.ts";
import { FIRST_SEGMENT } from "./segment.ts";
import { type AnySeries, type PartSnapshot, seriesIn } from "./series.ts";
import type { Place } from "./snapshot.ts";

export interface Account<Fold extends Place = Place> extends AnySeries {
  readonly start: Fold;
  /** Folds one line that ends at `end`; `entry` is undefined for a damaged line. */
  step(fold: Fold, entry: Entry | undefined, end: number): Fold;
  /** Other reducers may compute another state, but must agree on the place and the seals. */
  agreed(snapshot: Fold, fold: Fold): Fold;
}

export function accountsIn(listing: Listing, parts: PartTable, authority: Authority): readonly Account[] {
  return seriesIn(listing, parts, authority).map((series) => ({
    ...series,
    ...(series.part === "" ? ofLedger(authority) : ofPart(parts[series.part])),
  }));
}

function ofLedger(authority: Authority): Omit<Account<Ledger>, keyof AnySeries> {
  return {
    start: newLedger,
    step: (ledger, entry, end) => foldEntry(ledger, entry, end, authority),
    agreed: (snapshot, { state }) => ({ ...snapshot, state }),
  };
}

/** For an unknown part, only the place can be checked. */
function ofPart(part: Part | undefined): Omit<Account<PartSnapshot>, keyof AnySeries> {
  return {
    start: { segment: FIRST_SEGMENT, offset: 0, last: "", value: part?.empty ?? {} },
    step: ({ segment, value }, entry, offset) => {
      if (entry?.kind === "close") return { segment: segment + 1, offset: 0, last: "", value };
      const folded = part && entry ? foldPart(part, [entry], value) : value;
      return { segment, offset, last: entry?.rid ?? "", value: folded };
    },
    agreed: (snapshot, { value }) => ({ ...snapshot, value }),
  };
}
