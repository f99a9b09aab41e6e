/** Caches the environment of the sessions between their events. */

import type { Pin } from "../../store/pin.ts";
import type { Environment } from "../../world/machine/places.ts";
import { environmentOf, pinOf, pinStampOf } from "../lane.ts";

export interface SessionSurroundings {
  readonly pin: Pin | undefined;
  readonly env: Environment;
}

/** Same as the number of open journals; the least recently used entry is dropped. */
const SESSIONS_MAX = 64;

/** `own` is the daemon's environment. A renewed pin is read again. */
export function surroundingsOf(own: Environment): (session: string) => SessionSurroundings {
  const known = new Map<string, SessionSurroundings & { readonly stamp: string }>();
  return (session) => {
    const stamp = pinStampOf(own, session);
    const before = known.get(session);
    known.delete(session);
    const now = before?.stamp === stamp ? before : { stamp, ...looked(own, session) };
    // Without a pin there is no stamp to validate a cached entry.
    if (stamp !== "") known.set(session, now);
    const [oldest] = known.keys();
    if (known.size > SESSIONS_MAX && oldest !== undefined) known.delete(oldest);
    return now;
  };
}

function looked(own: Environment, session: string): SessionSurroundings {
  const pin = pinOf(own, session);
  return { pin, env: environmentOf(own, pin) };
}
