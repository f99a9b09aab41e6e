/** The hall behind the door: the same law, the same journal, kept warm between events. */
import { dirname, join } from "node:path";
import { answerFault, type Hall, handle, type Unfinished } from "../hook.ts";
import { HARMLESS } from "../hosts/claude-code/hooks.ts";
import { parse } from "../hosts/claude-code/parse.ts";
import { renderOverHttp } from "../hosts/claude-code/render.ts";
import { readTranscriptLine, transcriptOfAgent } from "../hosts/claude-code/transcript.ts";
import { EVENT_NAMES, type EventName } from "../kernel/event.ts";
import { harmlessOperation, type Operation } from "../kernel/operation.ts";
import { furniture, pinnedPlaces } from "../lane.ts";
import { CANARY, type Client, type Session } from "../state/session.ts";
import { processAt } from "../world/caller.ts";
import { NotRunYet } from "../world/errand.ts";
import type { Environment } from "../world/places.ts";
import { holds, type Line, socketOf } from "../world/socket-owner.ts";
import type { GateQuestion } from "./app.ts";
import { snapshotBeside } from "./beside.ts";
import { errandsOfOne, runBeside } from "./errands.ts";
import { keepers } from "./keepers.ts";
import { surroundingsOf } from "./surroundings.ts";
import { withinTime } from "./within-time.ts";

/** An answer must be on its way by then; a warm hall needs a thousandth of it. The supervisor waits longer. */
const DEADLINE_MS = 3000;

/** Beyond this an event gets a watchdog of its own. Below it the supervisor's must do, which ends the whole worker. */
const SHORT_CHARS_MAX = 8192;

export interface Warm {
  readonly node: string;
  readonly bundle: string;
  readonly env: Environment;
}

export function warmHall({ node, bundle, env }: Warm): (question: GateQuestion) => string | Promise<string> {
  const kept = keepers();
  const host = { parse, render: renderOverHttp, readTranscriptLine, transcriptOfAgent };
  const running = { node, bundle };
  const thread = join(dirname(bundle), "snapshot.cjs");
  // Who the client is, is never our own surroundings' word.
  const { CLAUDE_PID: _, ...own } = env;
  const surroundings = surroundingsOf(own);
  return ({ event: registeredFor, gate, body, line }) => {
    const harmless = gate === HARMLESS;
    let current: { name: EventName; operation: Operation | undefined } = {
      name: eventOf(registeredFor),
      operation: harmless ? harmlessOperation : undefined,
    };
    const named = sessionIn(body);
    const isTrial = named === CANARY;
    const { pin, env: theirs } = surroundings(named);
    const started = clock();
    const registered = pin?.program ?? running;
    const pinning = { env: theirs, programs: [running, registered], now: started };
    const errands = errandsOfOne();
    const hall: Hall = {
      ...furniture(running, theirs, registered),
      run: errands.run,
      host,
      env: theirs,
      parentOf: speakerOf(line),
      clock,
      deadline: started + DEADLINE_MS,
      placesOf: (cwd, session) => pinnedPlaces(cwd, session, session === named ? { ...pinning, pin } : pinning),
      storeOf: ({ journal }) => (isTrial ? kept.forTrial(journal) : kept.of(journal)),
      onQuestion: (name, operation) => {
        current = { name, operation };
      },
    };
    const think = (): Unfinished => handle({ body, env: theirs, harmless, registeredFor }, hall);
    const answer = (): string | Promise<string> => {
      try {
        return spoken(watched(think, body), thread);
      } catch (bug) {
        // Others are answered meanwhile; then this event walks through the hall anew.
        if (bug instanceof NotRunYet) return errands.fetch(bug).then(answer);
        kept.forget();
        const cause = bug instanceof Error ? bug.message : String(bug);
        return answerFault(current.name, current.operation, "sekisho", cause, { host, env: theirs }).stdout;
      }
    };
    return answer();
  };
}

/** What must be done before an answer is spoken is done beside us. */
function spoken({ snapshot, format, stdout }: Unfinished, thread: string): string | Promise<string> {
  if (format) return runBeside(format.errand).then((outcome) => format.finish(outcome).stdout);
  if (snapshot === undefined) return stdout;
  return snapshotBeside(thread, snapshot.request).then((outcome) => snapshot.finish(outcome).stdout);
}

/** What is short is quick to read, by the bounds on reading; a watch over it would cost as much as judging it. */
function watched<T>(think: () => T, body: string): T {
  return body.length > SHORT_CHARS_MAX ? withinTime(think, DEADLINE_MS) : think();
}

/** The wall clock, but never backwards within one event: durations and deadlines stay true. */
let latest = 0;

function clock(): number {
  const now = Date.now();
  // A clock that was set back for good is followed again after a while.
  latest = now > latest || latest - now > 1000 ? now : latest;
  return latest;
}

/**
 * Only the process that the session is bound to can be recognised by its line. Whoever else holds it, or when it cannot
 * be told, the event is nobody's: it is judged like any other and proves nothing.
 */
function speakerOf(line: Line): (session: Session | undefined) => Client {
  return (session) => (session?.client && holderOf(line, session.client.pid)) || NOBODY;
}

/** Looked up once for every line: it costs a walk through the kernel's tables, and a line does not change hands. */
const holders = new WeakMap<Line, Client>();

function holderOf(line: Line, pid: number): Client | undefined {
  const before = holders.get(line);
  if (before?.pid === pid) return before;
  const socket = socketOf(line);
  if (socket === undefined || !holds(pid, socket)) return undefined;
  const holder = processAt(pid);
  holders.set(line, holder);
  return holder;
}

const NOBODY: Client = { pid: 0, started: "" };

/** Written first by the client, so it can be told without reading a large body twice. */
function sessionIn(body: string): string {
  return /^\s*\{\s*"session_id"\s*:\s*"([\w-]{1,100})"/.exec(body)?.[1] ?? "unknown";
}

function eventOf(given: string): EventName {
  return (EVENT_NAMES as readonly string[]).includes(given) ? (given as EventName) : "PreToolUse";
}
