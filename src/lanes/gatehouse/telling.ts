/** Tells the supervisor what this worker saw, so that it outlives the worker. */
import { isBondsKey } from "../../app/bonds.ts";
import type { Sighting } from "./sightings.ts";

/** What gives the agent something, evidence or trust, may be told this late: if it is lost, the agent has to show it again. */
const LATER_MS = 250;

export interface Telling {
  /** What binds the agent is told before the answer; what only gives it something waits, and costs no message per event. */
  about(sighting: Sighting, isUrgent: boolean): void;
  /** Before the worker leaves. */
  finish(): void;
}

export function telling(tell: (sighting: Sighting) => void): Telling {
  /** By session. */
  const waiting = new Map<string, Sighting>();
  let timer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const sighting of waiting.values()) tell(sighting);
    waiting.clear();
  };
  return {
    about: (sighting, isUrgent) => {
      const { session } = sighting;
      const all = joined(waiting.get(session), sighting);
      if (isUrgent) {
        waiting.delete(session);
        return tell(all);
      }
      waiting.set(session, all);
      timer ??= setTimeout(finish, LATER_MS);
    },
    finish,
  };
}

/** All keys, and of the bonds the newest. */
function joined(before: Sighting | undefined, news: Sighting): Sighting {
  if (!before || before.host !== news.host) return news;
  const isReplaced = news.keys.some(isBondsKey);
  const earlier = isReplaced ? before.keys.filter((key) => !isBondsKey(key)) : before.keys;
  return { ...news, keys: [...earlier, ...news.keys] };
}
