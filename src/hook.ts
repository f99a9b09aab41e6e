/** The hall: parse, gather, decide, keep, render. Once through, never back; what differs by event is in tables. */
import { BASIC_FACTS, judgeCanary } from "./canary.ts";
import { type Unfinished, withFormat } from "./format-after.ts";
import type { Host, Parsed, RawCall, Reply } from "./hosts/host.ts";
import { handoverIfAsked } from "./keep-handover.ts";
import {
  decide,
  faultVerdict,
  policiesFor,
  type Question,
  STRICTNESS,
  standsAfter,
  type Verdict,
} from "./kernel/decide.ts";
import { type EventName, type HookEvent, isAttempt } from "./kernel/event.ts";
import type { Gatehouse, Places } from "./kernel/facts.ts";
import { withoutModes } from "./kernel/fault.ts";
import { leaveStands } from "./kernel/lift.ts";
import { settingsInForce } from "./kernel/loosening.ts";
import { harmlessOperation, type Operation, operationOf } from "./kernel/operation.ts";
import type { Policy } from "./kernel/policy.ts";
import { maskText } from "./kernel/secrets.ts";
import { clip, type Language, languageOf } from "./kernel/text.ts";
import { verdictRecord } from "./kernel/verdict-record.ts";
import { withSnapshot } from "./snapshot-first.ts";
import { own } from "./state/keyed.ts";
import type { FaultRecord } from "./state/record.ts";
import type { Client, Session } from "./state/session.ts";
import type { CheckedSettings } from "./state/settings.ts";
import { isFault, type Keeper, type StoreFault } from "./store/store.ts";
import { trimIfAsked } from "./trim-context.ts";
import { NotRunYet, type RunErrand } from "./world/errand.ts";
import { gather, type Surroundings } from "./world/gather.ts";
import type { ArmingOf } from "./world/host-settings.ts";
import type { Environment } from "./world/places.ts";

/** Everything the hall needs from outside, so that both lanes, the tests and `try` walk through the same one. */
export interface Hall {
  readonly host: Host;
  readonly policies: readonly Policy[];
  readonly env: Environment;
  /** The process that speaks to us: the one that started ours, or that holds the other end of the line. */
  readonly parentOf: (session: Session | undefined) => Client;
  readonly clock: () => number;
  /** On the same clock: by then an answer must be on its way. */
  readonly deadline: number;
  readonly placesOf: (cwd: string, session: string) => Places;
  readonly settingsOf: (places: Places) => CheckedSettings;
  readonly storeOf: (places: Places) => Keeper;
  readonly armingOf: ArmingOf;
  /** SHA-256, whole, in hex: a person's leave is bound to it. */
  readonly digest: (text: string) => string;
  /** How a program is run that a fact needs: at once, or by a lane that comes back with what it said. */
  readonly run?: RunErrand;
  /** How the gatehouse was found, where somebody looked. */
  readonly gatehouse?: Gatehouse;
  /** How the canary is sent; left out, it is judged here. A lane with another gate sends it there. */
  readonly canary?: typeof judgeCanary;
  /** Told when an event has turned out to be the client's own: only then may its surroundings be believed. */
  readonly onBound?: (event: HookEvent, project: string) => void;
  /** Told as soon as it is known what is being decided, so that a deadline can be answered in its terms. */
  readonly onQuestion?: (name: EventName, operation: Operation | undefined) => void;
}

export type { Unfinished } from "./format-after.ts";

export function handle(call: RawCall, hall: Hall): Unfinished {
  const started = hall.clock();
  const parsed = hall.host.parse(call);
  if ("problem" in parsed) return answerUnreadable(parsed, hall);
  const { event } = parsed;
  let operation: Operation | undefined;
  try {
    const places = hall.placesOf(event.cwd, event.session);
    operation = isAttempt(event) ? operationOf(event.tool, { cwd: event.cwd, home: places.home }) : undefined;
    hall.onQuestion?.(event.name, operation);
    return answer(event, operation, places, hall, started);
  } catch (bug) {
    // Before anything was decided or kept, so that walking through again is as good as the first time.
    if (bug instanceof NotRunYet) throw bug;
    return answerFault(event.name, operation, "sekisho", bug instanceof Error ? bug.message : String(bug), hall);
  }
}

function answer(
  event: HookEvent,
  operation: Operation | undefined,
  places: Places,
  hall: Hall,
  started: number,
): Unfinished {
  const { settings: written, problems, custom } = hall.settingsOf(places);
  const store = hall.storeOf(places);
  const read = store.read();
  const session = isFault(read) ? undefined : own(read.sessions, event.session);
  // The ordinary case first: what nobody has set opens nothing and takes nothing away.
  const settings =
    custom.length === 0 && session?.held === undefined ? written : settingsInForce(written, event.name, session);
  const language = languageOf(settings.language, hall.env);
  const law = settings.enabled ? hall.policies : hall.policies.filter(({ evenWhenOff }) => evenWhenOff);
  const asked = policiesFor({ event, operation, facts: { settings } }, law);
  const state = isFault(read) ? { unknown: read.fault } : read;
  const around: Surroundings = {
    ...hall,
    event,
    operation,
    places,
    settings,
    settingsProblems: problems,
    state,
    now: started,
    canaryOf: () => (hall.canary ?? judgeCanary)(around, law),
  };
  const facts = gather([...BASIC_FACTS, ...asked.flatMap(({ needs }) => needs)], around);
  const question: Question = { event, operation, facts };
  const verdict = decide(question, asked);
  if (!verdict.unbound) hall.onBound?.(event, places.project);
  // Opted out, nothing is kept; only that it was said in a session that had not, for from then on it counts.
  const isSaid = session !== undefined && verdict.changes.length > 0;
  if (!settings.enabled && !isSaid) return hall.host.render(event.name, verdict, { language, id: "" });
  const kept = keep(question, verdict, store, { hall, asked, language, started });
  if (kept.id !== "") {
    trimIfAsked(question, kept.verdict, { places, store, started });
    handoverIfAsked(question, kept.verdict, { places, hall, started });
  }
  const reply = hall.host.render(event.name, kept.verdict, { language, id: kept.id });
  const answered = { ...kept, settings, places, language, hall, started };
  const pending = withSnapshot(reply, question, answered);
  return kept.verdict.format === undefined ? pending : withFormat(pending, question, answered);
}

interface Keeping {
  readonly hall: Hall;
  readonly asked: readonly Policy[];
  readonly language: Language;
  readonly started: number;
}

/** Keep, fold, confirm; what comes back is what may be said. */
function keep(question: Question, verdict: Verdict, store: Keeper, keeping: Keeping): Spoken {
  const { event, operation } = question;
  const { hall, language, started } = keeping;
  const { injected } = hall.host.render(event.name, verdict, { language, id: "" });
  const ms = Math.round((hall.clock() - started) * 100) / 100;
  const record = verdictRecord(question, verdict, { language, injected, ms, digest: hall.digest });
  const kept = store.append(record, started, { durable: mustLast(event.name, verdict) });
  if (verdict.lifted && (isFault(kept) || !leaveStands(verdict.lifted, kept.before))) {
    return keepWithoutLeave(question, store, keeping);
  }
  if (isFault(kept)) return { verdict: unkept(event.name, operation, verdict, kept), id: "" };
  for (const { policy, fault, ruling } of verdict.trace) {
    const cause = ruling.decision === "pass" ? (fault ?? ruling.broken) : undefined;
    if (cause !== undefined) store.append(faultRecord(event, policy, cause), started);
  }
  const stops = own(kept.after.sessions, event.session) ?? { refusals: {} };
  const holds = !isStopRefusal(event.name, verdict) || standsAfter(verdict, question, hall.policies, stops);
  return { verdict: holds ? verdict : letGo(verdict), id: kept.rid };
}

/** Another was first to use the grant, the person took it back, or its use could not be kept: as if there were none. */
function keepWithoutLeave(question: Question, store: Keeper, keeping: Keeping): Spoken {
  const { leave: _, ...facts } = question.facts;
  const alone: Question = { ...question, facts };
  return keep(alone, decide(alone, keeping.asked), store, keeping);
}

interface Spoken {
  readonly verdict: Verdict;
  /** The record's id, or empty when nothing could be kept. */
  readonly id: string;
}

/** What a verdict becomes when it cannot be kept: gates shut, Stop lets go, a refusal stays one. */
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

/** Flushed to the disk before we speak: what was refused, what leave was used, and the marks that a turn ends with. */
function mustLast(name: EventName, verdict: Verdict): boolean {
  return verdict.decision !== "pass" || verdict.lifted !== undefined || TURNING_POINTS.has(name);
}

const TURNING_POINTS: ReadonlySet<EventName> = new Set(["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]);

function answerUnreadable(parsed: Extract<Parsed, { problem: string }>, hall: Hall): Reply {
  const operation = parsed.harmless ? harmlessOperation : undefined;
  hall.onQuestion?.(parsed.name, operation);
  try {
    const places = hall.placesOf("", parsed.session);
    const fault: FaultRecord = {
      kind: "fault",
      event: parsed.name,
      session: parsed.session,
      where: "input",
      message: parsed.problem,
      ...(parsed.tool !== undefined && { tool: clip(parsed.tool, 120) }),
    };
    hall.storeOf(places).append(fault, hall.clock());
  } catch (error) {
    // The answer below does not depend on the record, and its cause is told there.
    void error;
  }
  return answerFault(parsed.name, operation, "input", parsed.problem, hall);
}

/** An answer without a decision: what our own failure means at this event. */
export function answerFault(
  name: EventName,
  operation: Operation | undefined,
  where: string,
  fault: string,
  hall: Pick<Hall, "host" | "env">,
): Reply {
  const verdict = faultVerdict(name, operation, where, maskText(clip(fault, 500)));
  return hall.host.render(name, verdict, { language: languageOf("auto", hall.env), id: "" });
}

function faultRecord(event: HookEvent, where: string, message: string): FaultRecord {
  return { kind: "fault", event: event.name, session: event.session, where, message: maskText(clip(message, 500)) };
}
