/** The hall: parse, read, judge, append, do the jobs, render. Once through; what differs by event is in tables. */
import type { Host, Parsed, RawCall, Reply } from "../hosts/host.ts";
import { doJob, policyOf } from "../jobs/index.ts";
import type { JobResult } from "../jobs/job.ts";
import { decide, faultVerdict, type Question, STRICTNESS, standsAfter, type Verdict } from "../kernel/decide.ts";
import type { Steps } from "../kernel/effect.ts";
import { type EventName, type HookEvent, isAttempt } from "../kernel/event.ts";
import type { Gatehouse, KeyFileState, Places } from "../kernel/facts.ts";
import { withoutModes } from "../kernel/fault.ts";
import type { Job } from "../kernel/job.ts";
import { actionBehind, leaveStands, needsGrant } from "../kernel/lift.ts";
import { settingsInForce } from "../kernel/loosening.ts";
import type { Policy } from "../kernel/policy.ts";
import { verdictRecord } from "../kernel/verdict-record.ts";
import { own } from "../lib/keyed.ts";
import { maskText } from "../lib/secrets.ts";
import { clip, type Language, languageOf } from "../lib/text.ts";
import { harmlessOperation, type Operation, operationOf } from "../reading/operation/operation.ts";
import type { Change } from "../state/change.ts";
import type { FaultRecord } from "../state/record.ts";
import type { HostProcess, Session } from "../state/session/session.ts";
import type { CheckedSettings, Settings } from "../state/settings/settings.ts";
import type { Action } from "../state/signed-action.ts";
import { type State, sessionOf } from "../state/state.ts";
import { isFault, type StoreFault } from "../store/store.ts";
import type { ArmingOf } from "../world/facts/host-settings.ts";
import type { Surroundings } from "../world/gather.ts";
import type { Environment } from "../world/machine/places.ts";
import type { ReadYaml } from "../world/yaml.ts";
import { judgeCanary } from "./canary.ts";
import type { AskingChannel } from "./channel.ts";
import { type Judged, judge } from "./judge.ts";
import { append, readState } from "./perform.ts";
import { aside, type Known, knownBefore, seenSince } from "./witness.ts";

/** Everything the hall is told from outside, so that both lanes, the tests and `try` use the same one. */
export interface Hall {
  readonly host: Host;
  /** The policies that listen to an event; with settings, only those whose feature is in use. */
  readonly policiesOn: (name: EventName, settings?: Settings) => readonly Policy[];
  readonly env: Environment;
  /** The environment is the one of the session's start, because the event came without one. */
  readonly isEnvPinned?: boolean;
  /** The process that speaks to us: our parent, or the one at the other end of the connection. */
  readonly parentOf: (session: Session | undefined) => HostProcess;
  /** The event came over a connection, and `parentOf` names the process that holds its other end. */
  readonly isChannel?: boolean;
  readonly sightedOf?: NonNullable<AskingChannel["sightedOf"]>;
  /** Called with what the host's own event changes. */
  readonly onJudged?: (event: HookEvent, changes: readonly Change[], state: State, settings: Settings) => void;
  /** A process beside this hall answers and records the event; here it is only judged. */
  readonly isWitness?: true;
  readonly clock: () => number;
  /** On the same clock: the answer must be on its way by then. */
  readonly deadline: number;
  readonly placesOf: (cwd: string, session: string) => Places;
  readonly settingsOf: (places: Places) => CheckedSettings;
  readonly armingOf: ArmingOf;
  /** Reads YAML of other tools. */
  readonly readYaml?: ReadYaml;
  /** SHA-256 in hex. A grant is bound to the digest of one tool use. */
  readonly digest: (text: string) => string;
  /** Whether a person signed what lets an action pass in the project of that journal. Without it nobody is asked. */
  readonly vouches?: (journal: string, record: Action | undefined) => boolean;
  /** How the file with the person's key compares with the key that the hooks name. */
  readonly keyFile?: () => KeyFileState;
  /** How the daemon was found, where somebody looked. */
  readonly gatehouse?: Gatehouse;
  /** How the canary is judged; by default here. A lane with another gate sends the canary there. */
  readonly canary?: typeof judgeCanary;
  /** Called when the event turned out to come from the host's own process: only then its environment can be trusted. */
  readonly onBound?: (event: HookEvent, project: string) => void;
  /** Called as soon as it is known what is decided, so that a missed deadline can be answered in its terms. */
  readonly onQuestion?: (name: EventName, operation: Operation | undefined) => void;
}

/** One event on its way through the hall. */
interface Visit {
  readonly hall: Hall;
  readonly places: Places;
  readonly settings: Settings;
  readonly language: Language;
  readonly started: number;
}

export function* handle(call: RawCall, hall: Hall): Steps<Reply> {
  const started = hall.clock();
  const parsed = hall.host.parse(call);
  if ("problem" in parsed) return yield* answerUnreadable(parsed, hall);
  const { event } = parsed;
  let operation: Operation | undefined;
  try {
    const places = hall.placesOf(event.cwd, event.session);
    operation = isAttempt(event) ? operationOf(event.tool, { cwd: event.cwd, home: places.home }) : undefined;
    hall.onQuestion?.(event.name, operation);
    return yield* answer(event, operation, places, hall, started);
  } catch (bug) {
    return answerFault(event.name, operation, "sekisho", bug instanceof Error ? bug.message : String(bug), hall);
  }
}

function* answer(
  event: HookEvent,
  operation: Operation | undefined,
  places: Places,
  hall: Hall,
  started: number,
): Steps<Reply> {
  const read = yield* readState(places.journal);
  if (isFault(read)) return yield* answerFrom({ fault: read }, event, operation, places, hall, started);
  const known = yield* knownBefore(read, { ...hall, places, event, now: started });
  return yield* answerFrom(known, event, operation, places, hall, started);
}

function* answerFrom(
  known: Known,
  event: HookEvent,
  operation: Operation | undefined,
  places: Places,
  hall: Hall,
  started: number,
): Steps<Reply> {
  const { settings: written, problems, custom } = hall.settingsOf(places);
  const read = "fault" in known ? known.fault : known.state;
  const session = isFault(read) ? undefined : sessionOf(read, event.session);
  const isPlain = custom.length === 0 && !session?.pins?.some(({ values }) => Object.keys(values).length > 0);
  // Defaults loosen nothing, so there is nothing to withhold from a running session.
  const settings = isPlain ? written : settingsInForce(written, event.name, session, hall.parentOf(session));
  const visit: Visit = { hall, places, settings, language: languageOf(settings.language, hall.env), started };
  const policiesOn = (name: EventName): readonly Policy[] =>
    hall.policiesOn(name, settings).filter(({ evenWhenOff }) => settings.enabled || evenWhenOff);
  const around: Surroundings = {
    ...hall,
    event,
    operation,
    places,
    settings,
    written,
    settingsProblems: problems,
    state: isFault(read) ? { unknown: read.fault } : read,
    ...aside(known),
    now: started,
    canaryOf: () => (hall.canary ?? judgeCanary)(around, policiesOn("PreToolUse")),
  };
  const judged = yield* judge(around, policiesOn(event.name));
  // Before the transcript is read again: what passes by a signature that is none may still pass by evidence.
  const { question, asked, verdict } = isVouched(judged.verdict, read, visit) ? judged : withoutLeave(judged);
  if (hall.isWitness) return sighted(event, verdict, read, visit);
  const later = yield* seenSince(known, verdict, { ...hall, places, event, now: started });
  if (later) return yield* answerFrom(later, event, operation, places, hall, started);
  if (!verdict.unbound) hall.onBound?.(event, places.project);
  sighted(event, verdict, read, visit);
  // A project that has opted out leaves no records, except the change that opted it out in a session that knew us.
  const isSaid = session !== undefined && verdict.changes.length > 0;
  if (!settings.enabled && !isSaid) return render(event.name, verdict, "", visit);
  const kept = yield* keep(question, verdict, asked, visit);
  const final = kept.id === "" ? kept.verdict : yield* withJobs(question, kept.verdict, visit);
  return render(event.name, final, kept.id, visit);
}

/** Tells the daemon what the host's own event changes. A witness answers nothing. */
function sighted(event: HookEvent, verdict: Verdict, state: State | StoreFault, { hall, settings }: Visit): Reply {
  if (!verdict.unbound && !isFault(state)) hall.onJudged?.(event, verdict.changes, state, settings);
  return { exitCode: 0, stdout: "", stderr: "" };
}

/** A snapshot may have been forged, so a signature is verified again when something passes by it. */
function isVouched({ lifted = [] }: Verdict, state: State | StoreFault, { hall, places }: Visit): boolean {
  const { vouches } = hall;
  if (!vouches || lifted.length === 0 || isFault(state)) return true;
  const ways = [...new Set(lifted.map(({ by }) => by))].filter(needsGrant);
  return ways.every((by) => vouches(places.journal, actionBehind(by, state)));
}

function render(name: EventName, verdict: Verdict, id: string, { hall, language }: Visit): Reply {
  return hall.host.render(name, verdict, { language, id });
}

/** The number of our characters that reach the agent as context. */
function injectedBy(name: EventName, verdict: Verdict, { hall, language }: Visit): number {
  return hall.host.context(name, verdict, language).length;
}

interface Spoken {
  readonly verdict: Verdict;
  /** The record's id, or empty when nothing was recorded. */
  readonly id: string;
}

/** Appends the verdict and confirms it against the state after it; the result is what may be said. */
function* keep(question: Question, verdict: Verdict, asked: readonly Policy[], visit: Visit): Steps<Spoken> {
  const { event, operation } = question;
  const { hall, places, language, started } = visit;
  const { digest } = hall;
  const injected = injectedBy(event.name, verdict, visit);
  const ms = Math.round((hall.clock() - started) * 100) / 100;
  const record = verdictRecord(question, verdict, { language, injected, ms, digest });
  const adding = { journal: places.journal, now: started };
  const kept = yield* append(record, { ...adding, durable: mustLast(event.name, verdict) });
  if (verdict.lifted && (isFault(kept) || !leaveStands(verdict.lifted, kept.before))) {
    const alone = withoutLeave({ question, asked });
    return yield* keep(alone.question, alone.verdict, asked, visit);
  }
  if (isFault(kept)) return { verdict: unkept(event.name, operation, verdict, kept), id: "" };
  for (const { policy, fault, ruling } of verdict.trace) {
    const cause = ruling.decision === "pass" ? (fault ?? ruling.broken) : undefined;
    if (cause !== undefined) yield* append(faultRecord(event, policy, cause), adding);
  }
  const stops = own(kept.after.sessions, event.session) ?? { refusals: {} };
  const holds =
    !isStopRefusal(event.name, verdict) || standsAfter(verdict, question, hall.policiesOn(event.name), stops);
  return { verdict: holds ? verdict : letGo(verdict), id: kept.rid };
}

/**
 * The grant was not signed by the person, or used by another event first, or revoked, or its use could not be kept: decide
 * as if there were none.
 */
function withoutLeave({ question, asked }: Pick<Judged, "question" | "asked">): Judged {
  const { leave: _, ...facts } = question.facts;
  const alone: Question = { ...question, facts };
  return { question: alone, asked, verdict: decide(alone, asked) };
}

/** The verdict with the notes of its jobs. A job that fails leaves a fault record and changes nothing else. */
function* withJobs(question: Question, verdict: Verdict, visit: Visit): Steps<Verdict> {
  let told = verdict;
  for (const job of verdict.jobs ?? []) {
    const result = yield* resultOf(job, question, verdict, visit);
    const note = yield* keptNote(result, question.event.name, told, visit);
    if (note) told = { ...told, notes: [...told.notes, note] };
  }
  return told;
}

function* resultOf(job: Job, question: Question, verdict: Verdict, visit: Visit): Steps<JobResult> {
  const { hall, places, settings, started } = visit;
  const { host, env, clock, deadline } = hall;
  try {
    return yield* doJob(job, { question, verdict, settings, places, host, env, clock, deadline, started });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { record: faultRecord(question.event, policyOf(job), message) };
  }
}

/** Keeps the job's record, with the size of its note, and returns the note that may be told. */
function* keptNote(result: JobResult, name: EventName, told: Verdict, visit: Visit): Steps<JobResult["note"]> {
  const { note, record, noteUnkept } = result;
  if (!record) return note;
  const injected = note ? injectedBy(name, { ...told, notes: [...told.notes, note] }, visit) : 0;
  const more = injected - (note ? injectedBy(name, told, visit) : 0);
  const { places, started } = visit;
  const kept = yield* append(
    { ...record, ...(more > 0 && { injected: more }) },
    { journal: places.journal, now: started },
  );
  return isFault(kept) ? (noteUnkept ?? note) : note;
}

/** A verdict that cannot be kept: gates shut, a Stop is let through, a refusal stays one. */
function unkept(name: EventName, operation: Operation | undefined, verdict: Verdict, { fault }: StoreFault): Verdict {
  if (isStopRefusal(name, verdict)) return letGo(verdict);
  const failed = faultVerdict(name, operation, "journal", fault);
  return STRICTNESS[failed.decision] > STRICTNESS[verdict.decision] ? failed : withoutModes(verdict, fault);
}

function isStopRefusal(name: EventName, verdict: Verdict): boolean {
  return (name === "Stop" || name === "SubagentStop") && verdict.decision !== "pass";
}

function letGo(verdict: Verdict): Verdict {
  return { ...verdict, decision: "pass", objections: [], changes: [] };
}

/** Flushed to the disk before the answer: refusals, questions, used grants, and the beginning and end of a turn. */
function mustLast(name: EventName, verdict: Verdict): boolean {
  return verdict.decision !== "pass" || verdict.lifted !== undefined || TURNING_POINTS.has(name);
}

const TURNING_POINTS: ReadonlySet<EventName> = new Set(["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]);

function* answerUnreadable(parsed: Extract<Parsed, { problem: string }>, hall: Hall): Steps<Reply> {
  const operation = parsed.harmless ? harmlessOperation : undefined;
  hall.onQuestion?.(parsed.name, operation);
  try {
    const { journal } = hall.placesOf("", parsed.session);
    const fault: FaultRecord = {
      kind: "fault",
      event: parsed.name,
      session: parsed.session,
      where: "input",
      message: maskText(parsed.problem),
      ...(parsed.tool !== undefined && { tool: clip(maskText(parsed.tool), 120) }),
    };
    yield* append(fault, { journal, now: hall.clock() });
  } catch (error) {
    // The answer names the problem too, and does not depend on the record.
    void error;
  }
  return answerFault(parsed.name, operation, "input", parsed.problem, hall);
}

/** The answer when Sekisho itself fails at this event. */
export function answerFault(
  name: EventName,
  operation: Operation | undefined,
  where: string,
  fault: string,
  hall: Pick<Hall, "host" | "env">,
): Reply {
  const verdict = faultVerdict(name, operation, where, clip(maskText(fault), 500));
  return hall.host.render(name, verdict, { language: languageOf("auto", hall.env), id: "" });
}

function faultRecord(event: HookEvent, where: string, message: string): FaultRecord {
  return { kind: "fault", event: event.name, session: event.session, where, message: clip(maskText(message), 500) };
}
