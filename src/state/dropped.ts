/**
 * Sessions that were pushed out of the state, with the processes of the host that had begun them. Settings files written
 * since then must not count there, so such a process may not look like one that was never seen.
 */
import { markOf } from "../lib/sha256.ts";

/** Marks of a session and a process, one after another. A false hit costs nothing but stricter settings. */
export type Dropped = string;

const DIGITS = 4;
/** The oldest go first. */
const DROPPED_MAX = 1024;
/** More than a conversation is usually taken up; the first are kept. */
const PROCESSES_MAX = 8;

export function withDropped(dropped: Dropped | undefined, id: string, processes: readonly string[]): Dropped {
  const known = dropped ?? "";
  const session = digitsOf(id);
  const news = processes.slice(0, PROCESSES_MAX).map((process) => session + digitsOf(process));
  return (known + news.join("")).slice(-DROPPED_MAX * 2 * DIGITS);
}

/** The marks of the processes that had begun the session; undefined if it was never pushed out. */
export function droppedOf(dropped: Dropped | undefined, id: string): string | undefined {
  if (!dropped) return undefined;
  const session = digitsOf(id);
  const marks = dropped.match(/.{8}/g)?.filter((pair) => pair.startsWith(session)) ?? [];
  return marks.length === 0 ? undefined : marks.map((pair) => pair.slice(DIGITS)).join("");
}

export function hadBegun(marks: string | undefined, process: string): boolean {
  return marks?.match(/.{4}/g)?.includes(digitsOf(process)) === true;
}

function digitsOf(text: string): string {
  return markOf(text).slice(0, DIGITS);
}
