/** Whose modes they are: a session's, or nobody's until one takes them up. */
import { own } from "./keyed.ts";
import { isStale, MODES, type ModeChange, type Modes, reduceModes } from "./modes.ts";

interface Owner {
  readonly modes?: Modes;
}

/** The part of the state that this file is about. */
export interface Owners<S extends Owner> {
  /** Started by a person where no session was running, or taken from another program. */
  readonly modes?: Modes;
  readonly sessions: Readonly<Record<string, S>>;
}

/** What a session's event does to modes that are not its own. */
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

/** A person's command that names no session: it waits for the next one. */
export function waitingModes<S extends Owner, O extends Owners<S>>(state: O, change: ModeChange, now: number): O {
  return withWaiting(state, reduceModes(state.modes ?? {}, change, now));
}

/** What the heir has already stays, unless the agent has started it for itself; what is out of date goes to nobody. */
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

/** None is no entry at all: a state is read at every event. */
export function withOwn<S extends Owner>(session: S, modes: Modes): S {
  const { modes: _, ...rest } = session;
  return (Object.keys(modes).length === 0 ? rest : { ...rest, modes }) as S;
}

function withWaiting<S extends Owner, O extends Owners<S>>(state: O, modes: Modes): O {
  const { modes: _, ...rest } = state;
  return (Object.keys(modes).length === 0 ? rest : { ...rest, modes }) as O;
}
