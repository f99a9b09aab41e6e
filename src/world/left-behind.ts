/** A session that was killed in the middle of a mode: the person who begins another one may have forgotten it. */
import type { HookEvent } from "../kernel/event.ts";
import type { LeftBehind } from "../kernel/facts.ts";
import { modesInForce } from "../state/modes.ts";
import { CANARY } from "../state/session.ts";
import type { State } from "../state/state.ts";
import { isAlive, processAt } from "./caller.ts";

/** The newest of which nobody was told yet. */
export function leftBehind(event: HookEvent, { sessions }: State, now: number): LeftBehind | null {
  if (event.name !== "SessionStart" || event.source !== "startup") return null;
  // Where nobody can tell who runs, nobody is said to be gone.
  if (processAt(process.pid).started === "") return null;
  const told = new Set(Object.values(sessions).map(({ toldOf }) => toldOf));
  const [newest] = Object.entries(sessions)
    .filter(([id]) => id !== event.session && id !== CANARY && !told.has(id))
    .filter(([, { modes, endedAt }]) => endedAt === undefined && modesInForce(modes, now).length > 0)
    .filter(([, { client }]) => client !== undefined && !isAlive(client))
    .sort(([, a], [, b]) => b.lastAt - a.lastAt);
  if (!newest) return null;
  const [session, { modes }] = newest;
  return { session, modes: modesInForce(modes, now).map(({ name }) => name) };
}
