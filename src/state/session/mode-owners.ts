/** Ownership of modes: by a session, or by none until a session claims them. */
import { own } from "../../lib/keyed.ts";
import { isStale, MODES, type ModeChange, type Modes, reduceModes } from "./modes.ts";

interface Owner {
  readonly modes?: Modes;
}

/** The part of the state that holds modes. */
export interface Owners<S extends Owner> {
  /** Waiting modes: started by a person while no session was running, or imported. */
  readonly modes?: Modes;
  readonly sessions: Readonly<Record<string, S>>;
}

/** Effect of a session's event on modes of other owners. */
export function passModes<S extends Owner, O extends Owners<S>>(
  state: O,
  id: string,
  change: ModeChange,
  now: number,
): O {
  if (change.do === "stop" && change.unowned) return withWaiting(state, reduceModes(state.modes ?? {}, change, now));
  if (change.do === "claim") {
    const given = own(state.sessions, id);
    if (!given || state.modes === undefined) return state;
    return withWaiting(withModes(state, id, joined(given.modes ?? {}, state.modes, now)), {});
  }
  if (change.do !== "adopt") return state;
  const [heir, before] = [own(state.sessions, id), own(state.sessions, change.from)];
  if (!heir || !before?.modes || change.from === id) return state;
  return withModes(withModes(state, id, joined(heir.modes ?? {}, before.modes, now)), change.from, {});
}

/** A person's command without a session; the mode waits for the next one. */
export function waitingModes<S extends Owner, O extends Owners<S>>(state: O, change: ModeChange, now: number): O {
  return withWaiting(state, reduceModes(state.modes ?? {}, change, now));
}

/** Existing modes stay, unless the agent started them itself; expired modes are not taken over. */
export function joined(owned: Modes, others: Modes, now: number): Modes {
  const fresh = MODES.flatMap((name) => {
    const mode = others[name];
    const held = owned[name];
    const isFree = !held || isStale(held, now) || (held.by === "agent" && mode?.by !== "agent");
    return mode && !isStale(mode, now) && isFree ? [[name, mode] as const] : [];
  });
  return { ...owned, ...Object.fromEntries(fresh) };
}

function withModes<S extends Owner, O extends Owners<S>>(state: O, id: string, modes: Modes): O {
  const session = own(state.sessions, id);
  return session ? { ...state, sessions: { ...state.sessions, [id]: withOwn(session, modes) } } : state;
}

/** Drops an empty map, because the state is read at every event. */
export function withOwn<S extends Owner>(session: S, modes: Modes): S {
  const { modes: _, ...rest } = session;
  return (Object.keys(modes).length === 0 ? rest : { ...rest, modes }) as S;
}

function withWaiting<S extends Owner, O extends Owners<S>>(state: O, modes: Modes): O {
  const { modes: _, ...rest } = state;
  return (Object.keys(modes).length === 0 ? rest : { ...rest, modes }) as O;
}
