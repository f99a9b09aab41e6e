/** Record ids: unique across processes and sortable by creation time. */
import type { JournalRecord, RecordBody } from "../../state/record.ts";

const COUNTER_MAX = 36 ** 2;

let counter = Math.floor(Math.random() * COUNTER_MAX);

/** 19 characters: milliseconds, process id, a counter, and randomness, because containers share process ids. */
export function newRid(): string {
  counter = (counter + 1) % COUNTER_MAX;
  return base36(Date.now(), 8) + base36(process.pid, 5) + base36(counter, 2) + base36(Math.random() * 36 ** 4, 4);
}

/** An invalid time would make the line unreadable; reducers use the latest time seen, so zero changes nothing. */
export function stamped(body: RecordBody, now: number): JournalRecord {
  return { ...body, rid: newRid(), t: Number.isFinite(now) ? now : 0 };
}

function base36(value: number, width: number): string {
  return Math.floor(value).toString(36).padStart(width, "0").slice(-width);
}
