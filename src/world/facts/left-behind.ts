/** Finds a session that ended in the middle of a mode: the user who starts a new one may have forgotten it. */
import type { HookEvent } from "../../kernel/event.ts";
import type { LeftBehind } from "../../kernel/facts.ts";
import { modesInForce, unled } from "../../state/session/modes.ts";
import { CANARY, type Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { isAlive, processAt } from "../machine/caller.ts";

/** The newest such session that was not reported yet. */
export function leftBehind(event: HookEvent, { sessions }: State, now: number): LeftBehind | null {
  if (event.name !== "SessionStart" || event.source !== "startup") return null;
  const told = new Set(Object.values(sessions).map(({ toldOf }) => toldOf));
  const [newest] = Object.entries(sessions)
    .filter(([id]) => id !== event.session && id !== CANARY && !told.has(id))
    .filter(([, session]) => modesInForce(session.modes, now).length > 0 && isOver(session))
    .sort(([, a], [, b]) => b.lastAt - a.lastAt);
  if (!newest) return null;
  const [session, { modes }] = newest;
  return { session, modes: unled(modesInForce(modes, now)).map(({ name }) => name) };
}

function isOver({ endedAt, client }: Session): boolean {
  if (endedAt !== undefined) return true;
  // Without process data no session is reported as gone.
  return client !== undefined && processAt(process.pid).started !== "" && !isAlive(client);
}
