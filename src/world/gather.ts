/** How each fact is looked up. Each fact is looked up once per event; a failure makes it unknown, never empty. */

import { maybePlanCheck } from "../evidence/checks/plan-check.ts";
import { toldResults } from "../evidence/told-results.ts";
import { bindingOf } from "../kernel/binding.ts";
import type { Steps } from "../kernel/effect.ts";
import { effectText } from "../kernel/effect-text.ts";
import type { HookEvent } from "../kernel/event.ts";
import {
  type Canary,
  type FactName,
  type Facts,
  type Gatehouse,
  type Gathered,
  isUnknown,
  NO_TASKS,
  type Unknown,
} from "../kernel/facts.ts";
import { shapeOf } from "../kernel/shape.ts";
import { stanceInForce } from "../kernel/stance.ts";
import { own } from "../lib/keyed.ts";
import { absolute } from "../lib/paths.ts";
import type { Operation } from "../reading/operation/operation.ts";
import { isInForce } from "../state/grants.ts";
import { isHabitInForce } from "../state/habits.ts";
import type { Modes } from "../state/session/modes.ts";
import { type HostProcess, newSession, type Session } from "../state/session/session.ts";
import type { Settings, SettingsProblem } from "../state/settings/settings.ts";
import { type State, sessionOf } from "../state/state.ts";
import { claimed } from "./facts/agents/claimed.ts";
import { mateFound } from "./facts/agents/mate.ts";
import { peersFound, receipts } from "./facts/agents/receipts.ts";
import { branches } from "./facts/branches.ts";
import { checkRuns } from "./facts/check-runs.ts";
import { checkedTrees, reviewedFiles, workplace } from "./facts/checking.ts";
import { checksOf } from "./facts/checks.ts";
import { classifiedBy } from "./facts/classifier.ts";
import { contextFiles } from "./facts/context-files.ts";
import { contextUse } from "./facts/context-use.ts";
import { discardedBy } from "./facts/discarded.ts";
import { ground } from "./facts/grounding.ts";
import { guardsJudging } from "./facts/guards.ts";
import { type ArmingOf, hostSettings } from "./facts/host-settings.ts";
import { identity } from "./facts/identity.ts";
import { inboxFound } from "./facts/inbox.ts";
import { leftBehind } from "./facts/left-behind.ts";
import { linters } from "./facts/linters.ts";
import { modesTakenUp, orphansOf } from "./facts/orphans.ts";
import { panesOf } from "./facts/panes.ts";
import { coveredFiles } from "./facts/plan/covered.ts";
import { grownSince, headFound } from "./facts/plan/grown.ts";
import { planCommit } from "./facts/plan/plan-commit.ts";
import { planFile } from "./facts/plan/plan-file.ts";
import { planScripts } from "./facts/plan/plan-scripts.ts";
import { planFound } from "./facts/plan/playbooks.ts";
import { stateFile } from "./facts/plan/state-file.ts";
import { uncommitted } from "./facts/plan/uncommitted.ts";
import { plansIn } from "./facts/plans.ts";
import { protectedFiles } from "./facts/protected-files.ts";
import { pushSites } from "./facts/pushes.ts";
import { reachedPaths } from "./facts/reached.ts";
import { scriptsOf } from "./facts/scripts.ts";
import { shellSetup } from "./facts/shell-setup.ts";
import { stagedWhereMerged } from "./facts/staged.ts";
import { standingOf } from "./facts/standing.ts";
import { standingText } from "./facts/standing-text.ts";
import { lateTranscripts, type Readings, transcriptOf } from "./facts/transcript.ts";
import { transcriptTail } from "./facts/transcript-tail.ts";
import { unkeptBy } from "./facts/unkept.ts";
import { wakesSoon } from "./facts/wake-ups.ts";
import type { LookingHost } from "./host.ts";
import { isOfAgent } from "./machine/agent-above.ts";
import { callerOf, hostProcesses } from "./machine/caller.ts";
import { adopterOf } from "./machine/castaway.ts";
import { handoverOf } from "./machine/handover.ts";
import { type Environment, sessionsIn, trueName } from "./machine/places.ts";
import { rootOf } from "./machine/work-tree.ts";
import type { ReadYaml } from "./yaml.ts";

/** Inputs that are known before any fact is looked up. */
export interface Surroundings {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  /** The environment is the one of the session's start, because the event came without one. */
  readonly isEnvPinned?: boolean;
  readonly now: number;
  /** The process that sent the event; pid 0 when it is not known. */
  readonly parentOf: (session: Session | undefined) => HostProcess;
  readonly places: Facts["places"];
  readonly settings: Settings;
  /** As the files say, where that differs from what is in force. */
  readonly written?: Settings;
  readonly settingsProblems: readonly SettingsProblem[];
  readonly state: State | Unknown;
  readonly armingOf: ArmingOf;
  readonly gatehouse?: Gatehouse;
  readonly keyFile?: () => Facts["keyFile"];
  /** Milliseconds on the same clock as `now`; facts not looked up by then are unknown. */
  readonly deadline: number;
  readonly clock: () => number;
  /** Full SHA-256 in hex. Without it a tool use cannot be recognized again and no grant matches. */
  readonly digest?: (text: string) => string;
  readonly host: LookingHost;
  /** Loaded when a file in YAML is there to be read. */
  readonly readYaml?: ReadYaml;
  /** Transcripts that were read for the changes that wait, and what they say about these. */
  readonly readings?: Readings;
  readonly witness?: Facts["witness"];
  /** Asks the gate about a command that it must refuse. */
  readonly canaryOf?: (() => Canary) | undefined;
}

type Found<T> = T | Unknown;

/** A look-up that has to run a program returns steps. */
const LOOK_UP: { readonly [K in FactName]: (from: Surroundings) => Found<Facts[K]> | Steps<Found<Facts[K]>> } = {
  now: ({ now }) => now,
  settings: ({ settings }) => settings,
  writtenSettings: ({ settings, written }) => written ?? settings,
  settingsProblems: ({ settingsProblems }) => settingsProblems,
  places: ({ places }) => places,
  host: ({ host }) => host.traits,
  session,
  caller,
  castaway: ({ state, event, parentOf }) => {
    if (isUnknown(state)) return state;
    return adopterOf(parentOf(own(state.sessions, event.session)).pid, hostProcesses(state)) !== undefined;
  },
  insideAgent: ({ state, event, host, parentOf }) => {
    if (isUnknown(state)) return state;
    return isOfAgent(host.marks, parentOf(own(state.sessions, event.session)).pid);
  },
  targets: ({ operation, event }) => {
    const named = operation ? operation.effects.map(({ path }) => path) : pathsOf(event);
    // A relative path has no known place and must not be resolved against our own directory.
    return Object.fromEntries(named.filter((path) => path.startsWith("/")).map((path) => [path, trueName(path)]));
  },
  reached: ({ operation, places, event }) => reachedPaths(operation, [places.home, event.cwd]),
  discarded: (from) => (from.operation?.shell ? discardedBy(from) : {}),
  pushes: (from) => pushSites(from),
  // An unreadable state marks no script as the session's own; the facts that need the state report it as unknown.
  scripts: (from) => scriptsIn(from),
  refused: ({ state, event }) => {
    if (isUnknown(state)) return state;
    return (own(state.sessions, event.session)?.refused ?? []).map((one) => ({ ...one, again: false }));
  },
  standing: ({ operation, places }) => standingOf(operation, places.project),
  unkept: (from) => unkeptBy(from),
  standingText: (from) => standingText(withTheirScripts(from).operation, from.event.cwd),
  gatehouse: ({ gatehouse }) => gatehouse ?? { found: "none", now: "none", detail: "" },
  leave: leaveInForce,
  transcript: ({ state, event, host, readings }) =>
    isUnknown(state) ? state : transcriptOf(event, own(state.sessions, event.session), host, readings),
  witness: ({ witness }) => witness ?? { isNeeded: false, isThere: false, gaps: [] },
  lateTranscripts: ({ state, event, host }) =>
    isUnknown(state) ? state : lateTranscripts(event, own(state.sessions, event.session), host),
  toldResults: toldInTranscript,
  canary: ({ canaryOf }) => canaryOf?.() ?? { unknown: "there is no gate to ask" },
  branches: (from) => branches(withTheirScripts(from)),
  linters,
  protectedFiles: (from) => protectedFiles(withTheirScripts(from)),
  staged: (from) => stagedWhereMerged(withTheirScripts(from)),
  panes: (from) => (from.operation?.shell ? panesOf(withTheirScripts(from)) : {}),
  suggestions: ({ state }) => (isUnknown(state) ? state : state.suggestions),
  trust: ({ state }) => (isUnknown(state) ? state : state.trust),
  stance: ({ state, settings }) => (isUnknown(state) ? state : stanceInForce(state.stance, settings)),
  *classified(from) {
    return (yield* classifiedBy(from)) ?? null;
  },
  skills: (from) => from.host.skillsOf?.(from) ?? [],
  agents: (from) => from.host.agentsOf?.(from) ?? [],
  workplace: (from) => workplace(from, () => bindingOf(session(from), caller(from)) !== "unbound"),
  reviewedFiles,
  ground,
  shellSetup,
  checkRuns,
  checkedTrees,
  knownChecks: ({ state }) => (isUnknown(state) ? state : (state.defined ?? {})),
  personChecks: ({ state }) => (isUnknown(state) ? state : (state.checks ?? {})),
  plans: (from) => {
    const { project } = from.places;
    return plansIn(
      [rootOf(from.event.cwd, project), project],
      takenUp(from)?.persistent,
      from.host.traits.contextDirectory,
    );
  },
  plan: (from) => planFound(from),
  planFile,
  stateFile,
  uncommitted,
  planCommit: (from) => planCommit(withTheirScripts(from)),
  // Which guards there are is in the state: a project without any looks nothing up.
  guards: (from) => {
    if (isUnknown(from.state)) return from.state;
    return from.state.guards && from.operation ? guardsJudging(from.state.guards, from, from.operation) : [];
  },
  covered: coveredFiles,
  head: (from) => headFound(from),
  grown: (from) => grownSince(withTheirScripts(from)),
  hostTasks: (from) => from.host.tasksOf?.(from, from.event.session) ?? NO_TASKS,
  identity: (from) => identity(from),
  inbox: (from) => inboxFound(from),
  mate: (from) => mateFound(from),
  claimed: (from) => claimed(from),
  peers: (from) => peersFound(from),
  receipts: (from) => receipts(from),
  orphans: (from) => (isUnknown(from.state) ? from.state : orphansOf(from.event, from.state)),
  modesTakenUp: (from) => (isUnknown(from.state) ? from.state : (takenUp(from) ?? {})),
  leftBehind: ({ state, event, now }) => (isUnknown(state) ? state : leftBehind(event, state, now)),
  handover: ({ state, event, places }) =>
    isUnknown(state) ? state : handoverOf(event.session, places.journal, own(state.sessions, event.session)?.restored),
  scheduled: (from) => from.host.scheduledPrompts?.(from) ?? [],
  wokenSoon: ({ event, now }) => wakesSoon(event, now),
  waitingModes: ({ state }) => (isUnknown(state) ? state : (state.modes ?? {})),
  contextFiles: (from) => contextFiles(from),
  contextUse: ({ env, event }) => contextUse(sessionsIn(env), event.session) ?? null,
  voided: ({ state }) => (isUnknown(state) ? state : (state.voided ?? [])),
  keyFile: ({ keyFile }) => keyFile?.() ?? "as-named",
  registration: ({ state }) => (isUnknown(state) ? state : state.registration),
  hostSettings: ({ places, event, armingOf, state }) =>
    hostSettings(places, event, armingOf, isUnknown(state) ? undefined : state.program),
};

function session({ state, event, now }: Surroundings): Facts["session"] | Unknown {
  return isUnknown(state) ? state : (sessionOf(state, event.session) ?? newSession(now));
}

function caller({ state, event, env, host, parentOf }: Surroundings): Facts["caller"] | Unknown {
  if (isUnknown(state)) return state;
  const session = own(state.sessions, event.session);
  return callerOf(host.layout, env, parentOf(session), session, state);
}

/** Null where the project has a required check: then the transcript is not read. */
function toldInTranscript({ event, places, settings, host, state }: Surroundings): Facts["toldResults"] | Unknown {
  if (!("transcript" in event)) return { unknown: "this event names no transcript" };
  const { project: root, home } = places;
  const named = isUnknown(state) ? undefined : own(state.sessions, event.session)?.named;
  const checks = checksOf(rootOf(event.cwd, root), settings.verify.commands, home, named);
  if (checks.some(({ name }) => settings.verify.require.includes(name))) return null;
  const endings = settings.gates.code_extensions;
  const steps = host.transcriptSteps?.(transcriptTail(event.transcript, home)) ?? [];
  return toldResults(steps, { root, home, endings });
}

function modesOf({ state, event }: Surroundings): Modes | undefined {
  return isUnknown(state) ? undefined : own(state.sessions, event.session)?.modes;
}

/** Computed once, because two facts need it. */
const taken = new WeakMap<Surroundings, Modes>();

function takenUp(from: Surroundings): Modes | undefined {
  if (isUnknown(from.state) || from.event.name !== "SessionStart") return modesOf(from);
  const modes = taken.get(from) ?? modesTakenUp(from.event, from.state);
  taken.set(from, modes);
  return modes;
}

/** More paths than one batch of edits names. */
const PATHS_MAX = 50;

/** The files an event names when it is not a tool call that is about to run. */
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

/** Several facts need the scripts, so they are read once. */
const read = new WeakMap<Surroundings, Facts["scripts"]>();

function scriptsIn(from: Surroundings): Facts["scripts"] {
  const { operation, places, state, event, now } = from;
  if (!operation?.shell) return [];
  const session = isUnknown(state) ? undefined : own(state.sessions, event.session);
  const scripts = read.get(from) ?? [
    ...scriptsOf(operation, places.home, session ?? newSession(now)),
    ...plannedScripts(from, operation),
  ];
  read.set(from, scripts);
  return scripts;
}

/** The commands of a plan that the line would let us run. */
function plannedScripts({ event, places, state }: Surroundings, operation: Operation): Facts["scripts"] {
  if (!("tool" in event) || event.tool.kind !== "bash" || !maybePlanCheck(event.tool.command)) return [];
  const root = rootOf(event.cwd, places.project);
  const active = isUnknown(state) ? undefined : own(state.playbooks ?? {}, root)?.active;
  return planScripts(operation, { root, home: places.home, active });
}

/** The same inputs with the effects of the scripts added to the operation, except scripts older than the session. */
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

/** Hashing loads a module that costs more than the rest of an event, so it runs only while a grant is in force. */
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

export function* gather(names: Iterable<FactName>, from: Surroundings): Steps<Gathered> {
  const facts: Partial<Record<FactName, unknown>> = {};
  for (const name of new Set<FactName>(names)) facts[name] = yield* lookUp(name, from);
  return facts as Gathered;
}

function* lookUp(name: FactName, from: Surroundings): Steps<unknown> {
  if (from.clock() > from.deadline) return { unknown: "there was no time left to look it up" } satisfies Unknown;
  try {
    const found = LOOK_UP[name](from);
    return isSteps(found) ? yield* found : found;
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) } satisfies Unknown;
  }
}

function isSteps(found: unknown): found is Steps<unknown> {
  return typeof found === "object" && found !== null && "next" in found && Symbol.iterator in found;
}
