/** A session for examples and tests. */
import { type HostProcess, newSession, type Session } from "./session.ts";

/** The host's process in examples. */
export const EXAMPLE_PROCESS: HostProcess = { pid: 7, started: "1" };

/** A session that is bound to the host's process. */
export function boundSession(more: Partial<Session> = {}): Session {
  return { ...newSession(0), client: EXAMPLE_PROCESS, ...more };
}
