/** Ends what a dead runner left: the group of a pass, and every process that was started for the run. */
import { readdirSync, readFileSync } from "node:fs";
import type { Run } from "../../state/runs/run.ts";
import { isAlive, isOfThisBoot } from "../../world/machine/caller.ts";

/** In the environment of every process of a run, also of those that left the group. */
export const RUN_MARK = "SEKISHO_RUN";

const LOOKS = 100;
const PAUSE_MS = 50;

export async function endLeftovers({ id, steps }: Run): Promise<void> {
  const heads = Object.values(steps).flatMap(({ begun }) => (begun?.process ? [begun.process] : []));
  for (const head of heads) if (isOfThisBoot(head) && isAlive(head)) signal(-head.pid, "SIGTERM");
  for (let look = 0; look < LOOKS; look++) {
    const left = [
      ...heads.filter((head) => isOfThisBoot(head) && isAlive(head)).map(({ pid }) => pid),
      ...markedBy(id),
    ];
    if (left.length === 0) return;
    // The first looks leave a program time to end its own children.
    if (look * PAUSE_MS >= GRACE_MS) for (const pid of left) signal(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const GRACE_MS = 2000;

/** Only processes of this user can be looked at. */
function markedBy(run: string): readonly number[] {
  const pids = procs().filter((pid) => pid !== process.pid);
  return pids.filter((pid) => environmentOf(pid).includes(`\0${RUN_MARK}=${run}\0`));
}

function procs(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    // No process table: only the groups are known.
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}\0`;
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    void error;
  }
}
