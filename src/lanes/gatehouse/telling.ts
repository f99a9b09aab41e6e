/** Tells the supervisor what this worker saw, so that it outlives the worker. */
import { isBondsKey } from "../../app/bonds.ts";
import type { Sighting } from "./sightings.ts";

/** Trust that was earned may be told this late. */
const LATER_MS = 250;

export interface Telling {
  /** What binds the agent is told before the answer; what only gives it trust waits, and costs no message per event. */
  about(sighting: Sighting, isUrgent: boolean): void;
  /** Before the worker leaves. */
  finish(): void;
}

export function telling(tell: (sighting: Sighting) => void): Telling {
  /** By session, the newest. */
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
      if (isUrgent) {
        // Of the bonds the newest count; an older one must not be told after it.
        const earlier = waiting.get(sighting.session);
        waiting.delete(sighting.session);
        if (earlier && !sighting.keys.some(isBondsKey)) tell(earlier);
        return tell(sighting);
      }
      waiting.set(sighting.session, sighting);
      timer ??= setTimeout(finish, LATER_MS);
    },
    finish,
  };
}
