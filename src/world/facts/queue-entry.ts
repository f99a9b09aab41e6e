/** A message of ours as an entry of the project's queue: in which file, and how. */
import { join } from "node:path";
import { maskText } from "../../lib/secrets.ts";
import { type NewEntry, withNewEntry } from "../../state/inbox/queue.ts";

export interface QueueEntry {
  readonly path: string;
  /** The file with the entry. */
  readonly change: (value: unknown) => unknown;
}

export function entryFor(root: string, box: string, entry: Omit<NewEntry, "at">, now: number): QueueEntry {
  const file = `${box}.yaml`;
  const written = { ...entry, text: maskText(entry.text), at: localTime(now) };
  return { path: join(root, file), change: (value) => withNewEntry(value, file, written) };
}

/** Without a zone, as the original writes it. */
function localTime(now: number): string {
  const date = new Date(now - new Date(now).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19);
}
