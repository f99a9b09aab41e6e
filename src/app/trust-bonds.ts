/** What the daemon knows of trust: only what the host's own reports have earned counts in a session. */
import { own } from "../lib/keyed.ts";
import type { Change } from "../state/change.ts";
import { outcomesIn } from "../state/session/calls.ts";
import type { Session } from "../state/session/session.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { State } from "../state/state.ts";
import { FALLBACK, recordOutcome, type Trust, type TrustLedger } from "../state/trust.ts";

/** By domain: the score that the host's own reports have earned. */
export type TrustBonds = Readonly<Record<string, number>>;

/** What other sessions earned meanwhile counts when this one is taken up again. */
export function boundTrust(ledger: TrustLedger, bonds: TrustBonds): TrustLedger {
  const known = Object.entries(ledger.domains).flatMap(([domain, trust]): [string, Trust][] => {
    const most = own(bonds, domain);
    return most === undefined ? [] : [[domain, { ...trust, score: Math.min(trust.score, most) }]];
  });
  return { ...ledger, domains: Object.fromEntries(known) };
}

export function trustAfter(
  { trust, t }: State,
  session: Session,
  changes: readonly Change[],
  settings: Settings,
  now: number,
): TrustBonds {
  const ends = session.castaway ? [] : outcomesIn(session, changes);
  const ledger = ends.reduce<TrustLedger>(
    (known, { domain, outcome }) => recordOutcome(known, domain ?? FALLBACK, outcome, Math.max(t, now)),
    { ...trust, rates: settings.trust },
  );
  return Object.fromEntries(Object.entries(ledger.domains).map(([domain, { score }]) => [domain, score]));
}
