/** Who called us: the parent process, its start time, and whether an agent's client stands above it. */
import { closeSync, openSync, readSync } from "node:fs";
import { latin1 } from "../kernel/bytes.ts";
import type { Caller } from "../kernel/facts.ts";
import type { Client, Session } from "../state/session.ts";
import type { State } from "../state/state.ts";
import type { Environment } from "./places.ts";

interface Process {
  readonly parent: number;
  readonly started: string;
}

/** A process as it can be known again: its number alone may be another's tomorrow. */
export function processAt(pid: number): Client {
  return { pid, started: lookUp(pid)?.started ?? "" };
}

/** `client` is the process that speaks to us. */
export function callerOf(env: Environment, client: Client, session: Session | undefined, state: State): Caller {
  const bound = session?.client;
  const same = bound !== undefined && bound.pid === client.pid && bound.started === client.started;
  return {
    client,
    isHost: env["CLAUDE_PID"] === String(client.pid),
    // Both need a walk through the process table and matter only for a caller that is not bound yet.
    insideAgent: !same && standsBelowAClient(client.pid, state),
    heldElsewhere: !same && bound !== undefined && session?.endedAt === undefined && isAlive(bound),
  };
}

const ANCESTORS_MAX = 64;

function standsBelowAClient(pid: number, state: State): boolean {
  const clients = Object.values(state.sessions).flatMap(({ client }) => (client ? [client] : []));
  let at = lookUp(pid)?.parent ?? 0;
  for (let steps = 0; at > 1 && steps < ANCESTORS_MAX; steps++) {
    const process = lookUp(at);
    if (!process) return false;
    const pidNow = at;
    if (clients.some((client) => client.pid === pidNow && client.started === process.started)) return true;
    at = process.parent;
  }
  return false;
}

export function isAlive(client: Client): boolean {
  const process = lookUp(client.pid);
  return process !== undefined && process.started === client.started;
}

/** From Linux's process table. Elsewhere only the number of a process is known, and no ancestors. */
export function lookUp(pid: number): Process | undefined {
  try {
    const stat = firstBytes(`/proc/${pid}/stat`);
    // The name stands in brackets and may itself hold brackets and blanks: the fields begin after the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    const parent = Number(fields[1]);
    const started = fields[19];
    // One that has ended and that nobody has asked after yet still stands in the table.
    if (state === "Z" || state === "X") return undefined;
    return Number.isInteger(parent) && started !== undefined ? { parent, started } : undefined;
  } catch {
    return undefined;
  }
}

/** One line of a few hundred bytes: less ado than reading a file of unknown size. */
function firstBytes(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(1024);
    return latin1(bytes, 0, readSync(fd, bytes, 0, bytes.length, null));
  } finally {
    closeSync(fd);
  }
}
