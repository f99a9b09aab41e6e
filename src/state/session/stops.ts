/** How often the end of a turn was refused. Only a person's prompt resets these counts. */

import { counted } from "../../lib/keyed.ts";
import type { Calls } from "./calls.ts";

export interface Stops {
  /** Since the person's last prompt, by policy; for a subagent's end by policy and subagent. */
  readonly refusals: Readonly<Record<string, number>>;
  /** For the main agent's turn, over all policies. */
  readonly stops?: {
    readonly refused: number;
    /** In a row without a tool use in between. */
    readonly idle: number;
    /** Number of tool uses that had ended by then. */
    readonly ended: number;
  };
}

const REFUSALS_MAX = 60;

/** Completed tool uses in the journal count as progress. */
export function endedUses({ outcomes }: Pick<Calls, "outcomes">): number {
  return outcomes.success + outcomes.failure;
}

export function stopRefused<S extends Stops & Pick<Calls, "outcomes">>(
  session: S,
  { policy, leads }: { readonly policy: string; readonly leads?: true },
): S {
  const refusals = counted(session.refusals, policy, REFUSALS_MAX);
  if (!leads) return { ...session, refusals };
  const { refused = 0, idle = 0, ended = -1 } = session.stops ?? {};
  const now = endedUses(session);
  return { ...session, refusals, stops: { refused: refused + 1, idle: now === ended ? idle + 1 : 1, ended: now } };
}

export function endStops<S extends Stops>(session: S): S {
  const { stops: _, ...rest } = session;
  return { ...rest, refusals: {} } as unknown as S;
}

/** Refusals in a row without progress. */
export function idleStops({ stops, outcomes }: Stops & Pick<Calls, "outcomes">): number {
  return stops && stops.ended === endedUses({ outcomes }) ? stops.idle : 0;
}
