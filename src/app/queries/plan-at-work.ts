/** The plan that is meant where a command names none, and the state that commands about plans go by. */
import { own } from "../../lib/keyed.ts";
import type { State } from "../../state/state.ts";
import { host } from "../host.ts";
import { type Here, orFail } from "../project.ts";
import { stateAsSeen } from "../witness.ts";
import { sessionsIn } from "./sessions.ts";

/** The one that a person approved last; undefined if there is none. */
export function planAtWork(place: Pick<Here, "store">, root: string): string | undefined {
  const path = own(stateNow(place).playbooks ?? {}, root)?.active;
  return path === undefined ? undefined : `${root}/${path}`;
}

/** What the running sessions have just shown counts too, although no event has read their transcripts since. */
export function stateNow({ store }: Pick<Here, "store">): State {
  const state = orFail(store.read());
  const now = Date.now();
  return sessionsIn(state).reduce((known, [id]) => stateAsSeen(known, id, host, now), state);
}
