/** Hooks of the plain lane check whether the daemon is up and restart it if needed. */

import type { Seen } from "../../daemon/challenge.ts";
import { type Probe, probeGatehouse } from "../../daemon/probe.ts";
import { startGatehouse } from "../../daemon/start.ts";
import type { Gatehouse } from "../../kernel/facts.ts";
import { readDoor } from "../../store/door.ts";
import { type Environment, stateRoot } from "../../world/machine/places.ts";
import { filesOnFastLane } from "./astray.ts";
import { sendCanary } from "./canary.ts";
import type * as FallBack from "./fall-back.ts";

// Built as CommonJS; `require` belongs to the built file.
declare const require: NodeJS.Require;

interface Program {
  readonly node: string;
  readonly bundle: string;
}

/** The event itself must still be judged within the host's timeout. */
const WATCH_MS_MAX = 4000;
const PROBE_MS_MAX = 1500;

export interface Watched {
  readonly gatehouse: Gatehouse;
  /** What the daemon saw of this host's sessions, if it is up. */
  readonly seen?: Seen;
  /** The time spent, which counts against this event. */
  readonly ms: number;
}

/** Catches every error, so that the event is answered in any case. */
export async function watched(env: Environment, program: Program, event: string): Promise<Watched> {
  const started = Date.now();
  const found = await watch(env, program, event).catch(
    (error: unknown): Found => ({ gatehouse: { found: "down", now: "down", detail: String(error) } }),
  );
  return { ...found, ms: Date.now() - started };
}

/** Bounded in time; problems are reported in the result. */
async function watch(env: Environment, program: Program, event: string): Promise<Found> {
  const found = await seeTo(env, program);
  const door = readDoor(stateRoot(env));
  if (event !== "SessionStart" || found.gatehouse.now !== "up" || !door) return found;
  return { gatehouse: { ...found.gatehouse, canary: await sendCanary(door, process.cwd(), PROBE_MS_MAX) } };
}

type Found = Omit<Watched, "ms">;

async function seeTo(env: Environment, program: Program): Promise<Found> {
  let probe: Probe = { state: "down", detail: "nobody could look for it" };
  try {
    if (ledElsewhere(env, program)) return { gatehouse: ELSEWHERE };
    probe = await probeGatehouse(env, { timeoutMs: PROBE_MS_MAX, host: process.ppid });
    const { state, detail, seen } = probe;
    if (state === "up") return { gatehouse: { found: "up", now: "up", detail: "" }, ...(seen && { seen }) };
    const started = await start(env, program, probe);
    if (started.ok) return { gatehouse: { found: state, now: "up", detail } };
    const moved = fallBack(filesOnFastLane(env, process.cwd()), program);
    return { gatehouse: { found: state, now: moved.length > 0 ? "plain" : "down", detail: started.reason } };
  } catch (error) {
    return { gatehouse: { found: probe.state, now: "down", detail: messageOf(error) } };
  }
}

/** Errors, such as a read-only state directory, become a reason in the result. */
async function start(env: Environment, program: Program, before: Probe): ReturnType<typeof startGatehouse> {
  try {
    return await startGatehouse(env, program, { before, withinMs: WATCH_MS_MAX - PROBE_MS_MAX });
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** Moves hooks back to the plain lane if they call another endpoint than the daemon's. */
function ledElsewhere(env: Environment, program: Program): boolean {
  const door = readDoor(stateRoot(env));
  return door !== undefined && fallBack(filesOnFastLane(env, process.cwd(), door), program).length > 0;
}

/** Loaded on demand: rewriting settings needs much code and is rarely necessary. */
function fallBack(paths: readonly string[], program: Program): readonly string[] {
  if (paths.length === 0) return [];
  const { moveToPlain } = require("./fall-back.cjs") as typeof FallBack;
  return moveToPlain(paths, program);
}

const ELSEWHERE: Gatehouse = {
  found: "stranger",
  now: "plain",
  detail: "the hooks led to another door than the gatehouse's",
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
