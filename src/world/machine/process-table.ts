/** All processes of the machine, from Linux's process table. */
import { readdirSync, readFileSync } from "node:fs";

interface Entry {
  readonly pid: number;
  readonly parent: number;
  /** The number of the controlling terminal; 0 without one. */
  readonly tty: number;
  readonly name: string;
}

/** Empty where there is no such table. */
function processTable(): readonly Entry[] {
  return names("/proc").flatMap((name) => (/^\d+$/.test(name) ? (entryAt(Number(name)) ?? []) : []));
}

function entryAt(pid: number): Entry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    return { pid, parent: Number(fields[1]), tty: Number(fields[4]), name: stat.slice(stat.indexOf("(") + 1, end) };
  } catch {
    // It has just ended.
    return undefined;
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** The process, everything below it, and everything at its terminal. Empty if the process is not in the table. */
export function atTerminalOf(pid: number): readonly Pick<Entry, "pid" | "name">[] {
  const all = processTable();
  const top = all.find((one) => one.pid === pid);
  if (!top) return [];
  const below = new Set([pid]);
  // Children may stand before their parents in the table.
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const one of all) if (below.has(one.parent)) below.add(one.pid);
  }
  return all.filter((one) => below.has(one.pid) || (top.tty !== 0 && one.tty === top.tty));
}
