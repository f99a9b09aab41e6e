/** Fact name → how it is looked up. One round, each fact once; what fails is unknown, never empty. */
import type { HookEvent } from "../kernel/event.ts";
import { type FactName, type Facts, type Gathered, isUnknown, type Unknown } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { newSession, own } from "../state/session.ts";
import type { Settings, SettingsProblem } from "../state/settings.ts";
import type { State } from "../state/state.ts";
import { callerOf } from "./caller.ts";
import { type ArmingOf, hostSettings } from "./host-settings.ts";
import { type Environment, trueName } from "./places.ts";

/** What is known before anything is looked up. */
export interface Surroundings {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly now: number;
  /** The process that started ours. */
  readonly parent: number;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly settingsProblems: readonly SettingsProblem[];
  readonly state: State | Unknown;
  readonly armingOf: ArmingOf;
  /** Milliseconds on the same clock as `now`; what is not known by then stays unknown. */
  readonly deadline: number;
  readonly clock: () => number;
}

const LOOK_UP: { readonly [K in FactName]: (from: Surroundings) => Facts[K] | Unknown } = {
  now: ({ now }) => now,
  settings: ({ settings }) => settings,
  settingsProblems: ({ settingsProblems }) => settingsProblems,
  places: ({ places }) => places,
  session: ({ state, event, now }) =>
    isUnknown(state) ? state : (own(state.sessions, event.session) ?? newSession(now)),
  caller: ({ state, event, env, parent }) =>
    isUnknown(state) ? state : callerOf(env, parent, own(state.sessions, event.session), state),
  targets: ({ operation, event }) => {
    const named = event.name === "ConfigChange" ? [event.path] : (operation?.effects ?? []).map(({ path }) => path);
    // What is not absolute has no place yet: it must not be taken for something in our own directory.
    return Object.fromEntries(named.filter((path) => path.startsWith("/")).map((path) => [path, trueName(path)]));
  },
  hostSettings: ({ places, event, armingOf, state }) =>
    hostSettings(places, event, armingOf, isUnknown(state) ? undefined : state.program),
};

export function gather(names: Iterable<FactName>, from: Surroundings): Gathered {
  const facts: Partial<Record<FactName, unknown>> = {};
  for (const name of new Set<FactName>(names)) facts[name] = lookUp(name, from);
  return facts as Gathered;
}

function lookUp(name: FactName, from: Surroundings): unknown {
  if (from.clock() > from.deadline) return { unknown: "there was no time left to look it up" } satisfies Unknown;
  try {
    return LOOK_UP[name](from);
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) } satisfies Unknown;
  }
}
