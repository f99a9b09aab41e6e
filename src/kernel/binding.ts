/** Checks whether an event comes from the host's own process. Only then may it create evidence or use a grant. */
import type { Session } from "../state/session/session.ts";
import { type Caller, isUnknown, type Unknown } from "./facts.ts";

/**
 * bound: the session's own process called. new: the session has no process yet and the caller may become it. unbound:
 * another or an unknown caller.
 */
export type Binding = "bound" | "new" | "unbound";

export function bindingOf(session: Session | Unknown | undefined, caller: Caller | Unknown | undefined): Binding {
  if (session === undefined || isUnknown(session) || caller === undefined || isUnknown(caller)) return "unbound";
  if (session.endedAt === undefined && isOwnProcess(session, caller)) return "bound";
  return caller.isHost && !caller.insideAgent && !caller.heldElsewhere ? "new" : "unbound";
}

/** Whether the process calls that the session began with, also after the session's end was reported. */
export function isOwnProcess({ client }: Session, { process }: Caller): boolean {
  return client !== undefined && client.pid === process.pid && client.started === process.started;
}
