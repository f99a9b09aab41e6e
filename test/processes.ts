/** Which processes a test has started, by their environment: also those whose parents are gone. */
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

interface Found {
  readonly pid: number;
  /** Its arguments, each followed by a zero. */
  readonly words: string;
}

/** Processes with this text in their environment, except this one. None on a system without /proc. */
export function processesWith(mark: string): readonly Found[] {
  return pids()
    .filter((pid) => pid !== process.pid && file(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => ({ pid, words: file(`/proc/${pid}/cmdline`) }));
}

/** Supervisors and workers with this state directory, whatever the test did to its files. */
export function daemonsOf(state: string): readonly number[] {
  return processesWith(`XDG_STATE_HOME=${state}\0`)
    .filter(({ words }) => /\0(?:serve|worker)\0/.test(words))
    .map(({ pid }) => pid);
}

/** By pid, repeated until none is left: a supervisor may start another worker, and one may still be starting itself. */
export async function endDaemons(state: string): Promise<void> {
  await until(() => {
    const running = daemonsOf(state);
    running.forEach(kill);
    return running.length === 0;
  }, "the end of the daemon");
}

/** A process that still writes would put files into a directory that is being removed. */
export async function untilAllEnded(directory: string): Promise<void> {
  let left: readonly Found[] = [];
  try {
    await until(() => {
      left = processesWith(directory);
      return left.length === 0;
    }, "the end of all processes");
  } catch {
    for (const { pid } of left) kill(pid);
    const names = left.map(({ pid, words }) => `${pid}: ${words.replaceAll("\0", " ")}`);
    throw new Error(`The test left processes behind:\n${names.join("\n")}`);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has just ended by itself.
    void error;
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty for processes of others and for those that have ended. */
function file(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
