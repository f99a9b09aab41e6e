/** The daemon's hall: the same policies and journal, kept in memory between events. */
import { dirname, join } from "node:path";
import { answerFault, type Hall, handle } from "../../app/hall.ts";
import { performWith } from "../../app/perform.ts";
import { sight, sightingsOf } from "../../app/sighting.ts";
import type { RawCall, Reply } from "../../hosts/host.ts";
import { HARMLESS, WITNESS } from "../../hosts/index.ts";
import { drive, type Watch } from "../../kernel/drive.ts";
import type { Steps } from "../../kernel/effect.ts";
import { EVENT_NAMES, type EventName } from "../../kernel/event.ts";
import { harmlessOperation, type Operation } from "../../reading/operation/operation.ts";
import { CANARY, type HostProcess, type Session } from "../../state/session/session.ts";
import { processAt } from "../../world/machine/caller.ts";
import type { Environment } from "../../world/machine/places.ts";
import { holds, type Line, socketOf } from "../../world/machine/socket-owner.ts";
import { furniture, type Keyed, pinnedPlaces, host as theHost } from "../lane.ts";
import type { GateQuestion } from "./app.ts";
import { copyBeside } from "./copies.ts";
import type { Keepers } from "./keepers.ts";
import { programsOfOne } from "./programs.ts";
import type { Sightings } from "./sightings.ts";
import { surroundingsOf } from "./surroundings.ts";
import type { Telling } from "./telling.ts";
import { withinTime } from "./within-time.ts";

/** The deadline for an answer; a warm hall needs about a thousandth of it. The supervisor's limit is longer. */
const DEADLINE_MS = 3000;

/**
 * Longer events run under their own timeout. For shorter ones only the supervisor's timeout applies, which ends the
 * whole worker.
 */
const SHORT_CHARS_MAX = 8192;

export interface Warm {
  readonly node: string;
  readonly bundle: string;
  readonly env: Environment;
  readonly kept: Keepers;
  readonly seen: Pick<Sightings, "of" | "see">;
  /** Called with what must outlive this worker. */
  readonly onSighted: Telling["about"];
}

export function warmHall({
  node,
  bundle,
  env,
  kept,
  seen,
  onSighted,
}: Warm): (question: GateQuestion) => string | Promise<string> {
  const host = { ...theHost, render: theHost.renderOverHttp };
  const running = { node, bundle };
  const thread = join(dirname(bundle), "snapshot.cjs");
  // The daemon's own environment must not identify the host.
  const { [host.layout.variables.process]: _, ...own } = env;
  const surroundings = surroundingsOf(own);
  return ({ event: registeredFor, gate, body, line, key }) => {
    const harmless = gate === HARMLESS;
    let current: { name: EventName; operation: Operation | undefined } = {
      name: eventOf(registeredFor),
      operation: harmless ? harmlessOperation : undefined,
    };
    const named = host.sessionIn(body);
    const isCanary = named === CANARY;
    const { pin, env: theirs } = surroundings(named);
    const started = clock();
    const speaker = speakerOf(line);
    const registered = { ...(pin?.program ?? running), key };
    const pinning = { env: theirs, programs: [running, registered], now: started };
    const hall: Hall & Keyed = {
      ...furniture(running, theirs, registered),
      host,
      env: theirs,
      isEnvPinned: true,
      parentOf: speaker,
      isChannel: true,
      sightedOf: seen.of,
      onJudged: (event, changes, state, settings) => {
        const now = { known: seen.of(event.session).bonds, parentOf: speaker, now: started };
        const noted = sightingsOf({ event, changes, state, settings, ...now });
        if (noted) onSighted(seen.see(event.session, noted), noted.isUrgent);
      },
      clock,
      deadline: started + DEADLINE_MS,
      placesOf: (cwd, session) => pinnedPlaces(cwd, session, session === named ? { ...pinning, pin } : pinning),
      onQuestion: (name, operation) => {
        current = { name, operation };
      },
    };
    const perform = performWith({
      storeOf: (journal) => (isCanary ? kept.forCanary(journal, hall.key) : kept.of(journal, hall.key)),
      run: programsOfOne(),
      copy: (request) => copyBeside(thread, request),
      wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    });
    const fail = (bug: unknown): string => {
      kept.forget();
      const cause = bug instanceof Error ? bug.message : String(bug);
      return answerFault(current.name, current.operation, "sekisho", cause, { host, env: theirs }).stdout;
    };
    try {
      const call = { body, env: theirs, harmless, registeredFor };
      const steps = gate === WITNESS ? witnessing(call, hall) : handle(call, hall);
      const reply = drive(steps, perform, watchFor(body));
      return reply instanceof Promise ? reply.then(({ stdout }) => stdout).catch(fail) : reply.stdout;
    } catch (bug) {
      return fail(bug);
    }
  };
}

/** The process beside this hook answers; this one has nothing to say. What ends with a turn is judged here too. */
function* witnessing(call: RawCall, hall: Hall): Steps<Reply> {
  if (call.registeredFor === "Stop") return yield* handle(call, { ...hall, isWitness: true });
  yield* sight(call, hall);
  return { exitCode: 0, stdout: "", stderr: "" };
}

/** A short body is quick to read, by the limits on reading; a watchdog would cost as much as judging it. */
function watchFor(body: string): Watch | undefined {
  return body.length > SHORT_CHARS_MAX ? (stretch) => withinTime(stretch, DEADLINE_MS) : undefined;
}

/** The wall clock, but never going backwards within one event, so that durations and deadlines stay correct. */
let latest = 0;

function clock(): number {
  const now = Date.now();
  // A clock that was set back permanently is accepted again.
  latest = now > latest || latest - now > 1000 ? now : latest;
  return latest;
}

/**
 * Only the process that the session is bound to can be recognised by its connection. Otherwise the event is unbound:
 * judged normally, but no evidence.
 */
function speakerOf(line: Line): (session: Session | undefined) => HostProcess {
  return (session) => (session?.client && holderOf(line, session.client.pid)) || NOBODY;
}

/** Cached per connection: the lookup walks kernel tables, and a connection does not change its owner. */
const holders = new WeakMap<Line, HostProcess>();

function holderOf(line: Line, pid: number): HostProcess | undefined {
  const before = holders.get(line);
  if (before?.pid === pid) return before;
  const socket = socketOf(line);
  if (socket === undefined || !holds(pid, socket)) return undefined;
  const holder = processAt(pid);
  holders.set(line, holder);
  return holder;
}

const NOBODY: HostProcess = { pid: 0, started: "" };

function eventOf(given: string): EventName {
  return (EVENT_NAMES as readonly string[]).includes(given) ? (given as EventName) : "PreToolUse";
}
