/** Which process holds the other end of a connection on this machine. From Linux's tables; elsewhere it is not known. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A connection between two processes here, by its two ends; ours is always at `LOOPBACK`. */
export interface Line {
  readonly address: string;
  readonly theirs: number;
  readonly ours: number;
}

const LOOPBACK = "127.0.0.1";

/**
 * The number the kernel gave to their end, or undefined when it cannot be told. A machine has sixteen million loopback
 * addresses, and the port of somebody's line can be taken again at each of them: only one of them counts.
 */
export function socketOf({ address, theirs, ours }: Line): string | undefined {
  if (address !== LOOPBACK) return undefined;
  try {
    const [from, to] = [theirs, ours].map((port) => port.toString(16).toUpperCase().padStart(4, "0"));
    const wanted = new RegExp(`^ *\\d+: 0100007F:${from} 0100007F:${to} .*$`, "m");
    const row = wanted.exec(readFileSync("/proc/net/tcp", "latin1"))?.[0].trim().split(/\s+/);
    return row?.[9];
  } catch {
    return undefined;
  }
}

export function holds(pid: number, socket: string): boolean {
  // A line that has been closed has the number of none.
  if (socket === "0") return false;
  const name = `socket:[${socket}]`;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`) === name);
  } catch {
    // Another user's process, or one that is gone.
    return false;
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
