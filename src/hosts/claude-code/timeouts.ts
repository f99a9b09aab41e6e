/** How long our hooks may take. Every event needs this and none of the rest of a hook's form. */
import type { EventName } from "../../kernel/event.ts";

/** In seconds, like the host. Every event has a timeout, because the host's default is ten minutes. */
const TIMEOUT_SECONDS: Readonly<Partial<Record<EventName, number>>> = { Stop: 15, SubagentStop: 15, SessionEnd: 5 };
const TIMEOUT_SECONDS_DEFAULT = 10;

/**
 * At SessionEnd the host allows 1.5 s for all hooks together. A timeout in the settings extends this, but not reliably
 * for plugin hooks, so we use the shorter limit minus the start-up time.
 */
const SESSION_END_MS = 1000;

/** Our own deadline ends well before the host's timeout. */
export function deadlineMs(event: EventName): number {
  return event === "SessionEnd" ? SESSION_END_MS : timeoutOf(event) * 600;
}

/** The host writes its input at once; if nothing arrived by then, nothing will. */
export function inputMs(event: EventName): number {
  return event === "SessionEnd" ? SESSION_END_MS / 4 : 2500;
}

export function timeoutOf(event: EventName): number {
  return TIMEOUT_SECONDS[event] ?? TIMEOUT_SECONDS_DEFAULT;
}
