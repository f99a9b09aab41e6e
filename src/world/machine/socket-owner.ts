/** Finds the process at the other end of a local connection, from Linux's tables. Unknown on other systems. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A local connection by its two ports; our end is always at `LOOPBACK`. */
export interface Line {
  readonly address: string;
  readonly theirs: number;
  readonly ours: number;
}

const LOOPBACK = "127.0.0.1";

/**
 * The inode of the other end's socket, or undefined when unknown. All of 127.0.0.0/8 is loopback and the same port can
 * be taken at each address, so only 127.0.0.1 counts.
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
  // A closed connection has inode 0.
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
