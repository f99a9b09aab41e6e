/** State of one session: its host process, open tool uses and the answers given. */

import { counted, own } from "../../lib/keyed.ts";
import { type ActivityChange, toldActivity } from "../activity.ts";
import type { Decision } from "../decision.ts";
import { type PinnedValues, pinned, type SettingsPin } from "../settings/pinned.ts";
import type { StepLimits } from "../step-limits.ts";
import {
  type Awaiting,
  type Awaits,
  awaited,
  confirmedBy,
  isWitnessed,
  type WitnessChange,
  withoutSettled,
} from "./awaiting.ts";
import { type CallChange, type Calls, reduceCall, tracedCalls, withAttempt } from "./calls.ts";
import {
  type CheckChange,
  type CheckHistories,
  type Definitions,
  endChecks,
  type NamedChecks,
  ROOTS_MAX,
} from "./checks.ts";
import { type Coverage, type CoverageChange, endCoverage, newCoverage, reduceCoverage } from "./coverage.ts";
import type { Formatted } from "./formatted.ts";
import { type Ground, type GroundChange, reduceGround } from "./ground.ts";
import { type Growth, type GrowthChange, newGrowth, reduceGrowth } from "./growth.ts";
import { forgetRestored, type HandoverChange, reduceHandover, type Told } from "./handover.ts";
import { type Lint, type LintChange, newLint, reduceLint } from "./lint.ts";
import { withOwn } from "./mode-owners.ts";
import { type ModeChange, type Modes, reduceModes, resumedModes } from "./modes.ts";
import { endProof, newProof, type ProofChange, type Proven, reduceProof } from "./proof.ts";
import type { Memory, MemoryChange } from "./refused.ts";
import { forgetReminder, type RemindChange, type Reminded, wasReminded } from "./reminded.ts";
import { endedUses, endStops, type Stops, stopRefused } from "./stops.ts";
import type { ToolCounts } from "./tool-counts.ts";
import { beginWork, reduceWork, touch, type WorkChange, type Works } from "./work.ts";

/** The host process to which a session is bound; the start time distinguishes a reused process id. */
export interface HostProcess {
  readonly pid: number;
  /** In clock ticks since the machine was started. */
  readonly started: string;
  /** Tells which start of the machine `started` counts from. Missing in records of 0.1.0. */
  readonly boot?: string;
}

/** One name for one process, also after another got its number. */
export function processName({ pid, started, boot }: HostProcess = { pid: 0, started: "" }): string {
  return boot === undefined ? `${pid} ${started}` : `${pid} ${started} ${boot}`;
}

export function isSameProcess(one: HostProcess | undefined, two: HostProcess): boolean {
  return one?.pid === two.pid && one.started === two.started && one.boot === two.boot;
}

/** Settings file → events for which Sekisho's hooks are registered there. */
export type Registration = Readonly<Record<string, readonly string[]>>;

export interface Heartbeat {
  readonly type: string;
  readonly at: number;
  readonly event: string;
}

/** A plan whose file has this stamp has this digest, and its current step these limits while the work stands as it did. */
export interface PlanSeen {
  readonly stamp: string;
  readonly digest: string;
  readonly limits?: StepLimits;
}

function seenFrom({ stamp, digest, limits }: PlanSeen): PlanSeen {
  return { stamp, digest, ...(limits && { limits }) };
}

export interface Session extends Memory, Calls, Proven, Stops, Reminded, Told, Awaiting {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt?: number;
  /** The host's process. Stored under this name since 0.1.0. */
  readonly client?: HostProcess;
  /** The host process was orphaned and its origin is unknown, so its reports earn no trust. */
  readonly castaway?: true;
  /** It was pushed out of the state: marks of the processes that had begun it, of whose settings nothing is known. */
  readonly dropped?: string;
  /** Nobody could answer a question when the session began, and no agent had started it. */
  readonly headless?: true;
  /** What the person agreed to with a yes, until the session ends; see `state/agreements.ts`. */
  readonly agreed?: readonly string[];
  /** Settings files that contained our hooks when the session began, with the events they covered. */
  readonly registration: Registration;
  readonly actors: Readonly<Record<string, Heartbeat>>;
  readonly verdicts: Readonly<Record<Decision, number>>;
  /** Refused completions per task subject. */
  readonly tasks?: Readonly<Record<string, number>>;
  readonly shown: readonly string[];
  /** By process of the host: the settings it began with, and what became stricter since. */
  readonly pins?: readonly SettingsPin[];
  readonly lint?: Lint;
  /** The activity of the last prompt, where it was recognized. */
  readonly activity?: string;
  /** Level of the last context usage hint, and its time. */
  readonly pressure?: { readonly level: PressureLevel; readonly at: number };
  /** Oldest first. */
  readonly formatted?: readonly Formatted[];
  /** Counts of allowed tool uses. */
  readonly tools?: ToolCounts;
  readonly modes?: Modes;
  /** Time of the last cancel. */
  readonly cancelledAt?: number;
  /** Set while compaction runs: its start and the number of ended tool uses at that time. */
  readonly compacted?: { readonly at: number; readonly ended: number };
  /** The name under which it works with other agents. */
  readonly actor?: string;
  /** Ids of messages that it sent through the host and whose arrival nobody has seen yet. */
  readonly sent?: readonly string[];
  readonly injectedChars: number;
  /** Set once PreToolUse was seen or a transcript was read. */
  readonly coverage?: Coverage;
  /** By work tree. These three survive a restart of the host, so a resumed session still owes its checks. */
  readonly work?: Works;
  readonly checks?: CheckHistories;
  /** By work tree: what each check consisted of when the session first saw it. */
  readonly defined?: Readonly<Record<string, Definitions>>;
  /** Commands of checks that variables named when the session began. */
  readonly named?: NamedChecks;
  /** What the checks stand on, as it was when the session began. */
  readonly ground?: Ground;
  /** Since the person's last request. Recorded only while the size of a change decides about a plan. */
  readonly growth?: Growth;
  readonly planSeen?: PlanSeen;
  /** When the host last showed a plan to the person and asked whether to leave its plan mode with it. */
  readonly planAskedAt?: number;
}

export type PressureLevel = "none" | "info" | "urgent";

export type SessionChange =
  | {
      readonly record: "session";
      readonly do: "begin";
      readonly client?: HostProcess;
      readonly registration: Registration;
      readonly castaway?: true;
      readonly headless?: true;
      readonly transcript?: string;
    }
  | { readonly record: "session"; readonly do: "end" }
  /** `leads`: the end of the main agent's turn, for which all policies share a ceiling. */
  | { readonly record: "session"; readonly do: "refuse-stop"; readonly policy: string; readonly leads?: true }
  | { readonly record: "session"; readonly do: "compact" }
  /** A refused task, by the start of its subject. */
  | { readonly record: "session"; readonly do: "refuse-task"; readonly subject: string }
  | { readonly record: "session"; readonly do: "prompt" }
  | { readonly record: "session"; readonly do: "show"; readonly notice: string }
  /** The name that the session works under from now on. */
  | { readonly record: "session"; readonly do: "actor"; readonly name: string }
  /** Messages that it sent through the host, and those of whose arrival or loss it knows. */
  | { readonly record: "session"; readonly do: "sent" | "receipt"; readonly ids: readonly string[] }
  | { readonly record: "session"; readonly do: "pressure"; readonly level: PressureLevel }
  | ({ readonly record: "session"; readonly do: "see-plan" } & PlanSeen)
  | { readonly record: "session"; readonly do: "ask-plan" }
  /** The settings that a process began with. */
  | { readonly record: "session"; readonly do: "pin"; readonly by: string; readonly settings: PinnedValues }
  /** Written by 0.1.0, for the session's process. That version also reads it, so it keeps its shape. */
  | { readonly record: "session"; readonly do: "hold"; readonly settings: PinnedValues }
  | ActivityChange
  | RemindChange
  | LintChange
  | CoverageChange
  | WitnessChange
  | HandoverChange
  | MemoryChange;

/** Session id of canaries: commands that Sekisho sends through its own hooks to see them refused. No project has it. */
export const CANARY = "sekisho-canary";

/** Keep a session's state small whatever the agent does. */
export const ACTORS_MAX = 50;
export const SHOWN_MAX = 50;
const TASKS_MAX = 30;
const SENT_MAX = 20;

export function newSession(now: number): Session {
  return {
    startedAt: now,
    lastAt: now,
    registration: {},
    actors: {},
    calls: {},
    settled: [],
    outcomes: { success: 0, failure: 0, refused: 0, invalid: 0, interrupted: 0, abandoned: 0 },
    verdicts: { pass: 0, ask: 0, deny: 0 },
    refusals: {},
    shown: [],
    injectedChars: 0,
  };
}

/** Changes in the same record that do not concern the session. */
interface OtherChange {
  readonly record: "grant" | "pause" | "habit" | "trust" | "stance" | "playbook" | "settings" | "guard" | "run";
  readonly do: string;
}

type AnyChange = (
  | SessionChange
  | CallChange
  | ProofChange
  | CheckChange
  | WorkChange
  | GroundChange
  | GrowthChange
  | ModeChange
  | OtherChange
) & {
  readonly awaits?: Awaits;
};

/** A change of a newer version changes nothing. */
export function reduceSession(session: Session, change: AnyChange, now: number): Session {
  if (change.awaits) return awaited(session, change, now);
  if (change.record === "session" && change.do === "witness") return witnessed(session, change);
  switch (change.record) {
    case "session":
      return reduceLife(session, change, now);
    case "call":
      return reduceCall(touched(session, change, now), change, now);
    case "proof":
      return { ...session, proof: reduceProof(session.proof ?? newProof, change, now) };
    case "check":
      return reduceChecks(session, change, now);
    case "work":
      return reduceWorks(session, change, now);
    case "ground":
      return reduceGrounds(session, change, now);
    case "growth":
      return { ...session, growth: reduceGrowth(growthOf(session), change, now) };
    case "mode":
      return reduceMode(session, change, now);
    default:
      return session;
  }
}

/** Before the first request that was seen, everything counts from the start of the session. */
export function growthOf({ growth, startedAt }: Pick<Session, "growth" | "startedAt">): Growth {
  return growth ?? newGrowth(startedAt);
}

/** What waited takes effect with the time of its cause, so that it never looks newer than it is. */
function witnessed(session: Session, change: WitnessChange): Session {
  const rest = withoutSettled(session, change);
  return confirmedBy(session, change).reduce(
    (next, item) => reduceSession(next, item.change as AnyChange, item.at),
    rest,
  );
}

/**
 * A tool use counts as a change from its end, unless it never ran, and from its launch if it runs in the background.
 */
function touched(session: Session, change: CallChange, now: number): Session {
  if (change.do === "sweep") return touchedByAll(session, now);
  const isOver = change.do === "close" && change.outcome !== "refused" && change.outcome !== "invalid";
  const work = isOver || change.do === "launch" ? own(session.calls, change.id)?.work : undefined;
  return work ? { ...session, work: touch(session.work ?? {}, work, now) } : session;
}

/** Their ends will never be reported. */
function touchedByAll(session: Session, now: number): Session {
  const open = Object.values(session.calls).flatMap(({ work }) => work ?? []);
  if (open.length === 0) return session;
  return { ...session, work: open.reduce((works, work) => touch(works, work, now), session.work ?? {}) };
}

function reduceChecks(session: Session, change: CheckChange, now: number): Session {
  switch (change.do) {
    case "begin": {
      const { root, files, runs, searched } = change;
      if (own(session.calls, change.id)?.twice) return session;
      const check = { root, files, runs, ...(searched !== undefined && { searched }) };
      return withAttempt(session, change.id, { check });
    }
    case "end":
      return { ...session, checks: endChecks(session.checks ?? {}, change, now) };
    case "define": {
      const known = own(session.defined ?? {}, change.root);
      // The definition seen first is kept; a check that is redefined during the session counts as another one.
      const definitions = { ...change.definitions, ...known };
      // The first work trees are kept, so that the session's starting point cannot be pushed out.
      if (!known && Object.keys(session.defined ?? {}).length >= ROOTS_MAX) return session;
      const named = session.named ?? change.named;
      return { ...session, defined: { ...session.defined, [change.root]: definitions }, ...(named && { named }) };
    }
    default:
      return session;
  }
}

function reduceWorks(session: Session, change: WorkChange, now: number): Session {
  const works = session.work ?? {};
  if (change.do !== "begin") return { ...session, work: reduceWork(works, change, now) };
  const { id, root, code, beside, moves } = change;
  const others = beside?.map(({ base: _, ...place }) => place);
  const work = { root, ...(code && { code }), ...(others && { beside: others }), ...(moves && { moves }) };
  return withAttempt({ ...session, work: beginWork(works, change) }, id, { work });
}

function reduceGrounds(session: Session, change: GroundChange, now: number): Session {
  if (change.do !== "begin-install") {
    const ground = reduceGround(session.ground, change, now);
    return ground ? { ...session, ground } : session;
  }
  const { id, root, command, programs } = change;
  return withAttempt(session, id, { install: { root, command, programs } });
}

function reduceMode(session: Session, change: ModeChange, now: number): Session {
  const known = change.do === "start" ? forgetReminder(session) : session;
  const next = withOwn(known, reduceModes(session.modes ?? {}, change, now));
  if (change.do === "stop" && change.why === "cancelled") return { ...next, cancelledAt: now };
  // A mode that the person starts after a cancel counts, so the cancel time is cleared.
  if (change.do !== "start" || change.by === "agent" || next.cancelledAt === undefined) return next;
  const { cancelledAt: _, ...anew } = next;
  return anew;
}

function reduceLife(session: Session, change: SessionChange, now: number): Session {
  switch (change.do) {
    case "begin":
      return begun(session, change, now);
    case "end":
      return ended(session, now);
    case "refuse-stop":
      return stopRefused(session, change);
    case "refuse-task":
      return { ...session, tasks: counted(session.tasks ?? {}, change.subject, TASKS_MAX) };
    case "prompt":
      return spokenTo(session);
    case "compact":
      return { ...forgetRestored(forgetReminder(session)), compacted: { at: now, ended: endedUses(session) } };
    case "show":
      return withShown(session, change.notice);
    case "actor":
      return { ...session, actor: change.name };
    case "sent":
    case "receipt":
      return withSent(session, change);
    case "pressure":
      return { ...session, pressure: { level: change.level, at: now } };
    case "see-plan":
      return { ...session, planSeen: seenFrom(change) };
    case "ask-plan":
      return { ...session, planAskedAt: now };
    case "pin":
    case "hold":
      return withPin(session, change);
    case "activity":
      return { ...session, ...toldActivity(change) };
    case "remind":
      return wasReminded(session, change);
    case "lint-due":
    case "lint-begin":
    case "lint-pass":
    case "lint-told":
      return { ...session, lint: reduceLint(session.lint ?? newLint, change) };
    case "restore":
    case "tell-orphan":
      return { ...session, ...reduceHandover(change) };
    case "cover":
    case "gap":
    case "tell-gaps":
      return {
        ...session,
        ...(change.do === "cover" && { calls: tracedCalls(session.calls, change) }),
        coverage: reduceCoverage(coverageOf(session), change, now),
      };
    default:
      return session;
  }
}

function withShown(session: Session, notice: string): Session {
  if (session.shown.includes(notice)) return session;
  return { ...session, shown: [...session.shown, notice].slice(-SHOWN_MAX) };
}

function withPin(session: Session, change: SessionChange & { readonly do: "pin" | "hold" }): Session {
  const by = change.do === "pin" ? change.by : processName(session.client);
  return { ...session, pins: pinned(session.pins ?? [], by, change.settings) };
}

function withSent(
  { sent = [], ...session }: Session,
  { do: what, ids }: { readonly do: "sent" | "receipt"; readonly ids: readonly string[] },
): Session {
  const open = what === "sent" ? [...sent, ...ids].slice(-SENT_MAX) : sent.filter((id) => !ids.includes(id));
  return open.length === 0 ? session : { ...session, sent: open };
}

function begun(session: Session, change: SessionChange & { readonly do: "begin" }, now: number): Session {
  const client = change.client ?? session.client;
  const goesOn = session.client?.pid === client?.pid && session.client?.started === client?.started;
  const {
    endedAt: _,
    castaway: __,
    compacted: ___,
    headless: ____,
    witnessedSince: before,
    ...rest
  } = goesOn ? session : takenUp(session);
  const registration = goesOn ? joined(session.registration, change.registration) : change.registration;
  // The running host cannot be made to name another file later.
  const transcript = (goesOn && session.transcript) || change.transcript;
  const witnessedSince = isWitnessed(registration) ? (goesOn && before) || now : undefined;
  return {
    ...rest,
    registration,
    ...(client && { client }),
    ...(change.castaway && { castaway: true }),
    ...(change.headless && { headless: true }),
    ...(transcript && { transcript }),
    ...(witnessedSince !== undefined && { witnessedSince }),
  };
}

/**
 * What a session forgets when another process takes it up. Not at its end already: a child of the host can report an end
 * while the session goes on.
 */
function takenUp(session: Session): Session {
  if (session.endedAt === undefined) return session;
  const { refused: _, written: __, writtenAt: ____, lint: ___, ...rest } = session;
  return rest;
}

/** Only a person's prompt resets the refusal counts and resumes paused modes. */
function spokenTo(session: Session): Session {
  const heard = Object.keys(session.refusals).length === 0 ? session : endStops(session);
  return heard.modes ? withOwn(heard, resumedModes(heard.modes)) : heard;
}

/** Drops what only a running session needs; keeps the counts and what a resumed conversation still contains. */
function ended(session: Session, now: number): Session {
  const {
    pressure: _,
    formatted: __,
    cancelledAt: ___,
    compacted: ____,
    reminded: _5,
    headless: _6,
    agreed: _7,
    planAskedAt: _8,
    sent: _9,
    ...rest
  } = endProof(touchedByAll(endStops(session), now));
  return {
    ...rest,
    endedAt: now,
    calls: {},
    settled: [],
    shown: [],
    ...(session.coverage && { coverage: endCoverage(session.coverage) }),
  };
}

/** Tool uses before the session was first seen are not judged. */
export function coverageOf({ coverage, startedAt }: Pick<Session, "coverage" | "startedAt">): Coverage {
  return coverage ?? newCoverage(startedAt);
}

/** A continued session, e.g. after compaction, keeps every hook it has seen, so that a lost one is still noticed. */
function joined(before: Registration, now: Registration): Registration {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(
    paths.map((path) => [path, [...new Set([...(own(before, path) ?? []), ...(own(now, path) ?? [])])]]),
  );
}
