/** Every mode of a project: its session, its progress and whether it is still active. */
import { isStale, MODES, type Mode, type ModeName, type Modes } from "../state/session/modes.ts";
import { CANARY, type Session } from "../state/session/session.ts";
import type { State } from "../state/state.ts";
import { isoTime } from "./time.ts";

/** `waiting`: the next session with a person's prompt claims it. `orphaned`: its session ended or its host is gone. */
export type ModeState = "active" | "paused" | "stale" | "orphaned" | "waiting";

export interface ModeView {
  readonly mode: ModeName;
  /** Null: no session yet. */
  readonly session: string | null;
  readonly state: ModeState;
  /** Why it is paused. */
  readonly why: string | null;
  readonly count: number;
  readonly max: number;
  readonly since: string;
  readonly by: string;
  /** The mode that started it and with which it ends. */
  readonly with: ModeName | null;
  readonly plan: string | null;
  readonly promise: string | null;
  readonly task: string;
}

/** The most recently seen session first, waiting modes last. */
export function modeViews(
  { sessions, modes }: Pick<State, "sessions" | "modes">,
  now: number,
  isRunning: (session: Session) => boolean,
): readonly ModeView[] {
  const owned = Object.entries(sessions)
    .filter(([id]) => id !== CANARY)
    .sort(([, a], [, b]) => b.lastAt - a.lastAt)
    .flatMap(([id, session]) => viewsOf(session.modes, now, { session: id, isLost: !isRunning(session) }));
  return [...owned, ...viewsOf(modes, now, { session: null, isLost: false })];
}

interface Owner {
  readonly session: string | null;
  readonly isLost: boolean;
}

function viewsOf(modes: Modes = {}, now: number, owner: Owner): readonly ModeView[] {
  return MODES.flatMap((name) => {
    const mode = modes[name];
    return mode ? [viewOf(name, mode, now, owner)] : [];
  });
}

function viewOf(name: ModeName, mode: Mode, now: number, { session, isLost }: Owner): ModeView {
  const state = stateOf(mode, now, isLost, session === null);
  return {
    mode: name,
    session,
    state,
    why: state === "paused" ? (mode.paused ?? null) : null,
    count: mode.count,
    max: mode.max,
    since: isoTime(mode.since),
    by: mode.by,
    with: mode.with ?? null,
    plan: mode.plan ?? null,
    promise: mode.promise ?? null,
    task: mode.task,
  };
}

function stateOf(mode: Mode, now: number, isLost: boolean, isWaiting: boolean): ModeState {
  if (isStale(mode, now)) return "stale";
  if (isWaiting) return "waiting";
  if (isLost) return "orphaned";
  return mode.paused === undefined ? "active" : "paused";
}

export interface ModeProgress {
  readonly mode: ModeName;
  readonly count: number;
  readonly max: number;
  readonly with: ModeName | null;
  /** Why it blocks nothing for now. */
  readonly paused: string | null;
}

export function modeProgress({ name, count, max, paused, ...mode }: Mode & { readonly name: ModeName }): ModeProgress {
  return { mode: name, count, max, with: mode.with ?? null, paused: paused ?? null };
}

/** `PERSISTENT 3/20`. Leaves out modes started by another mode, which end with it. */
export function shortModes(modes: readonly ModeProgress[]): readonly string[] {
  return modes
    .filter((mode) => mode.with === null)
    .map(({ mode, count, max, paused }) => `${mode.toUpperCase()} ${count}/${max}${paused === null ? "" : " paused"}`);
}
