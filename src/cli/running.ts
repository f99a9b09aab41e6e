/** Sessions that are still there, and the one that a command is about. */
import type { Session } from "../state/session.ts";
import { CANARY } from "../state/session.ts";
import type { State } from "../state/state.ts";
import { relativeAge } from "../views/time.ts";
import { ancestorsOf } from "../world/agent-above.ts";
import { isAlive } from "../world/caller.ts";
import { CommandError } from "./print.ts";

/** Of a session whose client is not known: how long it counts as running after it was last heard of. */
const HEARD_MS = 3600 * 1000;

export function isRunning({ endedAt, client, lastAt }: Session, now: number): boolean {
  if (endedAt !== undefined) return false;
  // Without a process table only the number of a client is known, and tells nothing.
  return client === undefined || client.started === "" ? now - lastAt < HEARD_MS : isAlive(client);
}

export type Named = readonly [string, Session];

/** The newest first. */
export function sessionsIn({ sessions }: State): readonly Named[] {
  return Object.entries(sessions)
    .filter(([id]) => id !== CANARY)
    .sort(([, a], [, b]) => b.lastAt - a.lastAt);
}

/** By the beginning of its id. */
export function sessionNamed(state: State, asked: string): Named {
  const all = sessionsIn(state);
  const exact = all.find(([id]) => id === asked);
  const fitting = asked === "" ? [] : all.filter(([id]) => id.startsWith(asked));
  const only = exact ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (only) return only;
  const problem =
    fitting.length === 0 ? "No session here has an id that begins" : "Several sessions have an id that begins";
  throw new CommandError(`${problem} with "${asked}". \`sekisho status\` lists them.`);
}

/** The session below whose client a process stands. */
export function sessionAbove(state: State, pid: number, now: number): Named | undefined {
  const above = [...ancestorsOf(pid)];
  return sessionsIn(state).find(
    ([, session]) => session.client && above.includes(session.client.pid) && isRunning(session, now),
  );
}

/** Several fit: a person must say which. */
export function severalSessions(sessions: readonly Named[], how: string, now: number): CommandError {
  const lines = sessions.map(([id, { lastAt }]) => `  ${id}  last seen ${relativeAge(now - lastAt)}`);
  return new CommandError(`${how}\n${lines.join("\n")}`);
}
