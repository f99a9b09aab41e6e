/** What is remembered of one session: who drives it, which tool uses are under way, and what was answered. */
import { type ActivityChange, toldActivity } from "./activity.ts";
import { type CallChange, type Calls, reduceCall, withAttempt } from "./calls.ts";
import { type CheckChange, type CheckHistories, type Definitions, endChecks, ROOTS_MAX } from "./checks.ts";
import { type Coverage, type CoverageChange, endCoverage, newCoverage, reduceCoverage } from "./coverage.ts";
import type { Decision } from "./decision.ts";
import type { Formatted } from "./formatted.ts";
import { forgetRestored, type HandoverChange, reduceHandover, type Told } from "./handover.ts";
import { counted, own } from "./keyed.ts";
import { type Lint, type LintChange, newLint, reduceLint } from "./lint.ts";
import { withOwn } from "./mode-owners.ts";
import { type ModeChange, type Modes, reduceModes, resumedModes, type Starter } from "./modes.ts";
import { endProof, newProof, type ProofChange, type Proven, reduceProof } from "./proof.ts";
import type { Memory, MemoryChange } from "./refused.ts";
import { forgetReminder, type RemindChange, type Reminded, wasReminded } from "./reminded.ts";
import { endedUses, endStops, type Stops, stopRefused } from "./stops.ts";
import type { ToolCounts } from "./tool-counts.ts";
import { beginWork, reduceWork, touch, type WorkChange, type Works } from "./work.ts";

/** The process of the host that a session is bound to; the start time tells a reused process id apart. */
export interface Client {
  readonly pid: number;
  readonly started: string;
}

/** Settings file → the events for which our hooks are registered in it. */
export type Registration = Readonly<Record<string, readonly string[]>>;

export interface Heartbeat {
  readonly type: string;
  readonly at: number;
  readonly event: string;
}

export interface Session extends Memory, Calls, Proven, Stops, Reminded, Told {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt?: number;
  readonly client?: Client;
  /** Its client stands below nobody, and nobody vouches for it: what it reports earns no trust. */
  readonly castaway?: true;
  /** Settings files that carried our hooks when the session began, with the events they covered. */
  readonly registration: Registration;
  readonly actors: Readonly<Record<string, Heartbeat>>;
  readonly verdicts: Readonly<Record<Decision, number>>;
  /** How often a task was not let be completed, by subject. */
  readonly tasks?: Readonly<Record<string, number>>;
  readonly shown: readonly string[];
  /** Settings stricter than the defaults, as they were when the person last spoke. */
  readonly held?: Readonly<Record<string, unknown>>;
  readonly lint?: Lint;
  /** What the last prompt asked for, as far as it could be told. */
  readonly activity?: string;
  /** What was last said about how full the context is, and when. */
  readonly pressure?: { readonly level: PressureLevel; readonly at: number };
  /** Oldest first. */
  readonly formatted?: readonly Formatted[];
  /** Of what was let through, once there was something. */
  readonly tools?: ToolCounts;
  readonly modes?: Modes;
  /** When modes were last cancelled. */
  readonly cancelledAt?: number;
  /** When it was begun to make the conversation shorter, and how many tool uses had ended by then; until it goes on. */
  readonly compacted?: { readonly at: number; readonly ended: number };
  readonly injectedChars: number;
  /** Once something came through the gate or a transcript was read. */
  readonly coverage?: Coverage;
  /** By work tree. These three outlast the client: a session that is taken up again still owes what it owed. */
  readonly work?: Works;
  readonly checks?: CheckHistories;
  /** By work tree: what each check was made of when the session first met it. */
  readonly defined?: Readonly<Record<string, Definitions>>;
}

export type PressureLevel = "none" | "info" | "urgent";

export type SessionChange =
  | {
      readonly record: "session";
      readonly do: "begin";
      readonly client?: Client;
      readonly registration: Registration;
      readonly castaway?: true;
    }
  | { readonly record: "session"; readonly do: "end" }
  /** `leads`: the end of the main agent's turn, which all of them together may refuse only so often. */
  | { readonly record: "session"; readonly do: "refuse-stop"; readonly policy: string; readonly leads?: true }
  | { readonly record: "session"; readonly do: "compact" }
  /** A task that could not be completed, by the beginning of its subject. */
  | { readonly record: "session"; readonly do: "refuse-task"; readonly subject: string }
  | { readonly record: "session"; readonly do: "prompt" }
  | { readonly record: "session"; readonly do: "show"; readonly notice: string }
  | { readonly record: "session"; readonly do: "pressure"; readonly level: PressureLevel }
  | { readonly record: "session"; readonly do: "hold"; readonly settings: Readonly<Record<string, unknown>> }
  | ActivityChange
  | RemindChange
  | LintChange
  | CoverageChange
  | HandoverChange
  | MemoryChange;

/** The session of commands that we send through the hooks ourselves, to see them refused. Nobody's, in any project. */
export const CANARY = "sekisho-canary";

/** Limits that keep a session's record small whatever the agent does. */
export const ACTORS_MAX = 50;
export const SHOWN_MAX = 50;
const TASKS_MAX = 30;

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

/** Changes that stand in the same record and are not about the session. */
interface OtherChange {
  readonly record: "grant" | "pause" | "habit" | "trust" | "stance";
}

/** Total: a change of a newer version is one this version knows nothing of, and changes nothing. */
export function reduceSession(
  session: Session,
  change: SessionChange | CallChange | ProofChange | CheckChange | WorkChange | ModeChange | OtherChange,
  now: number,
): Session {
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
    case "mode":
      return reduceMode(session, change, now);
    default:
      return session;
  }
}

/** What a tool use may have changed counts from its end, unless it never ran; and from its launch, if it runs on. */
function touched(session: Session, change: CallChange, now: number): Session {
  if (change.do === "sweep") return touchedByAll(session, now);
  const isOver = change.do === "close" && change.outcome !== "refused" && change.outcome !== "invalid";
  const work = isOver || change.do === "launch" ? own(session.calls, change.id)?.work : undefined;
  return work ? { ...session, work: touch(session.work ?? {}, work, now) } : session;
}

/** Nobody will hear how they end. */
function touchedByAll(session: Session, now: number): Session {
  const open = Object.values(session.calls).flatMap(({ work }) => work ?? []);
  if (open.length === 0) return session;
  return { ...session, work: open.reduce((works, work) => touch(works, work, now), session.work ?? {}) };
}

function reduceChecks(session: Session, change: CheckChange, now: number): Session {
  switch (change.do) {
    case "begin": {
      const { root, files, runs } = change;
      return withAttempt(session, change.id, { check: { root, files, runs } });
    }
    case "end":
      return { ...session, checks: endChecks(session.checks ?? {}, change, now) };
    case "define": {
      const known = own(session.defined ?? {}, change.root);
      // What the session has met once stays: a check that is made anew in it is another one.
      const definitions = { ...change.definitions, ...known };
      // The first stay: nobody makes the session forget where it began.
      if (!known && Object.keys(session.defined ?? {}).length >= ROOTS_MAX) return session;
      return { ...session, defined: { ...session.defined, [change.root]: definitions } };
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

function reduceMode(session: Session, change: ModeChange, now: number): Session {
  const known = change.do === "start" ? begun(session, change.by) : session;
  const next = withOwn(known, reduceModes(session.modes ?? {}, change, now));
  return change.do === "stop" && change.why === "cancelled" ? { ...next, cancelledAt: now } : next;
}

/** A person who cancels one mode and asks for another wants the other: the cancelling lets no turn go any more. */
function begun(session: Session, by: Starter): Session {
  const known = forgetReminder(session);
  if (by !== "prompt" && by !== "command") return known;
  const { cancelledAt: _, ...rest } = known;
  return rest;
}

function reduceLife(session: Session, change: SessionChange, now: number): Session {
  switch (change.do) {
    case "begin": {
      const { endedAt: _, castaway: __, compacted: ___, ...rest } = session;
      const client = change.client ?? session.client;
      const goesOn = session.client?.pid === client?.pid && session.client?.started === client?.started;
      const registration = goesOn ? joined(session.registration, change.registration) : change.registration;
      return { ...rest, registration, ...(client && { client }), ...(change.castaway && { castaway: true }) };
    }
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
      return session.shown.includes(change.notice)
        ? session
        : { ...session, shown: [...session.shown, change.notice].slice(-SHOWN_MAX) };
    case "pressure":
      return { ...session, pressure: { level: change.level, at: now } };
    case "hold":
      return { ...session, held: change.settings };
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
    case "tell-gaps":
      return { ...session, coverage: reduceCoverage(coverageOf(session), change, now) };
    default:
      return session;
  }
}

/** Only a person's word refills what may be refused, and takes up what was held. */
function spokenTo(session: Session): Session {
  const heard = Object.keys(session.refusals).length === 0 ? session : endStops(session);
  return heard.modes ? withOwn(heard, resumedModes(heard.modes)) : heard;
}

/** What only a running session needs goes; the counts stay, and what the conversation has in it if it is taken up again. */
function ended(session: Session, now: number): Session {
  const {
    refused: _,
    written: __,
    held: ___,
    lint: ____,
    pressure: _5,
    formatted: _6,
    cancelledAt: _7,
    compacted: _8,
    reminded: _9,
    ...rest
  } = endProof(touchedByAll(endStops(session), now));
  return {
    ...rest,
    endedAt: now,
    calls: {},
    settled: [],
    shown: [],
    registration: {},
    ...(session.coverage && { coverage: endCoverage(session.coverage) }),
  };
}

/** What was used before we first heard of the session is not ours to judge. */
export function coverageOf({ coverage, startedAt }: Pick<Session, "coverage" | "startedAt">): Coverage {
  return coverage ?? newCoverage(startedAt);
}

/** A session that goes on (after compaction, say) forgets no hook it has seen: what went missing stays missed. */
function joined(before: Registration, now: Registration): Registration {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(
    paths.map((path) => [path, [...new Set([...(own(before, path) ?? []), ...(own(now, path) ?? [])])]]),
  );
}
