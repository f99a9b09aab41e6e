/** One process at a time types for a project. The lock belongs to a process, and ends with it. */
import { constants, linkSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { HostProcess } from "../../state/session/session.ts";
import { discard } from "../../store/journal/discard.ts";
import { withFile } from "../../store/journal/file.ts";
import { newRid } from "../../store/journal/rid.ts";
import { isAlive, isOfThisBoot, processAt } from "../../world/machine/caller.ts";

const NAME = "waking.lock";
const ATTEMPTS = 8;
const BYTES_MAX = 1000;

export interface Lock {
  release(): void;
}

/** The lock, or the id of the process that has it. */
export function takeLock(directory: string): Lock | number {
  const path = join(directory, NAME);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (isWritten(path)) return { release: () => discard(path) };
    const holder = processIn(path);
    if (holder && isLive(holder)) return holder.pid;
    retire(path);
  }
  return processIn(path)?.pid ?? 0;
}

function isWritten(path: string): boolean {
  const text = JSON.stringify(processAt(process.pid));
  try {
    withFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (fd) => writeSync(fd, text));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** The process that a file names; undefined if there is none, or if it was not written whole. */
export function processIn(path: string): HostProcess | undefined {
  try {
    const { pid, started, boot } = JSON.parse(plainText(path, BYTES_MAX) ?? "") as Partial<HostProcess>;
    if (!Number.isInteger(pid) || typeof started !== "string") return undefined;
    return { pid: Number(pid), started, ...(typeof boot === "string" && { boot }) };
  } catch (error) {
    void error;
    return undefined;
  }
}

function isLive(holder: HostProcess): boolean {
  if (holder.started !== "") return isOfThisBoot(holder) && isAlive(holder);
  try {
    return process.kill(holder.pid, 0);
  } catch (error) {
    void error;
    return false;
  }
}

/** Renamed first, so that of two that find it stale only one removes it. A lock that was taken in between is put back. */
function retire(path: string): void {
  const old = `${path}.${newRid()}`;
  try {
    renameSync(path, old);
    const holder = processIn(old);
    if (holder && isLive(holder)) linkSync(old, path);
  } catch (error) {
    // Another process was first.
    void error;
  }
  discard(old);
}
