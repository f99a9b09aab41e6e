/** Ends the modes of one session or of all, including modes that wait for a session. */

import type { ModeChange, ModeName, Modes } from "../../state/session/modes.ts";
import type { State } from "../../state/state.ts";
import { type ModeView, modeViews } from "../../views/modes.ts";
import type { Person } from "../person.ts";
import { type Here, orFail } from "../project.ts";
import { isRunning, type Named, sessionNamed, sessionsIn, severalSessions } from "../queries/sessions.ts";
import { keepAction } from "./action.ts";

interface Wish {
  /** Undefined means every mode. */
  readonly mode?: ModeName;
  readonly session: string | undefined;
  readonly all?: boolean;
}

/** Returns the ended modes with their previous state. */
export function endModes({ store }: Here, verb: string, wish: Wish, person: Person): readonly ModeView[] {
  const before = orFail(store.read());
  const now = Date.now();
  const change: ModeChange = {
    record: "mode",
    do: "stop",
    ...(wish.mode !== undefined && { mode: wish.mode }),
    why: "cancelled",
    unowned: true,
  };
  const [action = verb, ...rest] = verb.split(" ");
  const detail = `${[...rest, wish.mode ?? "all modes"].join(" ")}, from ${person.from}`;
  const held = targets(before, wish, now).filter(([, { modes }]) => holds(modes, wish.mode));
  for (const [session] of held) keepAction(store, { action, detail, session, changes: [change] }, now, person);
  if (held.length === 0 && holds(before.modes, wish.mode))
    keepAction(store, { action, detail, changes: [change] }, now, person);
  return gone(before, orFail(store.read()), now);
}

function holds(modes: Modes | undefined, name: ModeName | undefined): boolean {
  return name === undefined ? modes !== undefined : modes?.[name] !== undefined;
}

/** Without --session there must be only one candidate. Running sessions take precedence over ended ones. */
function targets(state: State, { mode, session, all = false }: Wish, now: number): readonly Named[] {
  if (session !== undefined) return [sessionNamed(state, session)];
  const owners = sessionsIn(state).filter(([, { modes }]) => holds(modes, mode));
  if (all) return owners;
  const running = owners.filter(([, one]) => isRunning(one, now));
  const meant = running.length > 0 ? running : owners;
  if (meant.length <= 1) return meant;
  const how = `Several sessions have ${mode ?? "modes"}. Say which with --session`;
  throw severalSessions(meant, `${how}${mode === undefined ? ", or end all with --all" : ""}:`, now);
}

function gone(before: State, after: State, now: number): readonly ModeView[] {
  const views = (state: State) => modeViews(state, now, (one) => isRunning(one, now));
  const left = views(after);
  return views(before).filter(({ mode, session }) => !left.some((one) => one.mode === mode && one.session === session));
}
