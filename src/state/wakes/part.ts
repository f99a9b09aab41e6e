/** The part `wakes`: the last wake of each agent. It outlives the process that wakes, so that nobody is woken without end. */
import { bounded, own } from "../../lib/keyed.ts";
import type { Part, PartRecord } from "../part.ts";
import type { Stamp } from "../record.ts";
import type { WakeRecord } from "./record.ts";

export interface Wake {
  readonly session: string;
  /** The newest number in the inbox when it was tried; something newer begins anew. */
  readonly upto: number;
  /** How often it was tried or left. */
  readonly tries: number;
  /** The time of the last one. */
  readonly at: number;
  readonly last: WakeRecord["do"];
  readonly by?: WakeRecord["by"];
  readonly why?: string;
  readonly clearedAt?: number;
}

/** By the name of the agent. */
export type Wakes = Readonly<Record<string, Wake>>;

const AGENTS_MAX = 200;

export const wakes: Part<Wakes> = {
  kinds: ["wake"],
  empty: {},
  fold(value: Wakes, record: PartRecord): Wakes {
    const { actor, session, upto, do: last, by, why, token, clear, t } = record as unknown as WakeRecord & Stamp;
    const before = own(value, actor);
    const known = before?.upto === upto ? before : { tries: 0, at: 0 };
    // A try that was broken off is counted already.
    const isTry = last === "try" || (last === "left" && token === undefined);
    const clearedAt = clear ? t : before?.clearedAt;
    const wake: Wake = {
      ...{ session, upto, last, tries: known.tries + (isTry ? 1 : 0), at: isTry ? t : known.at },
      ...(by && { by }),
      ...(why !== undefined && { why }),
      ...(clearedAt !== undefined && { clearedAt }),
    };
    return bounded(value, actor, wake, AGENTS_MAX, ({ at }) => at);
  },
};
