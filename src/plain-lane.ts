/** The plain lane: one process per event. Walks through the hall, answers on standard output, and is gone. */

import { writeSync } from "node:fs";
import { Script } from "node:vm";
import { keepCode, type Part } from "./code-cache.ts";
import type { Watched } from "./gatehouse/watch.ts";
import { answerFault, type Hall, handle } from "./hook.ts";
import { deadlineMs, HARMLESS, inputMs } from "./hosts/claude-code/hooks.ts";
import { parse } from "./hosts/claude-code/parse.ts";
import { render } from "./hosts/claude-code/render.ts";
import { readTranscriptLine, transcriptOfAgent } from "./hosts/claude-code/transcript.ts";
import { readPrompt } from "./hosts/claude-code/transcript-prompt.ts";
import type { Reply } from "./hosts/host.ts";
import { EVENT_NAMES, type EventName } from "./kernel/event.ts";
import type { Canary, Gatehouse } from "./kernel/facts.ts";
import { harmlessOperation, type Operation } from "./kernel/operation.ts";
import { afterFormat, afterSnapshot, furniture, pinnedPlaces, pinSurroundings } from "./lane.ts";
import { readInput } from "./stdin.ts";
import { openKeeper } from "./store/disk.ts";
import { processAt } from "./world/caller.ts";

/** What is being decided right now: the terms in which a deadline is answered. */
let current: { name: EventName; operation: Operation | undefined } = { name: "PreToolUse", operation: undefined };

/** What the launcher hands over. */
export interface Launch {
  readonly args: readonly string[];
  /** The program's own file, as the client started it. */
  readonly bundle: string;
  /** Memory to read into. */
  readonly scratch: Buffer;
  /** The bundles loaded so far; the shell's may come to it. */
  readonly parts: readonly Part[];
  /** How the gatehouse was found, at the events that see to it. */
  readonly watched: Watched | undefined;
}

interface Invocation {
  readonly args: readonly string[];
  readonly bundle: string;
  /** All of standard input. */
  readonly body: string;
  readonly gatehouse?: Gatehouse;
}

/** Answers one event on standard output and returns the exit code. */
export function answer({ args, bundle, scratch, parts, watched }: Launch): number {
  const name = eventOf(args[0]);
  const body = readInput(inputMs(name), scratch);
  const invocation = { args, bundle, body, ...(watched && { gatehouse: watched.gatehouse }) };
  const code = isQuick(name, body) ? run(invocation) : withinTime(invocation, deadlineMs(name) - (watched?.ms ?? 0));
  keepCode(parts);
  return code;
}

/** Beyond this, or with a command to be read, an event gets a watchdog. It cannot wake us from a slow disk. */
const QUICK_CHARS_MAX = 8192;

/** Starting a watchdog takes as long as judging an edit: what is short is quick to judge, by the bounds on reading. */
function isQuick(name: EventName, body: string): boolean {
  if (body.length > QUICK_CHARS_MAX) return false;
  return name.startsWith("PostTool") || (name === "PreToolUse" && !body.includes('"command"'));
}

/** An event is never left without any time, also when the clock was set forward meanwhile. */
const TIME_MS_MIN = 1000;

/** A watchdog thread of V8 ends whatever runs too long; then the failure is answered like any other. */
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

/** One event, when its input is there. */
export function run(invocation: Invocation): number {
  const { args, body } = invocation;
  const [registeredFor, gate] = args;
  const harmless = gate === HARMLESS;
  current = { name: eventOf(registeredFor), operation: harmless ? harmlessOperation : undefined };
  // The wall clock, but never backwards within this process: durations and deadlines stay true.
  const origin = Date.now() - elapsedMs();
  const clock = (): number => origin + elapsedMs();
  const started = clock();
  const hall = hallOf(invocation, clock, started);
  try {
    const call = { body, env: process.env, harmless, ...(registeredFor !== undefined && { registeredFor }) };
    return say(afterSnapshot(afterFormat(handle(call, hall), hall.run), invocation.bundle));
  } catch (bug) {
    return fail(bug instanceof Error ? bug.message : String(bug));
  }
}

/** The answer when something stopped us half-way: a deadline, or a mistake of our own. */
function fail(cause: string): number {
  return say(
    answerFault(current.name, current.operation, "sekisho", cause, { host: { parse, render }, env: process.env }),
  );
}

function hallOf({ bundle, gatehouse }: Invocation, clock: () => number, started: number): Hall {
  const { env } = process;
  const program = { node: process.execPath, bundle };
  const pinning = { env, programs: [program], now: started };
  return {
    ...furniture(program, env),
    host: { parse, render, readTranscriptLine, transcriptOfAgent, readPrompt },
    env,
    parentOf: () => processAt(process.ppid),
    clock,
    deadline: started + deadlineMs(current.name),
    placesOf: (cwd, session) => pinnedPlaces(cwd, session, pinning),
    storeOf: (places) => openKeeper({ directory: places.journal }),
    onBound: (event, project) => pinSurroundings(event, project, env, program),
    onQuestion: (name, operation) => {
      current = { name, operation };
    },
    ...(gatehouse && { gatehouse }),
    // Where the gatehouse answers for the tools, it is its gate that must hold.
    ...(gatehouse?.canary && { canary: () => gatehouse.canary as Canary }),
  };
}

/** `performance` would load eleven modules for the same number. */
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
      // A reader that is gone needs no answer; one that is slow gets the rest.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}
