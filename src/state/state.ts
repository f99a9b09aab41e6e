/** The whole state: a fold over the journal's records, never updated in place. */

import { bounded, own } from "../lib/keyed.ts";
import { withAnswers } from "./agreements.ts";
import type { Change } from "./change.ts";
import type { Decision } from "./decision.ts";
import { type Dropped, droppedOf, withDropped } from "./dropped.ts";
import { afterEnds } from "./earned.ts";
import { type GrantChange, type Leave, reduceLeave, useGrant, withoutExpired } from "./grants.ts";
import { type Guards, reduceGuards } from "./guards.ts";
import { type Habits, noHabits, reduceHabits, suggest, withoutOldHabits } from "./habits.ts";
import { isFreeOfPlans, type Playbooks, reducePlaybooks } from "./playbooks.ts";
import type {
  ActionRecord,
  CommitRecord,
  FaultRecord,
  FormatRecord,
  JournalRecord,
  Stamp,
  StartedProgram,
  UndoRecord,
  VerdictRecord,
} from "./record.ts";
import { learn } from "./registration.ts";
import { type Approvals, reduceApprovals } from "./runs/approvals.ts";
import { confirmedBy, type WitnessChange } from "./session/awaiting.ts";
import { close, type Ended, type OpenCall, outcomesIn, withAttempt } from "./session/calls.ts";
import { type CheckChange, type CheckHistories, type Definitions, endChecks, ROOTS_MAX } from "./session/checks.ts";
import { passGate, restCoverage } from "./session/coverage.ts";
import { withFormatted } from "./session/formatted.ts";
import { passModes, waitingModes } from "./session/mode-owners.ts";
import { type ModeChange, type Modes, STALE_MS } from "./session/modes.ts";
import { restProof } from "./session/proof.ts";
import { forgiven, remembered, restMemory } from "./session/refused.ts";
import {
  ACTORS_MAX,
  CANARY,
  coverageOf,
  newSession,
  type Registration,
  reduceSession,
  type Session,
} from "./session/session.ts";
import { countTool, noTools } from "./session/tool-counts.ts";
import { opened, type SettingsChange } from "./settings/pinned.ts";
import type { Voided } from "./signed.ts";
import { proven, SET_UPS } from "./signed-action.ts";
import { isTightening, knownStance, type Stance } from "./stance.ts";
import { newTrustLedger, recordOutcome, reduceTrust, type TrustChange, type TrustLedger } from "./trust.ts";

export interface State extends Leave, Habits {
  readonly sessions: Readonly<Record<string, Session>>;
  /** Verdicts on tool uses, and everything else that was not passed. */
  readonly verdicts: Readonly<Record<Decision, number>>;
  /** Number of objections by policy. */
  readonly objections: Readonly<Record<string, number>>;
  readonly faults: number;
  /** Hooks in the host's settings files when they were last complete; later sessions are compared with it. */
  readonly registration: Registration;
  /**
   * The program to which a person last pointed the hooks; in running sessions, hooks that start it are not tampering.
   */
  readonly program?: StartedProgram;
  readonly trust: TrustLedger;
  /** The results of checks that a person ran. */
  readonly checks?: CheckHistories;
  /** By work tree: what each check consisted of when a session last began there. */
  readonly defined?: Readonly<Record<string, Definitions>>;
  /** Set once a person has chosen one. */
  readonly stance?: Stance;
  /** Modes that wait for a session. */
  readonly modes?: Modes;
  /** By work tree: the plans that a person has approved. */
  readonly playbooks?: Playbooks;
  /** The project's own guards that a person trusts. */
  readonly guards?: Guards;
  /** What people answered to runs that waited for them. */
  readonly approvals?: Approvals;
  /** The time of the newest signed action. An older one is a replay. */
  readonly signed?: number;
  /** When a person's command last gave something, by what it gave. No host event sets these. */
  readonly given?: Readonly<Partial<Record<Given, number>>>;
  /** Newest last: actions that claimed a person's authority and did not count. */
  readonly voided?: readonly Voided[];
  /** Sessions that were pushed out. */
  readonly dropped?: Dropped;
  /** The latest time seen. Reducers never use an earlier one, so a clock set back moves nothing back. */
  readonly t: number;
}

export const SESSIONS_MAX = 20;

type Given = "settings" | "stance" | "modes" | "trust" | "plans";

export const newState: State = {
  sessions: {},
  verdicts: { pass: 0, ask: 0, deny: 0 },
  objections: {},
  faults: 0,
  grants: {},
  ...noHabits,
  registration: {},
  trust: newTrustLedger,
  t: 0,
};

/** The record kinds that change more than the time. A store doesn't need to parse records of other kinds. */
export const FOLDED_KINDS = ["verdict", "fault", "undo", "format", "commit", "action"] as const;

/** Total and pure. A record of an unknown kind changes only the time. */
export function fold(before: State, record: JournalRecord): State {
  const t = Math.max(before.t, record.t);
  const state = withoutOldHabits(withoutExpired({ ...before, t }, t), t);
  switch (record.kind) {
    case "verdict":
      return foldVerdict(state, record);
    case "fault":
      return told({ ...state, faults: state.faults + 1 }, record);
    case "undo":
    case "commit":
      return told(state, record);
    case "format":
      return foldFormat(state, record);
    case "action":
      return foldPerson(state, record);
    default:
      record satisfies { readonly kind: Exclude<JournalRecord["kind"], (typeof FOLDED_KINDS)[number]> };
      return state;
  }
}

/** Snapshots are read from the journal when needed; the session only counts the characters it was told. */
function told(state: State, { session, injected = 0 }: UndoRecord | FaultRecord | CommitRecord): State {
  if (injected === 0 || own(state.sessions, session) === undefined) return state;
  return inSession(state, session, (known) => ({ ...known, injectedChars: known.injectedChars + injected }));
}

/** A failed formatter changed nothing, so only the journal records it. */
function foldFormat(state: State, { session, path, by, problem, injected = 0 }: FormatRecord): State {
  if (problem !== undefined || own(state.sessions, session) === undefined) return state;
  return inSession(state, session, (known) => ({
    ...known,
    formatted: withFormatted(known.formatted ?? [], { path, by, at: state.t }),
    injectedChars: known.injectedChars + injected,
  }));
}

const VOIDED_MAX = 8;

/** The store has marked a record whose signature is missing or wrong, and has left only what tightens in it. */
function foldPerson(before: State, record: ActionRecord & Stamp): State {
  const { rid, action, sig, void: why } = record;
  if (why !== undefined) {
    const voided = [...(before.voided ?? []), { rid, at: before.t, action, why }].slice(-VOIDED_MAX);
    // Without the key nothing can be verified, but somebody here has signed: unsigned records count no more.
    const isOrphan = why === "no-key" && sig !== undefined;
    return foldAction({ ...before, voided, ...(isOrphan && { signed: record.t }) }, record);
  }
  const state: State = sig === undefined ? before : { ...before, signed: Math.max(before.signed ?? 0, record.t) };
  return SET_UPS.includes(action) ? setUpAnew(state) : foldAction(state, record);
}

/** Only a person's action can grant anything; no host event becomes one. */
function foldAction(before: State, record: ActionRecord & Stamp): State {
  const { session, moved } = record;
  const changes = proven(record);
  const state = withGiven(moved ? { ...before, program: moved.to } : before, changes);
  const given = changes.reduce(
    byPerson,
    changes.filter(isAboutLeave).reduce(allowed, withAnswersToRuns(state, record)),
  );
  const modes = changes.filter(isAboutModes);
  if (session === undefined) return modes.reduce((all, change) => waitingModes(all, change, state.t), given);
  const within = inSession(given, session, (current) => applyAll(current, changes, state.t));
  return modes.reduce((all, change) => passModes<Session, State>(all, session, change, state.t), within);
}

/** A person's answer names the record that gave it, so that a run can show which one that was. */
function withAnswersToRuns(state: State, { rid, changes = [] }: ActionRecord & Stamp): State {
  const answers = changes.filter((change) => change.record === "run");
  if (answers.length === 0) return state;
  const approvals = answers.reduce((all, one) => reduceApprovals(all, one, rid, state.t), state.approvals ?? {});
  return { ...state, approvals };
}

const GIVES: Readonly<Record<string, Given>> = {
  settings: "settings",
  stance: "stance",
  mode: "modes",
  trust: "trust",
  playbook: "plans",
};

function withGiven(state: State, changes: readonly Change[]): State {
  const kinds = changes.flatMap((change) => (givesNothing(change) ? [] : (own(GIVES, change.record) ?? [])));
  if (kinds.length === 0) return state;
  return { ...state, given: { ...state.given, ...Object.fromEntries(kinds.map((kind) => [kind, state.t])) } };
}

/** Anybody may begin a plan or end it, so that says nothing of a person. */
function givesNothing(change: Change): boolean {
  return change.record === "playbook" && isFreeOfPlans(change);
}

/** Changes that only a person may make. */
function byPerson(state: State, change: Change): State {
  if (change.record === "habit") return reduceHabits(state, change);
  if (change.record === "trust") return { ...state, trust: reduceTrust(state.trust, change, state.t) };
  if (change.record === "check") return checkedByPerson(state, change);
  if (change.record === "settings") return openedByPerson(state, change);
  if (change.record === "guard") return { ...state, guards: reduceGuards(state.guards ?? {}, change, state.t) };
  return withPlaybook(withStance(state, change), change);
}

/** What a person's command opens counts in running sessions too. */
function openedByPerson(state: State, change: SettingsChange): State {
  const sessions = Object.entries(state.sessions).map(([id, session]): [string, Session] => [
    id,
    session.pins ? { ...session, pins: opened(session.pins, change) } : session,
  ]);
  return { ...state, sessions: Object.fromEntries(sessions) };
}

function withStance(state: State, change: Change): State {
  const stance = change.record === "stance" ? knownStance(change.stance) : undefined;
  return stance ? { ...state, stance } : state;
}

const IN_SESSIONS: readonly string[] = ["approve", "verdict", "check"];

/** In a session a person can approve a plan, a critic can judge it, its commands can pass. All else commands say. */
function withPlaybook(state: State, change: Change, session?: string): State {
  if (change.record !== "playbook") return state;
  if (session !== undefined && !IN_SESSIONS.includes(change.do)) return state;
  const playbooks = reducePlaybooks(state.playbooks ?? {}, change, state.t, session);
  if (change.do !== "verdict" || change.of !== "critic" || change.verdict === "DEFERRED")
    return { ...state, playbooks };
  const outcome = change.verdict === "PASS" ? "success" : "failure";
  return { ...state, playbooks, trust: recordOutcome(state.trust, COMPLETION, outcome, state.t) };
}

/** How far the agent is trusted when it says that something is done. */
const COMPLETION = "completion";

/** A check that a person ran counts in every session, and so does its definition at that time. */
function checkedByPerson(state: State, change: CheckChange): State {
  if (change.do === "end") return { ...state, checks: endChecks(state.checks ?? {}, change, state.t) };
  if (change.do !== "define") return state;
  const sessions = Object.entries(state.sessions).map(([id, session]): [string, Session] => {
    const known = own(session.defined ?? {}, change.root);
    const defined = { ...session.defined, [change.root]: { ...known, ...change.definitions } };
    return [id, known ? { ...session, defined } : session];
  });
  return { ...withDefinitions(state, change), sessions: Object.fromEntries(sessions) };
}

function withDefinitions(state: State, { root, definitions }: CheckChange & { readonly do: "define" }): State {
  return { ...state, defined: bounded(state.defined ?? {}, root, definitions, ROOTS_MAX, () => 0) };
}

/** A granted effect is no longer remembered as refused in any session. */
function allowed(state: State, change: GrantChange): State {
  const given = reduceLeave(state, change);
  if (change.record !== "grant" || change.do !== "give") return given;
  const sessions = Object.entries(given.sessions).map(([id, session]) => [id, forgiven(session, change.id)] as const);
  return { ...given, sessions: Object.fromEntries(sessions) };
}

/** A person set up the hooks anew, so earlier registrations and the time without hooks are not judged. */
function setUpAnew(state: State): State {
  const sessions = Object.entries(state.sessions).map(([id, session]): [string, Session] => [
    id,
    { ...session, coverage: { ...coverageOf(session), since: state.t } },
  ]);
  return { ...state, registration: {}, sessions: Object.fromEntries(sessions) };
}

function learned(known: Registration, change: Change): Registration {
  return change.record === "session" && change.do === "begin" ? learn(known, change.registration) : known;
}

function foldVerdict(state: State, record: VerdictRecord & Stamp): State {
  // Sekisho's own test of a denied command; no agent was blocked.
  if (record.session === CANARY) return state;
  const counted: State = {
    ...state,
    verdicts: count(state.verdicts, record),
    objections: (record.objections ?? []).reduce((sum, { policy }) => add(sum, policy), state.objections),
  };
  if (record.unbound) return counted;
  const used = (record.changes ?? []).filter(isAboutLeave).reduce(useGrant, counted);
  const registration = (record.changes ?? []).reduce(learned, state.registration);
  const met = (record.changes ?? []).find((change) => change.record === "check" && change.do === "define");
  // The hooks may be installed while a tool runs; its end is then the first event of the session.
  const before = own(state.sessions, record.session) ?? newSession(state.t);
  const ends = before.castaway ? [] : outcomesIn(before, record.changes ?? []);
  const trust = (record.changes ?? []).length === 0 ? state.trust : earned(state, record, ends);
  const answered = ends.reduce(
    (known, { question }) => (question ? suggest(known, question.id, question, state.t) : known),
    used,
  );
  const known = met ? withDefinitions(answered, met as CheckChange & { readonly do: "define" }) : answered;
  const answeredFor = inSession({ ...known, registration, trust }, record.session, (session) => {
    const actor = record.agent?.id ?? "main";
    const beat = { type: record.agent?.type ?? "main", at: state.t, event: record.event };
    const seen: Session = {
      ...session,
      lastAt: state.t,
      actors: bounded(session.actors, actor, beat, ACTORS_MAX, ({ at }) => at),
      verdicts: count(session.verdicts, record),
      injectedChars: session.injectedChars + (record.injected ?? 0),
      ...gated(session, record, state.t),
      ...toolsWith(session, record),
      ...agreedBy(session, ends),
    };
    const { rid, decision, changes = [] } = record;
    const refused = record.event === "PreToolUse" && decision === "deny" && record.call !== undefined;
    const closed = applyAll(refused ? close(seen, record.call, "refused") : seen, changes, state.t);
    const attempted = record.call === undefined ? closed : withAttempt(closed, record.call, attemptIn(record));
    return remembered(attempted, changes, { rid, at: state.t, decision });
  });
  return applied(answeredFor, record.session, inEffect(before, record.changes ?? [], state.stance));
}

/** The state as it is once the host's transcript has confirmed something, before the record of it is written. */
export function foldWitness(state: State, id: string, change: WitnessChange): State {
  const before = own(state.sessions, id);
  if (!before) return state;
  const session = reduceSession(before, change, state.t);
  const settled: State = { ...state, sessions: { ...state.sessions, [id]: session } };
  return applied(settled, id, inEffect(before, [change], state.stance));
}

/** Changes that reach beyond their session: modes pass on, and the stance and the plans are the project's. */
function applied(state: State, id: string, changes: readonly Change[]): State {
  const moved = changes
    .filter(isAboutModes)
    .reduce((all, change) => passModes<Session, State>(all, id, change, state.t), state);
  return changes.reduce((all, change) => withPlaybook(withStance(all, change), change, id), moved);
}

/** Changes that take effect now, with those that were waiting. A stance at once only if it tightens. */
function inEffect(before: Session, changes: readonly Change[], held: Stance | undefined): readonly Change[] {
  return changes.flatMap((change) => {
    if (change.do === "witness") return confirmedBy(before, change).map((item) => item.change as Change);
    const isWider = change.record === "stance" && !isTightening(change.stance, held);
    return change.awaits || isWider ? [] : [change];
  });
}

function attemptIn(record: VerdictRecord & Stamp): Pick<OpenCall, "domain" | "question" | "agrees"> {
  const { rid, operation, decision, shape, cwd, agreement, objections = [] } = record;
  const isAsked = decision === "ask" && shape !== undefined && cwd !== undefined;
  return {
    ...(operation && { domain: operation.domain }),
    ...(decision === "ask" && agreement && { agrees: agreement }),
    ...(isAsked && { question: { id: rid, shape, cwd, policies: objections.map(({ policy }) => policy) } }),
  };
}

/** It ran after the question, so the person said yes. */
function agreedBy({ agreed = [] }: Session, ends: readonly Ended[]): Pick<Session, "agreed"> {
  const answers = ends.flatMap(({ agrees }) => agrees ?? []);
  return answers.length === 0 ? {} : { agreed: withAnswers(agreed, answers) };
}

/** Trust changes by how tool uses end, at the rates in force. Only a person can import; no host event can. */
function earned({ trust, t }: State, { changes = [] }: VerdictRecord, ends: readonly Ended[]): TrustLedger {
  const rates = changes.filter((change) => change.record === "trust" && change.do === "rates");
  const before = rates.reduce((ledger, change) => reduceTrust(ledger, change as TrustChange, t), trust);
  return afterEnds(before, ends, t);
}

/** Most events only report. Tool uses and everything that was not passed count as verdicts. */
function count(verdicts: State["verdicts"], { event, decision }: VerdictRecord): State["verdicts"] {
  return event === "PreToolUse" || decision !== "pass" ? add(verdicts, decision) : verdicts;
}

/** A denied tool was not used. */
function toolsWith({ tools }: Session, { event, decision, tool }: VerdictRecord): Pick<Session, "tools"> {
  if (event !== "PreToolUse" || decision === "deny" || tool === undefined) return {};
  return { tools: countTool(tools ?? noTools, tool) };
}

/** Counted for every decision, because the transcript will contain the call either way. */
function gated(session: Session, record: VerdictRecord, at: number): Pick<Session, "coverage"> {
  const { event, call, agent, changes = [] } = record;
  if (event !== "PreToolUse" || call === undefined) return {};
  const opened = changes.find((change) => change.record === "call" && change.do === "open");
  const mark = opened && "mark" in opened ? opened.mark : undefined;
  const gate = { id: call, at, ...(mark !== undefined && { mark }), ...(agent && { agent: agent.id }) };
  return { coverage: passGate(coverageOf(session), gate) };
}

function applyAll(session: Session, changes: readonly Change[], t: number): Session {
  return changes.reduce((next, change) => reduceSession(next, change, t), session);
}

function isAboutModes(change: Change): change is ModeChange {
  return change.record === "mode";
}

function isAboutLeave(change: Change): change is GrantChange {
  // An id of another type could not be used as a key.
  return change.record === "pause" || (change.record === "grant" && typeof change.id === "string");
}

/** Undefined if the session was never seen. One that was pushed out is known by that only. */
export function sessionOf(state: State, id: string): Session | undefined {
  const known = own(state.sessions, id);
  const dropped = known ? undefined : droppedOf(state.dropped, id);
  return dropped === undefined ? known : { ...newSession(state.t), dropped };
}

function inSession(state: State, id: string, update: (session: Session) => Session): State {
  const known = own(state.sessions, id);
  const session = update(known ?? sessionOf(state, id) ?? newSession(state.t));
  const others = known ? state.sessions : rested(state.sessions, state.t);
  const sessions = bounded(others, id, session, SESSIONS_MAX, keptBy);
  const gone = known ? undefined : Object.keys(others).find((other) => !Object.hasOwn(sessions, other));
  if (gone === undefined) return { ...state, sessions };
  const processes = (others[gone]?.pins ?? []).map(({ by }) => by);
  return { ...state, sessions, dropped: withDropped(state.dropped, gone, processes) };
}

/**
 * The lowest value is evicted first. A session in a mode is kept as long as the mode can be active, so that starting
 * many sessions cannot end it; orphaned sessions are evicted first.
 */
function keptBy({ lastAt, modes, castaway }: Session): number {
  if (castaway) return lastAt - STALE_MS;
  return modes ? lastAt + STALE_MS : lastAt;
}

/** A session counts as inactive after an hour without events. */
const REST_MS = 3600 * 1000;
const RESTING_GATES_MAX = 20;

/** Runs with every new session, because the whole state is read at every event. */
function rested(sessions: State["sessions"], now: number): State["sessions"] {
  const entries = Object.entries(sessions).map(([id, session]): [string, Session] => {
    const { formatted: _, ...kept } = session;
    const { coverage, lastAt } = kept;
    if (now - lastAt < REST_MS) return [id, session];
    const resting = coverage && { coverage: restCoverage(coverage, RESTING_GATES_MAX) };
    // Check results are outdated by then.
    const { checks: __, growth: ___, planSeen: ____, ground, ...rest } = restProof(restMemory(kept));
    const isOpen = session.endedAt === undefined && ground !== undefined;
    return [id, { ...rest, ...resting, ...(isOpen && { ground }) }];
  });
  return Object.fromEntries(entries);
}

function add<K extends string>(counts: Readonly<Record<K, number>>, key: K): Record<K, number> {
  return { ...counts, [key]: (own(counts, key) ?? 0) + 1 };
}
