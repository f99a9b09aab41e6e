/** The plain lane: one process per event. Handles the event, answers on standard output, and exits. */

import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { sightedFrom } from "../../app/channel.ts";
import { answerFault, type Hall, handle } from "../../app/hall.ts";
import { performWith } from "../../app/perform.ts";
import type { Seen } from "../../daemon/challenge.ts";
import type { Reply } from "../../hosts/host.ts";
import { HARMLESS } from "../../hosts/index.ts";
import { driveNow } from "../../kernel/drive.ts";
import { EVENT_NAMES, type EventName } from "../../kernel/event.ts";
import type { Canary, Gatehouse } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { harmlessOperation, type Operation } from "../../reading/operation/operation.ts";
import { processAt } from "../../world/machine/caller.ts";
import type { Watched } from "../gatehouse/watch.ts";
import { furniture, host, type Keyed, meansAtOnce, pinnedPlaces, pinSurroundings } from "../lane.ts";
import { keepCode, type Part } from "./code-cache.ts";
import { readInput } from "./stdin.ts";

/** The event being decided, used for the answer at the deadline. */
let current: { name: EventName; operation: Operation | undefined } = { name: "PreToolUse", operation: undefined };

/** The arguments from the launcher. */
export interface Launch {
  readonly args: readonly string[];
  /** The program's own file, as the host started it. */
  readonly bundle: string;
  /** Buffer for reading. */
  readonly scratch: Buffer;
  /** The bundles loaded so far; the shell bundle may be added later. */
  readonly parts: readonly Part[];
  /** The state of the daemon, at the events that check it. */
  readonly watched: Watched | undefined;
  /** The person's key, as the hook names it. */
  readonly key?: string | undefined;
}

interface Invocation {
  readonly args: readonly string[];
  readonly bundle: string;
  /** All of standard input. */
  readonly body: string;
  readonly gatehouse?: Gatehouse;
  readonly seen?: Seen;
  readonly key?: string | undefined;
}

/** Answers one event on standard output and returns the exit code. */
export function answer({ args, bundle, scratch, parts, watched, key }: Launch): number {
  const name = eventOf(args[0]);
  const body = readInput(host.inputMs(name), scratch);
  const { gatehouse, seen } = watched ?? {};
  const invocation = { args, bundle, body, key, ...(gatehouse && { gatehouse }), ...(seen && { seen }) };
  const code = isQuick(name, body)
    ? run(invocation)
    : withinTime(invocation, host.deadlineMs(name) - (watched?.ms ?? 0));
  keepCode(parts);
  return code;
}

/**
 * Longer events, and events with a command to parse, run under a watchdog. The watchdog cannot interrupt a slow disk.
 */
const QUICK_CHARS_MAX = 8192;

/**
 * Starting a watchdog costs as much as judging an edit, and a short input is quick to judge because parsing is bounded.
 */
function isQuick(name: EventName, body: string): boolean {
  if (body.length > QUICK_CHARS_MAX) return false;
  return name.startsWith("PostTool") || (name === "PreToolUse" && !host.mayHoldCommand(body));
}

/** The minimum time for an event, even if the clock was set forward meanwhile. */
const TIME_MS_MIN = 1000;

/** V8's watchdog thread terminates code that runs too long; the timeout is then answered like any other failure. */
function withinTime(invocation: Invocation, timeMs: number): number {
  let code = 2;
  const key = "__sekisho";
  Object.defineProperty(globalThis, key, {
    value: () => {
      code = run(invocation);
    },
  });
  try {
    new Script(`${key}()`).runInThisContext({ timeout: Math.max(TIME_MS_MIN, timeMs) });
    return code;
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return fail(isLate ? "the internal deadline was reached" : String(error));
  }
}

/** Handles one event once its input is complete. */
export function run(invocation: Invocation): number {
  const { args, body } = invocation;
  const [registeredFor, gate] = args;
  const harmless = gate === HARMLESS;
  current = { name: eventOf(registeredFor), operation: harmless ? harmlessOperation : undefined };
  // The wall clock, but monotonic within this process, so that durations and deadlines stay correct.
  const origin = Date.now() - elapsedMs();
  const clock = (): number => origin + elapsedMs();
  const started = clock();
  const hall = hallOf(invocation, clock, started);
  try {
    const call = { body, env: process.env, harmless, ...(registeredFor !== undefined && { registeredFor }) };
    return say(driveNow(handle(call, hall), performWith(meansAtOnce(invocation.bundle, hall.key))));
  } catch (bug) {
    return fail(bug instanceof Error ? bug.message : String(bug));
  }
}

/** The answer after an interruption: a deadline or a bug. */
function fail(cause: string): number {
  return say(answerFault(current.name, current.operation, "sekisho", cause, { host, env: process.env }));
}

function hallOf({ bundle, gatehouse, seen, key }: Invocation, clock: () => number, started: number): Hall & Keyed {
  const { env } = process;
  const program = { node: process.execPath, bundle, key };
  const pinning = { env, programs: [program], now: started };
  return {
    ...furniture(program, env),
    env,
    parentOf: () => processAt(process.ppid),
    clock,
    deadline: started + host.deadlineMs(current.name),
    placesOf: (cwd, session) => pinnedPlaces(cwd, session, pinning),
    onBound: (event, project) => pinSurroundings(event, project, env, program),
    onQuestion: (name, operation) => {
      current = { name, operation };
    },
    ...(gatehouse && { gatehouse }),
    ...(seen && { sightedOf: (session) => sightedFrom(seen.since, own(seen.of, session) ?? []) }),
    // If the daemon answers for the tools, the canary must test the daemon's gate.
    ...(gatehouse?.canary && { canary: () => gatehouse.canary as Canary }),
  };
}

/** `performance` would load eleven modules for the same value. */
function elapsedMs(): number {
  return process.uptime() * 1000;
}

function eventOf(given: string | undefined): EventName {
  return (EVENT_NAMES as readonly string[]).includes(given ?? "") ? (given as EventName) : "PreToolUse";
}

function say({ exitCode, stdout, stderr }: Reply): number {
  writeAll(1, stdout);
  writeAll(2, stderr);
  return exitCode;
}

function writeAll(fd: 1 | 2, text: string): void {
  if (text === "") return;
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      // A closed reader needs no answer; for a slow reader the rest is written again.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}
