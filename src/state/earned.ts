/** Trust after tool uses have ended: one rule for the fold of the journal and for the daemon's own account. */
import type { Ended } from "./session/calls.ts";
import { FALLBACK, recordOutcome, type TrustLedger } from "./trust.ts";

/** A failure that is no failure of the work costs nothing. */
export function afterEnds(ledger: TrustLedger, ends: readonly Ended[], now: number): TrustLedger {
  return ends
    .filter(({ isSpared }) => isSpared !== true)
    .reduce((known, { domain, outcome }) => recordOutcome(known, domain ?? FALLBACK, outcome, now), ledger);
}
