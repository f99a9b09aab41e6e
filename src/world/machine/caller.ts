/** Identifies the caller: the parent process, its start time, and whether a coding agent is among its ancestors. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Caller } from "../../kernel/facts.ts";
import { latin1 } from "../../lib/bytes.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import type { HostLayout } from "../host-layout.ts";
import type { Environment } from "./places.ts";

interface Process {
  readonly parent: number;
  readonly started: string;
}

/** A process is identified by pid and start time, because pids are reused. */
export function processAt(pid: number): HostProcess {
  return { pid, started: lookUp(pid)?.started ?? "", ...(boot() && { boot: boot() }) };
}

let knownBoot: string | undefined;

/** Identifies the current start of the machine. Empty where that is unknown. */
function boot(): string {
  knownBoot ??= bootId();
  return knownBoot;
}

const BOOT_LENGTH = 8;

function bootId(): string {
  try {
    return firstBytes("/proc/sys/kernel/random/boot_id").slice(0, BOOT_LENGTH);
  } catch {
    return "";
  }
}

/** Whether the process was started since the machine was, so that its start time can be compared with others. */
export function isOfThisBoot(process: HostProcess): boolean {
  return process.boot === undefined ? isAlive(process) : process.boot === boot();
}

/** `speaker` is the process that sent the event (the host, or a process posing as it). */
export function callerOf(
  { variables }: HostLayout,
  env: Environment,
  speaker: HostProcess,
  session: Session | undefined,
  state: State,
): Caller {
  const bound = session?.client;
  const same = bound !== undefined && bound.pid === speaker.pid && bound.started === speaker.started;
  return {
    process: speaker,
    isHost: env[variables.process] === String(speaker.pid),
    // Both walk the process table and matter only for a caller that is not bound to the session yet.
    insideAgent: !same && standsBelowAHost(speaker.pid, state),
    // Also after its end: a child of the host can report one that never was, and hand the session to another process.
    heldElsewhere: !same && bound !== undefined && isAlive(bound),
  };
}

/** The processes that sessions are bound to. */
export function hostProcesses({ sessions }: Pick<State, "sessions">): readonly HostProcess[] {
  return Object.values(sessions).flatMap(({ client }) => (client ? [client] : []));
}

const ANCESTORS_MAX = 64;

function standsBelowAHost(pid: number, state: State): boolean {
  const hosts = hostProcesses(state);
  let at = lookUp(pid)?.parent ?? 0;
  for (let steps = 0; at > 1 && steps < ANCESTORS_MAX; steps++) {
    const process = lookUp(at);
    if (!process) return false;
    const pidNow = at;
    if (hosts.some((host) => host.pid === pidNow && host.started === process.started)) return true;
    at = process.parent;
  }
  return false;
}

export function isAlive({ pid, started }: HostProcess): boolean {
  return lookUp(pid)?.started === started;
}

/** From Linux's process table. On other systems only the pid is known, and no ancestors. */
export function lookUp(pid: number): Process | undefined {
  try {
    const stat = firstBytes(`/proc/${pid}/stat`);
    // The process name is in parentheses and may contain parentheses and spaces, so the fields start after the last
    // `)`.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    const parent = Number(fields[1]);
    const started = fields[19];
    // A zombie is still in the table but has ended.
    if (state === "Z" || state === "X") return undefined;
    return Number.isInteger(parent) && started !== undefined ? { parent, started } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The file is one line of a few hundred bytes: a fixed buffer is cheaper than `readFileSync` on a file of unknown size.
 */
function firstBytes(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(1024);
    return latin1(bytes, 0, readSync(fd, bytes, 0, bytes.length, null));
  } finally {
    closeSync(fd);
  }
}
