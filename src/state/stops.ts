/** How often the end of a turn was refused: the budgets that only a person's prompt refills. */
import type { Calls } from "./calls.ts";
import { counted } from "./keyed.ts";

export interface Stops {
  /** Since the last prompt of a person, by policy; of a subagent's end by policy and subagent. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Of the main agent's turn, by whomever. */
  readonly stops?: {
    readonly refused: number;
    /** In a row, without a tool use in between. */
    readonly idle: number;
    /** Tool uses that had ended by then. */
    readonly ended: number;
  };
}

const REFUSALS_MAX = 60;

/** Tool uses that ran: what the journal saw is what counts as progress. */
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

/** Refusals in a row that led to nothing. */
export function idleStops({ stops, outcomes }: Stops & Pick<Calls, "outcomes">): number {
  return stops && stops.ended === endedUses({ outcomes }) ? stops.idle : 0;
}
