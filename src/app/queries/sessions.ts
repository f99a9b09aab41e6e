/** Finds running sessions and the session that a command refers to. */
import type { Session } from "../../state/session/session.ts";
import { CANARY } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { relativeAge } from "../../views/time.ts";
import { ancestorsOf } from "../../world/machine/agent-above.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { Problem } from "../problem.ts";

/** A session without a known host process counts as running this long after its last event. */
const HEARD_MS = 3600 * 1000;

export function isRunning({ endedAt, client, lastAt }: Session, now: number): boolean {
  if (endedAt !== undefined) return false;
  // Without a process table only the pid is known, which may have been reused.
  return client === undefined || client.started === "" ? now - lastAt < HEARD_MS : isAlive(client);
}

export type Named = readonly [string, Session];

/** Newest first. */
export function sessionsIn({ sessions }: State): readonly Named[] {
  return Object.entries(sessions)
    .filter(([id]) => id !== CANARY)
    .sort(([, a], [, b]) => b.lastAt - a.lastAt);
}

/** Finds a session by a prefix of its id. */
export function sessionNamed(state: State, asked: string): Named {
  const all = sessionsIn(state);
  const exact = all.find(([id]) => id === asked);
  const fitting = asked === "" ? [] : all.filter(([id]) => id.startsWith(asked));
  const only = exact ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (only) return only;
  const problem =
    fitting.length === 0 ? "No session here has an id that begins" : "Several sessions have an id that begins";
  throw new Problem(`${problem} with "${asked}". \`sekisho status\` lists them.`);
}

/** The session of the nearest host process above this process, because an agent can start another host in its shell. */
export function sessionAbove(state: State, pid: number, now: number): Named | undefined {
  const sessions = sessionsIn(state).filter(([, session]) => isRunning(session, now));
  for (const above of ancestorsOf(pid)) {
    const found = sessions.find(([, { client }]) => client?.pid === above);
    if (found) return found;
  }
  return undefined;
}

/** Several sessions match, so the person must choose. */
export function severalSessions(sessions: readonly Named[], how: string, now: number): Problem {
  const lines = sessions.map(([id, { lastAt }]) => `  ${id}  last seen ${relativeAge(now - lastAt)}`);
  return new Problem(`${how}\n${lines.join("\n")}`);
}
