/** What the stance in force leaves open. */
import { DOMAINS } from "../kernel/operation-domain.ts";
import { type StanceInForce, type Standing, standingOf } from "../kernel/stance.ts";
import type { Settings } from "../state/settings.ts";

export interface StanceView {
  /** In capitals. */
  readonly stance: string;
  /** No person has set it. */
  readonly implicit: boolean;
  readonly open: readonly string[];
  readonly gated: readonly string[];
  readonly closed: readonly string[];
}

export function stanceView({ stance, isImplicit }: StanceInForce, profile: Settings["profile"]): StanceView {
  const those = (standing: Standing): readonly string[] =>
    DOMAINS.filter((domain) => standingOf(stance, domain, profile) === standing);
  return {
    stance: stance.toUpperCase(),
    implicit: isImplicit,
    open: those("open"),
    gated: those("gated"),
    closed: those("denied"),
  };
}
