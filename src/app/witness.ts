/** Reads the host's transcript for changes that wait for it, and applies what it confirms before anything is judged. */

import { mayRunChecks } from "../evidence/checks/tools.ts";
import { judgeIn } from "../evidence/reviewer.ts";
import type { Steps } from "../kernel/effect.ts";
import { type EventName, type HookEvent, narrator } from "../kernel/event.ts";
import type { Witness } from "../kernel/facts.ts";
import { wordsMark } from "../kernel/marks.ts";
import { isDoubtful, testify, traceIn } from "../kernel/testimony.ts";
import type { Verdict } from "../kernel/verdict.ts";
import { own } from "../lib/keyed.ts";
import { AWAITING_MAX, type Awaited } from "../state/session/awaiting.ts";
import { tracedCalls } from "../state/session/calls.ts";
import { MAIN, type NewGap } from "../state/session/coverage.ts";
import { coverageOf, newSession, type Session } from "../state/session/session.ts";
import { foldWitness, type State } from "../state/state.ts";
import type { StoreFault } from "../store/store.ts";
import { awaitedIn, awaitedTranscripts, hasTranscript, type Readings } from "../world/facts/transcript.ts";
import type { Surroundings } from "../world/gather.ts";
import type { LookingHost } from "../world/host.ts";
import { type Bound, NOTHING_BROKEN, withinBonds } from "./bonds.ts";
import { type AskingChannel, type Channel, channelOf, type Sighted, sightOf, withoutUnseen } from "./channel.ts";

interface Witnessed {
  readonly state: State;
  readonly readings: Readings;
  readonly witness: Witness;
}

/** The state as the transcript confirms it, or why there is none. */
export type Known = Witnessed | { readonly fault: StoreFault };

interface Asking extends AskingChannel {
  readonly event: HookEvent;
  readonly host: LookingHost;
  readonly now: number;
  /** The event came over a connection that the host holds itself. */
  readonly isChannel?: boolean;
  readonly parentOf: Surroundings["parentOf"];
}

/** Before an event is judged. A check is told apart by what it stands on, so an installation before it is waited for. */
export function* knownBefore(state: State, asking: Asking): Steps<Witnessed> {
  let known = witnessed(state, asking);
  for (let waited = 0; waited < JUDGE_WAIT_MS && isUnheard(asking.event, known); waited += STEP_MS) {
    yield { do: "wait", ms: STEP_MS };
    known = witnessed(state, asking);
  }
  while (standsOnInstall(asking.event, own(known.state.sessions, asking.event.session))) {
    const later = yield* onceWritten(known.state, asking);
    if (!later) break;
    known = joined(known, later);
  }
  return known;
}

/** A judge's word is needed by the very next call, and on a busy machine its transcript is late. */
function isUnheard(event: HookEvent, { witness, readings }: Witnessed): boolean {
  if (event.name !== "SubagentStop" || judgeIn(event.agent?.type ?? "") === undefined) return false;
  return witness.isNeeded && !witness.isSaid && own(readings, narrator(event)) !== undefined;
}

function standsOnInstall(event: HookEvent, session: Session | undefined): boolean {
  if (event.name !== "PreToolUse" || event.tool.kind !== "bash") return false;
  const isAwaited = session?.awaiting?.some(({ change }) => change.record === "ground") === true;
  return isAwaited && mayRunChecks(event.tool.command);
}

/** What the transcript confirms by now, for a verdict that refuses. */
export function* seenSince(known: Known, verdict: Verdict, asking: Asking): Steps<Witnessed | undefined> {
  if ("fault" in known || verdict.decision === "pass" || verdict.unbound) return undefined;
  const later = yield* onceWritten(known.state, asking);
  return later && joined(known, later);
}

/** The state with what the transcript of a session confirms by now, for people who look at it. */
export function stateAsSeen(state: State, id: string, host: LookingHost, now: number): State {
  const session = own(state.sessions, id);
  if (!session?.awaiting || session.transcript === undefined) return state;
  const main = session.transcript;
  const readings = readSafely(() => awaitedIn(main, session, host));
  const { settled } = testify(session.awaiting, readings, coverageOf(session), now, undefined, session.heard);
  return settled ? foldWitness(state, id, settled) : state;
}

export function aside(known: Known): Pick<Surroundings, "witness" | "readings"> {
  return "fault" in known ? {} : { witness: known.witness, readings: known.readings };
}

/** These read the transcript anyway; all others only if they would refuse without it. */
const READING: ReadonlySet<EventName> = new Set(["Stop", "SubagentStop", "UserPromptSubmit"]);

function witnessed(before: State, asking: Asking, isPressing = false): Witnessed {
  const { event, host } = asking;
  const channel = channelOf(event.session, own(before.sessions, event.session), asking);
  const { state, session, unseen, repaired } = asChannelShows(before, channel, asking);
  // Whoever looks at many files must not have the first of them forgotten.
  const awaiting = event.name === "PreToolUse" ? (session?.awaiting ?? []) : [];
  const isFull = awaiting.length >= AWAITING_MAX / 2 || (isHelp(event) && awaiting.some(isAboutPlans));
  const isRead = isPressing || isFull || READING.has(event.name);
  const base = { ...needOf(asking, session, isRead), gaps: unseen, ...repaired };
  const isDue = event.name === "Stop" || event.name === "SubagentStop" || session?.awaiting !== undefined;
  if (!isRead || !isDue || !session || !base.isNeeded) return { state, readings: {}, witness: base };
  const readings = readSafely(() => awaitedTranscripts(event, session, host));
  const { settled, gaps } = testify(
    session.awaiting ?? [],
    readings,
    coverageOf(session),
    asking.now,
    sightOf(channel),
    session.heard,
  );
  const traced = readings[MAIN] ? tracedCalls(session.calls, traceIn(session.calls, readings[MAIN])) : session.calls;
  const known: State = { ...state, sessions: { ...state.sessions, [event.session]: { ...session, calls: traced } } };
  const doubtful = event.name === "Stop" && isDoubtful(traced, asking.now) && { isDoubtful: true as const };
  return {
    state: settled ? foldWitness(known, event.session, settled) : known,
    readings,
    witness: {
      ...base,
      ...doubtful,
      ...saidIn(event, readings),
      gaps: [...unseen, ...gaps],
      ...(settled && { settled }),
    },
  };
}

/** What a judge is told depends on the plan that was just approved. */
function isHelp(event: HookEvent): boolean {
  return event.name === "PreToolUse" && event.tool.kind === "agent";
}

function isAboutPlans({ change }: Awaited): boolean {
  return change.record === "playbook";
}

/** What the journal says and the daemon knows better was put there by somebody else. */
function asChannelShows(recorded: State, channel: Channel, { event, parentOf }: Asking) {
  const id = event.session;
  if (!channel || channel === "unasked") {
    return { state: recorded, session: own(recorded.sessions, id), unseen: [], repaired: {} };
  }
  const { state, broken, repairs, again } = asBound(recorded, id, channel, parentOf);
  const session = own(state.sessions, id);
  if (!session) return { state, session, unseen: [], repaired: {} };
  const { session: left, unseen: count } = withoutUnseen(session, channel);
  const told = (session.coverage?.gaps ?? []).flatMap(({ calls }) => calls);
  const news = broken.map((what) => `a record in the journal (${what})`).filter((label) => !told.includes(label));
  const calls = [...(count > 0 ? ["a record in the journal"] : []), ...news];
  const unseen: readonly NewGap[] = calls.length > 0 ? [{ kind: "forged", count: count + news.length, calls }] : [];
  const shown = left === session ? state : { ...state, sessions: { ...state.sessions, [id]: left } };
  const repaired = {
    ...(repairs.length > 0 && { repairs }),
    ...(event.name === "Stop" && again.length > 0 && { again }),
  };
  return { state: shown, session: left, unseen, repaired };
}

function asBound(state: State, id: string, { bonds, keys }: Sighted, parentOf: Asking["parentOf"]): Bound {
  if (!bonds) return { state, ...NOTHING_BROKEN };
  return withinBonds(state, id, bonds, parentOf({ ...newSession(0), client: bonds.client }), keys);
}

/** Usually the last message is in the subagent's transcript by now; if it is late, it is awaited. */
function saidIn(event: HookEvent, readings: Readings): Pick<Witness, "isSaid"> {
  if (event.name !== "SubagentStop") return {};
  const mark = wordsMark(event.lastMessage);
  const prompts = own(readings, narrator(event))?.prompts ?? [];
  return prompts.some(({ from, words }) => from === "said" && wordsMark(words) === mark) ? { isSaid: true } : {};
}

/** An unreadable transcript confirms nothing; `track-coverage` reports it. */
function readSafely(read: () => Readings): Readings {
  try {
    return read();
  } catch (error) {
    void error;
    return {};
  }
}

function needOf({ event, host, isChannel }: Asking, session: Session | undefined, isRead: boolean): Witness {
  if (host.readTranscriptLine === undefined) return { isNeeded: false, isThere: false, gaps: [] };
  // Looked up only where the answer changes something.
  const isAsked = (isChannel === true && (isRead || !WAITING_FOR_NONE.has(event.name))) || event.name === "Stop";
  const isThere = !isAsked || hasTranscript(event, session);
  return { isNeeded: isThere || isChannel !== true, isThere, gaps: [] };
}

/** No change of these waits for a witness. */
const WAITING_FOR_NONE: ReadonlySet<EventName> = new Set(["PreToolUse", "PostToolBatch"]);

/** The end of a judge may wait longer than a gate: nobody else waits for it. */
const JUDGE_WAIT_MS = 500;

/** All the time that a gate may wait for the host to write its transcript, in steps. */
const WAIT_MS = 200;
const STEP_MS = 25;

/** The state once the transcript has caught up, or undefined if nothing came of it. */
function* onceWritten(state: State, asking: Asking): Steps<Witnessed | undefined> {
  const session = own(state.sessions, asking.event.session);
  if (!session || asking.host.readTranscriptLine === undefined || !mayHelp(asking.event, session)) return undefined;
  for (let waited = 0; ; waited += STEP_MS) {
    const found = witnessed(state, asking, true);
    if (found.witness.settled?.seen) return found;
    if (waited >= WAIT_MS || !hasTranscript(asking.event, session)) return undefined;
    yield { do: "wait", ms: STEP_MS };
  }
}

/** A prompt's refill and a cancel matter at the end of a turn only. */
function mayHelp({ name }: HookEvent, { awaiting = [] }: Session): boolean {
  return awaiting.some(({ change }) => name === "Stop" || EVIDENCE.has(change.record));
}

const EVIDENCE: ReadonlySet<string> = new Set(["check", "proof", "ground", "stance", "playbook", "growth"]);

/** What both readings settled, for one record. */
function joined(before: Witnessed, later: Witnessed): Witnessed {
  const [one, two] = [before.witness.settled, later.witness.settled];
  if (!one || !two) return later;
  const seen = [...(one.seen ?? []), ...(two.seen ?? [])];
  const isVoid = [...(one.void ?? []), ...(two.void ?? [])];
  const heard = { ...one.heard, ...two.heard };
  const settled = {
    ...two,
    seen,
    ...(isVoid.length > 0 && { void: isVoid }),
    ...((one.heard ?? two.heard) && { heard }),
  };
  return { ...later, witness: { ...later.witness, settled, gaps: [...before.witness.gaps, ...later.witness.gaps] } };
}
