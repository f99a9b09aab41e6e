/** The hall behind the door: the same law, the same journal, kept warm between events. */
import { dirname } from "node:path";
import { answerFault, type Hall, handle } from "../hook.ts";
import { HARMLESS } from "../hosts/claude-code/hooks.ts";
import { parse } from "../hosts/claude-code/parse.ts";
import { renderOverHttp } from "../hosts/claude-code/render.ts";
import { EVENT_NAMES, type EventName } from "../kernel/event.ts";
import { harmlessOperation, type Operation } from "../kernel/operation.ts";
import { environmentOf, furniture, pinnedPlaces, pinOf } from "../lane.ts";
import type { Session } from "../state/session.ts";
import { openKeeper } from "../store/disk.ts";
import { guarded } from "../store/errno.ts";
import type { Keeper } from "../store/store.ts";
import { snapshot } from "../store/upkeep.ts";
import type { Environment } from "../world/places.ts";
import { holds, type Line, socketOf } from "../world/socket-owner.ts";
import type { GateQuestion } from "./app.ts";

/** An answer must be on its way by then; a warm hall needs a thousandth of it. */
const DEADLINE_MS = 2000;

export interface Warm {
  readonly node: string;
  readonly bundle: string;
  readonly env: Environment;
}

export function warmHall({ node, bundle, env }: Warm): (question: GateQuestion) => string {
  const keeperOf = keepers();
  return ({ event: registeredFor, gate, body, line }) => {
    const harmless = gate === HARMLESS;
    const name = eventOf(registeredFor);
    let current: { name: EventName; operation: Operation | undefined } = {
      name,
      operation: harmless ? harmlessOperation : undefined,
    };
    const theirs = environmentOf(env, pinOf(env, sessionIn(body)));
    const host = { parse, render: renderOverHttp };
    const started = Date.now();
    try {
      const hall: Hall = {
        ...furniture(node, bundle, theirs),
        host,
        env: theirs,
        parentOf: speakerOf(line),
        clock: Date.now,
        deadline: started + DEADLINE_MS,
        placesOf: (cwd, session) =>
          pinnedPlaces(cwd, session, { env: theirs, program: [dirname(bundle), node], now: started, renews: false }),
        storeOf: ({ journal }) => keeperOf(journal),
        onQuestion: (asked, operation) => {
          current = { name: asked, operation };
        },
      };
      return handle({ body, env: theirs, harmless, registeredFor }, hall).stdout;
    } catch (bug) {
      const cause = bug instanceof Error ? bug.message : String(bug);
      return answerFault(current.name, current.operation, "gatehouse", cause, { host, env: theirs }).stdout;
    }
  };
}

/**
 * Only the process that the session is bound to can be recognised by its line. Whoever else holds it, or when it cannot
 * be told, the event is nobody's: it is judged like any other and proves nothing.
 */
function speakerOf(line: Line): (session: Session | undefined) => number {
  return (session) => (session?.client && isHeldBy(line, session.client.pid) ? session.client.pid : 0);
}

/** Looked up once for every line: it costs a walk through the kernel's tables, and a line does not change hands. */
const holders = new WeakMap<Line, Map<number, boolean>>();

function isHeldBy(line: Line, pid: number): boolean {
  const known = holders.get(line) ?? new Map<number, boolean>();
  holders.set(line, known);
  const before = known.get(pid);
  if (before !== undefined) return before;
  const socket = socketOf(line);
  const isHeld = socket !== undefined && holds(pid, socket);
  known.set(pid, isHeld);
  return isHeld;
}

/** Written first by the client, so it can be told without reading a large body twice. */
function sessionIn(body: string): string {
  return /^\s*\{\s*"session_id"\s*:\s*"([\w-]{1,100})"/.exec(body)?.[1] ?? "unknown";
}

function eventOf(given: string): EventName {
  return (EVENT_NAMES as readonly string[]).includes(given) ? (given as EventName) : "PreToolUse";
}

/** Journals that stay open and folded; the one that was not asked for longest is let go. */
const KEEPERS_MAX = 64;

function keepers(): (directory: string) => Keeper {
  const open = new Map<string, Keeper>();
  return (directory) => {
    const keeper = open.get(directory) ?? lasting(directory);
    open.delete(directory);
    open.set(directory, keeper);
    const [oldest] = open.keys();
    if (open.size > KEEPERS_MAX && oldest !== undefined) {
      open.get(oldest)?.close();
      open.delete(oldest);
    }
    return keeper;
  };
}

/** A snapshot is for processes that have just started; this one takes it when nobody waits for an answer. */
const SNAPSHOTS = { snapshotAfter: 256, snapshotChance: 1, snapshotAlwaysAfter: 256 };
const QUIET_MS = 100;

/** A resident process can afford to flush what it keeps before it speaks. */
function lasting(directory: string): Keeper {
  const { journal, ...keeper } = openKeeper({ directory, limits: SNAPSHOTS });
  let quiet: NodeJS.Timeout | undefined;
  return {
    ...keeper,
    append: (body, now) => {
      clearTimeout(quiet);
      quiet = setTimeout(() => void guarded(directory, () => snapshot(journal)), QUIET_MS);
      return keeper.append(body, now, { durable: true });
    },
  };
}
