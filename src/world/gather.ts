/** Fact name → how it is looked up. One round, each fact once; what fails is unknown, never empty. */
import { bindingOf } from "../kernel/binding.ts";
import { asksFor } from "../kernel/default-rules.ts";
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
import { TAKEN_UP } from "../kernel/handover.ts";
import { keywordsIn } from "../kernel/keywords.ts";
import type { Operation } from "../kernel/operation.ts";
import { absolute } from "../kernel/paths.ts";
import { shapeOf } from "../kernel/shape.ts";
import { stanceInForce } from "../kernel/stance.ts";
import { toldResults } from "../kernel/told-results.ts";
import { isInForce } from "../state/grants.ts";
import { isHabitInForce } from "../state/habits.ts";
import { own } from "../state/keyed.ts";
import type { Modes } from "../state/modes.ts";
import { type Client, newSession, type Session } from "../state/session.ts";
import type { Settings, SettingsProblem } from "../state/settings.ts";
import type { State } from "../state/state.ts";
import { branches } from "./branches.ts";
import { callerOf } from "./caller.ts";
import { adopterOf } from "./castaway.ts";
import { checkedTrees, checkRuns, reviewedFiles, workplace } from "./checking.ts";
import { checksOf } from "./checks.ts";
import { classifiedBy } from "./classifier.ts";
import { contextFiles } from "./context-files.ts";
import { contextUse } from "./context-use.ts";
import { NotRunYet, type RunErrand } from "./errand.ts";
import { handoverOf } from "./handover.ts";
import { type ArmingOf, hostSettings } from "./host-settings.ts";
import { hostTasks } from "./host-tasks.ts";
import { leftBehind } from "./left-behind.ts";
import { linters } from "./linters.ts";
import { modesTakenUp, orphansOf } from "./orphans.ts";
import { type Environment, hostDirectory, sessionsIn, trueName } from "./places.ts";
import { plansIn } from "./plans.ts";
import { protectedFiles } from "./protected-files.ts";
import { reachedPaths } from "./reached.ts";
import { scheduledPrompts } from "./scheduled-prompts.ts";
import { scriptsOf } from "./scripts.ts";
import { agentsOf, skillsOf } from "./skills.ts";
import { stagedWhereMerged } from "./staged.ts";
import { standingOf } from "./standing.ts";
import { standingText } from "./standing-text.ts";
import { lateTranscripts, type TranscriptHost, transcriptOf } from "./transcript.ts";
import { transcriptTail } from "./transcript-tail.ts";
import { wakesSoon } from "./wake-ups.ts";
import { rootOf } from "./work-tree.ts";

/** What is known before anything is looked up. */
export interface Surroundings {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly now: number;
  /** The process that speaks to us, as far as it can be told; its number is 0 when it cannot. */
  readonly parentOf: (session: Session | undefined) => Client;
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
  /** How a program is run that a fact needs; without it such a fact is not seen. */
  readonly run?: RunErrand | undefined;
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
  caller,
  castaway: ({ state, event, parentOf }) => {
    if (isUnknown(state)) return state;
    const clients = Object.values(state.sessions).flatMap(({ client }) => (client ? [client] : []));
    return adopterOf(parentOf(own(state.sessions, event.session)).pid, clients) !== undefined;
  },
  targets: ({ operation, event }) => {
    const named = operation ? operation.effects.map(({ path }) => path) : pathsOf(event);
    // What is not absolute has no place yet: it must not be taken for something in our own directory.
    return Object.fromEntries(named.filter((path) => path.startsWith("/")).map((path) => [path, trueName(path)]));
  },
  reached: ({ operation, places, event }) => reachedPaths(operation, [places.home, event.cwd]),
  // A state that cannot be read makes nobody's script the session's own; that is said by those who need the state.
  scripts: (from) => scriptsIn(from),
  refused: ({ state, event }) => {
    if (isUnknown(state)) return state;
    return (own(state.sessions, event.session)?.refused ?? []).map((one) => ({ ...one, again: false }));
  },
  standing: ({ operation, places }) => standingOf(operation, places.project),
  standingText: (from) => standingText(withTheirScripts(from).operation, from.event.cwd),
  gatehouse: ({ gatehouse }) => gatehouse ?? { found: "none", now: "none", detail: "" },
  leave: leaveInForce,
  transcript: ({ state, event, host }) =>
    isUnknown(state) ? state : transcriptOf(event, own(state.sessions, event.session), host),
  lateTranscripts: ({ state, event, host }) =>
    isUnknown(state) ? state : lateTranscripts(event, own(state.sessions, event.session), host),
  toldResults: toldAtStop,
  canary: ({ canaryOf }) => canaryOf?.() ?? { unknown: "there is no gate to ask" },
  branches: (from) => branches(withTheirScripts(from)),
  linters,
  protectedFiles: (from) => protectedFiles(withTheirScripts(from)),
  staged: (from) => stagedWhereMerged(withTheirScripts(from)),
  suggestions: ({ state }) => (isUnknown(state) ? state : state.suggestions),
  trust: ({ state }) => (isUnknown(state) ? state : state.trust),
  stance: ({ state, settings }) => (isUnknown(state) ? state : stanceInForce(state.stance, settings)),
  classified: (from) => classifiedBy(from) ?? null,
  skills: (from) => (isHintless(from) || isRuleless(from) ? [] : skillsOf(from)),
  agents: (from) => (isHintless(from) ? [] : agentsOf(from)),
  workplace: (from) => workplace(from, () => bindingOf(LOOK_UP.session(from), caller(from)) !== "unbound"),
  reviewedFiles,
  checkRuns,
  checkedTrees,
  knownChecks: ({ state }) => (isUnknown(state) ? state : (state.defined ?? {})),
  personChecks: ({ state }) => (isUnknown(state) ? state : (state.checks ?? {})),
  plans: (from) => {
    const persistent = takenUp(from)?.persistent;
    const isAsked = persistent !== undefined || from.event.name === "PreCompact";
    const { project } = from.places;
    return isAsked ? plansIn([rootOf(from.event.cwd, project), project], persistent) : [];
  },
  hostTasks: (from) => {
    const { reminder, tasks } = from.settings.modes;
    const isReminded = reminder !== "off" && (tasks || modesOf(from) !== undefined);
    const isAsked = isReminded || from.event.name !== "PreToolUse";
    return isAsked ? hostTasks(hostDirectory(from.env, from.places.home), from.event.session) : NO_TASKS;
  },
  orphans: (from) => (isUnknown(from.state) ? from.state : orphansOf(from.event, from.state)),
  modesTakenUp: (from) => (isUnknown(from.state) ? from.state : (takenUp(from) ?? {})),
  leftBehind: ({ state, event, now }) => (isUnknown(state) ? state : leftBehind(event, state, now)),
  handover: ({ state, event, places }) => {
    if (isUnknown(state) || event.name !== "SessionStart" || !TAKEN_UP.includes(event.source))
      return isUnknown(state) ? state : null;
    return handoverOf(event.session, places.journal, own(state.sessions, event.session)?.restored);
  },
  scheduled: ({ event, env, places: { project } }) => scheduledPrompts(event, { env, project }),
  wokenSoon: ({ event, now }) => wakesSoon(event, now),
  waitingModes: ({ state }) => (isUnknown(state) ? state : (state.modes ?? {})),
  contextFiles: (from) => (from.settings.context.guide ? contextFiles(from) : []),
  contextUse: ({ env, event }) => contextUse(sessionsIn(env), event.session) ?? null,
  registration: ({ state }) => (isUnknown(state) ? state : state.registration),
  hostSettings: ({ places, event, armingOf, state }) =>
    hostSettings(places, event, armingOf, isUnknown(state) ? undefined : state.program),
};

function caller({ state, event, env, parentOf }: Surroundings): Facts["caller"] | Unknown {
  if (isUnknown(state)) return state;
  const session = own(state.sessions, event.session);
  return callerOf(env, parentOf(session), session, state);
}

/** Only qa ends by it, and only where there is nothing better: elsewhere no transcript is read for it. */
function toldAtStop({ state, event, places, settings }: Surroundings): Facts["toldResults"] | Unknown {
  if (isUnknown(state)) return state;
  if (event.name !== "Stop" || own(state.sessions, event.session)?.modes?.qa === undefined) return null;
  const { project: root, home } = places;
  const checks = checksOf(rootOf(event.cwd, root), settings.verify.commands, home);
  if (checks.some(({ name }) => settings.verify.require.includes(name))) return null;
  const endings = settings.gates.code_extensions;
  return toldResults(transcriptTail(event.transcript, home), { root, home, endings });
}

const NO_TASKS: Facts["hostTasks"] = { open: 0, done: 0, shown: [], changedAt: 0 };

function modesOf({ state, event }: Surroundings): Modes | undefined {
  return isUnknown(state) ? undefined : own(state.sessions, event.session)?.modes;
}

/** Read once: two facts are about them. */
const taken = new WeakMap<Surroundings, Modes>();

function takenUp(from: Surroundings): Modes | undefined {
  if (isUnknown(from.state) || from.event.name !== "SessionStart") return modesOf(from);
  const modes = taken.get(from) ?? modesTakenUp(from.event, from.state);
  taken.set(from, modes);
  return modes;
}

/** At a prompt only the hint asks what there is, and keywords that it names; else nothing is looked at. */
function isHintless({ event, settings: { activity, modes } }: Surroundings): boolean {
  if (event.name !== "UserPromptSubmit" || activity.hint) return false;
  return !modes.keywords || keywordsIn(event.prompt, modes.words).length === 0;
}
/** Elsewhere only rules ask; where none is about a skill, nothing is looked at. */
function isRuleless({ event, settings }: Surroundings): boolean {
  const isAsked = settings.verify.skill !== "" || asksFor(settings, ({ evidence }) => evidence === "skill");
  return event.name !== "UserPromptSubmit" && !isAsked;
}

/** More than one batch of edits names. */
const PATHS_MAX = 50;

/** The files that an event names where nothing is attempted. */
function pathsOf(event: HookEvent): readonly string[] {
  if (event.name === "ConfigChange") return [event.path];
  const spelled =
    event.name === "PostToolBatch"
      ? event.calls.flatMap(({ path }) => path ?? [])
      : "tool" in event && "path" in event.tool && event.tool.path !== undefined
        ? [event.tool.path]
        : [];
  return spelled.slice(0, PATHS_MAX).map((path) => absolute(path, event.cwd) ?? path);
}

/** Several facts are about what scripts do; they are read once. */
const read = new WeakMap<Surroundings, Facts["scripts"]>();

function scriptsIn(from: Surroundings): Facts["scripts"] {
  const { operation, places, state, event, now } = from;
  if (!operation?.shell) return [];
  const session = isUnknown(state) ? undefined : own(state.sessions, event.session);
  const scripts = read.get(from) ?? scriptsOf(operation, places.home, session ?? newSession(now));
  read.set(from, scripts);
  return scripts;
}

/** The same surroundings, of an operation that does what its scripts do. Those older than the session are not held to it. */
function withTheirScripts(from: Surroundings): Surroundings {
  const { operation } = from;
  const others = scriptsIn(from).flatMap(({ origin, operation: one }) => (origin === "project" ? [] : (one ?? [])));
  if (!operation?.shell || others.length === 0) return from;
  const all = [operation, ...others];
  const shell = {
    ...operation.shell,
    invocations: all.flatMap((one) => one.shell?.invocations ?? []),
    programs: all.flatMap((one) => one.shell?.programs ?? []),
  };
  return { ...from, operation: { ...operation, effects: all.flatMap(({ effects }) => effects), shell } };
}

/** Hashing loads a module that costs more than the rest of an event: only while somebody has allowed something. */
function leaveInForce({ state, now, event, operation, digest }: Surroundings): Facts["leave"] | Unknown {
  if (isUnknown(state)) return state;
  const { pause } = state;
  const habits = Object.entries(state.habits)
    .filter(([, habit]) => isHabitInForce(habit, now))
    .map(([id, habit]) => ({ id, ...habit }));
  const shape = event.name === "PreToolUse" && habits.length > 0 ? shapeOf(event, operation, trueName) : undefined;
  const grants = Object.entries(state.grants)
    .filter(([, grant]) => isInForce(grant, now))
    .map(([id, grant]) => ({ id, ...grant }));
  const exact = event.name === "PreToolUse" && grants.length > 0 ? effectText(event) : undefined;
  return {
    grants,
    ...(habits.length > 0 && { habits }),
    ...(shape !== undefined && { shape, cwd: event.cwd }),
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
    if (error instanceof NotRunYet) throw error;
    return { unknown: error instanceof Error ? error.message : String(error) } satisfies Unknown;
  }
}
