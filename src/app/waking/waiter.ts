/** The file by which the host's waiting hook of a session is known. */
import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { HostProcess } from "../../state/session/session.ts";
import { newRid } from "../../store/journal/rid.ts";
import { ancestorsOf } from "../../world/machine/agent-above.ts";
import { isAlive, processAt } from "../../world/machine/caller.ts";
import { processIn } from "./lock.ts";

/** Whether the host's hook of that session waits: a process below the host itself. */
export function isWaited(journal: string, session: string, client: HostProcess): boolean {
  const waiter = processIn(waiterFile(journal, session));
  return waiter !== undefined && isAlive(waiter) && [...ancestorsOf(waiter.pid)].includes(client.pid);
}

export function waiterFile(journal: string, session: string): string {
  return join(journal, `waiter.${session.replace(/[^\w-]/g, "_")}`);
}

/** The newest hook waits; the one before it sees that and ends. */
export function announce(path: string): void {
  const temporary = `${path}.${newRid()}`;
  const fd = openSync(temporary, "wx", 0o600);
  try {
    writeSync(fd, JSON.stringify(processAt(process.pid)));
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
}
