/** Fact name → how it is looked up. One round, each fact once; what fails is unknown, never empty. */
import { effectText } from "../kernel/effect-text.ts";
import type { HookEvent } from "../kernel/event.ts";
import {
  type Canary,
  type FactName,
  type Facts,
  type Gatehouse,
  type Gathered,
  isUnknown,
  type Unknown,
} from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { isInForce } from "../state/grants.ts";
import { newSession, own, type Session } from "../state/session.ts";
import type { Settings, SettingsProblem } from "../state/settings.ts";
import type { State } from "../state/state.ts";
import { callerOf } from "./caller.ts";
import { type ArmingOf, hostSettings } from "./host-settings.ts";
import { type Environment, trueName } from "./places.ts";
import { reachedPaths } from "./reached.ts";
import { lateTranscripts, type TranscriptHost, transcriptOf } from "./transcript.ts";

/** What is known before anything is looked up. */
export interface Surroundings {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly now: number;
  /** The process that speaks to us, as far as it can be told; 0 when it cannot. */
  readonly parentOf: (session: Session | undefined) => number;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly settingsProblems: readonly SettingsProblem[];
  readonly state: State | Unknown;
  readonly armingOf: ArmingOf;
  readonly gatehouse?: Gatehouse;
  /** Milliseconds on the same clock as `now`; what is not known by then stays unknown. */
  readonly deadline: number;
  readonly clock: () => number;
  /** SHA-256, whole, in hex. Without it no tool use can be known again, and no grant fits. */
  readonly digest?: (text: string) => string;
  readonly host?: TranscriptHost;
  /** How the gate answers a command that it must refuse. */
  readonly canaryOf?: (() => Canary) | undefined;
}

const LOOK_UP: { readonly [K in FactName]: (from: Surroundings) => Facts[K] | Unknown } = {
  now: ({ now }) => now,
  settings: ({ settings }) => settings,
  settingsProblems: ({ settingsProblems }) => settingsProblems,
  places: ({ places }) => places,
  session: ({ state, event, now }) =>
    isUnknown(state) ? state : (own(state.sessions, event.session) ?? newSession(now)),
  caller: ({ state, event, env, parentOf }) => {
    if (isUnknown(state)) return state;
    const session = own(state.sessions, event.session);
    return callerOf(env, parentOf(session), session, state);
  },
  targets: ({ operation, event }) => {
    const named = event.name === "ConfigChange" ? [event.path] : (operation?.effects ?? []).map(({ path }) => path);
    // What is not absolute has no place yet: it must not be taken for something in our own directory.
    return Object.fromEntries(named.filter((path) => path.startsWith("/")).map((path) => [path, trueName(path)]));
  },
  reached: ({ operation, places, event }) => reachedPaths(operation, [places.home, event.cwd]),
  gatehouse: ({ gatehouse }) => gatehouse ?? { found: "none", now: "none", detail: "" },
  leave: leaveInForce,
  transcript: ({ state, event, host }) =>
    isUnknown(state) ? state : transcriptOf(event, own(state.sessions, event.session), host),
  lateTranscripts: ({ state, event, host }) =>
    isUnknown(state) ? state : lateTranscripts(event, own(state.sessions, event.session), host),
  canary: ({ canaryOf }) => canaryOf?.() ?? { unknown: "there is no gate to ask" },
  registration: ({ state }) => (isUnknown(state) ? state : state.registration),
  hostSettings: ({ places, event, armingOf, state }) =>
    hostSettings(places, event, armingOf, isUnknown(state) ? undefined : state.program),
};

/** Hashing loads a module that costs more than the rest of an event: only while somebody has allowed something. */
function leaveInForce({ state, now, event, digest }: Surroundings): Facts["leave"] | Unknown {
  if (isUnknown(state)) return state;
  const { pause } = state;
  const grants = Object.entries(state.grants)
    .filter(([, grant]) => isInForce(grant, now))
    .map(([id, grant]) => ({ id, ...grant }));
  const exact = event.name === "PreToolUse" && grants.length > 0 ? effectText(event) : undefined;
  return {
    grants,
    ...(pause && isInForce(pause, now) && { pause }),
    ...(exact !== undefined && digest && { effect: digest(exact) }),
  };
}

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
