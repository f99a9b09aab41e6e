/** Work that the current stance allows. */

import { type DomainAccess, type StanceInForce, standingOf } from "../kernel/stance.ts";
import { DOMAINS } from "../reading/operation/domain.ts";
import type { Settings } from "../state/settings/settings.ts";

export interface StanceView {
  /** In upper case. */
  readonly stance: string;
  /** The default, not set by a person. */
  readonly implicit: boolean;
  readonly open: readonly string[];
  readonly gated: readonly string[];
  readonly closed: readonly string[];
}

export function stanceView({ stance, isImplicit }: StanceInForce, profile: Settings["profile"]): StanceView {
  const those = (standing: DomainAccess): readonly string[] =>
    DOMAINS.filter((domain) => standingOf(stance, domain, profile) === standing);
  return {
    stance: stance.toUpperCase(),
    implicit: isImplicit,
    open: those("open"),
    gated: those("gated"),
    closed: those("denied"),
  };
}
