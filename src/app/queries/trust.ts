/** The trust that was earned here, and how one domain came by it. */
import { isDomain } from "../../reading/operation/domain.ts";
import type { Rates } from "../../state/trust.ts";
import { type DomainView, domainView, ledgerRows } from "../../views/trust-domain.ts";
import { historyView } from "../../views/trust-history.ts";
import { trustScores } from "../../views/trust-scores.ts";
import { type Here, orFail } from "../project.ts";

export function trustHere({ store, settings }: Here) {
  const { trust } = orFail(store.read());
  const now = Date.now();
  return {
    rows: ledgerRows(trust, settings.settings, now),
    scores: trustScores(trust, now, settings.settings.trust),
    operations: trust.operations,
  };
}

/** Undefined for a domain that does not exist. */
export function trustIn({ store, settings }: Here, domain: string): DomainView | undefined {
  return domainView(domain, orFail(store.read()), settings.settings, Date.now());
}

/** `whatIf`: the same outcomes at other rates. Undefined for a domain that does not exist. */
export function trustHistory({ store, settings }: Here, domain: string, whatIf?: Partial<Rates>) {
  const { trust: ledger } = orFail(store.read());
  if (!Object.hasOwn(ledger.domains, domain) && !isDomain(domain)) return undefined;
  const rates = settings.settings.trust;
  return historyView({
    ...{ domain, records: () => store.records(), ledger, now: Date.now(), rates },
    ...(whatIf && { whatIf }),
  });
}
