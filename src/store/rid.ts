/** Names for records: unique over processes, and sortable by the time they were made. */
import type { JournalRecord, RecordBody } from "../state/record.ts";

const COUNTER_MAX = 36 ** 2;

let counter = Math.floor(Math.random() * COUNTER_MAX);

/** 19 characters: milliseconds, process, a counter, and chance, for process ids are shared between containers. */
export function newRid(): string {
  counter = (counter + 1) % COUNTER_MAX;
  return base36(Date.now(), 8) + base36(process.pid, 5) + base36(counter, 2) + base36(Math.random() * 36 ** 4, 4);
}

/** A time that is none would make the line unreadable; reducers take the newest time seen, so zero changes nothing. */
export function stamped(body: RecordBody, now: number): JournalRecord {
  return { ...body, rid: newRid(), t: Number.isFinite(now) ? now : 0 };
}

function base36(value: number, width: number): string {
  return Math.floor(value).toString(36).padStart(width, "0").slice(-width);
}
