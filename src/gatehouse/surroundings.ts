/** What the sessions of this gatehouse began with, kept between their events. */
import { environmentOf, pinOf, pinStampOf } from "../lane.ts";
import type { Pin } from "../store/pin.ts";
import type { Environment } from "../world/places.ts";

export interface SessionSurroundings {
  readonly pin: Pin | undefined;
  readonly env: Environment;
}

/** As many as there are journals open; the one that was not asked for longest is let go. */
const SESSIONS_MAX = 64;

/** `own` is the gatehouse's environment. A pin that was renewed since is read anew. */
export function surroundingsOf(own: Environment): (session: string) => SessionSurroundings {
  const known = new Map<string, SessionSurroundings & { readonly stamp: string }>();
  return (session) => {
    const stamp = pinStampOf(own, session);
    const before = known.get(session);
    known.delete(session);
    const now = before?.stamp === stamp ? before : { stamp, ...looked(own, session) };
    // Without a pin there is nothing to know it again by.
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
