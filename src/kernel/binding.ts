/** Does an event come from the client's own process? Only then may it create evidence or a grant. */
import type { Session } from "../state/session.ts";
import { type Caller, isUnknown, type Unknown } from "./facts.ts";

/**
 * bound: the process that the session is bound to called us. new: the session has no process yet and the caller may
 * become it. unbound: somebody else, or it cannot be told.
 */
export type Binding = "bound" | "new" | "unbound";

export function bindingOf(session: Session | Unknown | undefined, caller: Caller | Unknown | undefined): Binding {
  if (session === undefined || isUnknown(session) || caller === undefined || isUnknown(caller)) return "unbound";
  if (session.client && session.endedAt === undefined) {
    const same = session.client.pid === caller.client.pid && session.client.started === caller.client.started;
    if (same) return "bound";
  }
  return caller.isHost && !caller.insideAgent && !caller.heldElsewhere ? "new" : "unbound";
}
