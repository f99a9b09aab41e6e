/** How much each session has sent and added of late: an agent that sends without end would hold up others and fill the disk. */
import { bounded, own } from "../../lib/keyed.ts";
import type { Stamp } from "../record.ts";
import { isMadeId } from "./made-id.ts";
import type { BlobRef, MessageRecord, TaskRecord } from "./records.ts";

/** Since when it is counted, and what came since. */
export interface Sent {
  readonly since: number;
  readonly count: number;
  readonly bytes: number;
}

export type SentBySession = Readonly<Record<string, Sent>>;

const HOUR_MS = 3_600_000;
const SESSIONS_MAX = 100;

export const COUNT_PER_HOUR = 1000;
export const BYTES_PER_HOUR = 64 * 1024 * 1024;

/** A person's messages and those that Sekisho writes don't count. */
export function withCounted(sent: SentBySession, record: (MessageRecord | TaskRecord) & Stamp): SentBySession {
  const { session, id, t } = record;
  if (session === undefined || isMadeId(id) || ("native" in record && record.native)) return sent;
  const texts = record as { readonly blob?: BlobRef; readonly data?: BlobRef };
  const before = currentOf(sent, session, t);
  const next: Sent = { ...before, count: before.count + 1, bytes: before.bytes + bytesOf(texts) };
  return bounded(sent, session, next, SESSIONS_MAX, ({ since }) => since);
}

/** Whether a session may send so much more now. */
export function isAllowed(
  sent: SentBySession,
  session: string,
  { count, bytes }: Pick<Sent, "count" | "bytes">,
  now: number,
): boolean {
  const before = currentOf(sent, session, now);
  return before.count + count <= COUNT_PER_HOUR && before.bytes + bytes <= BYTES_PER_HOUR;
}

export function bytesOf({ blob, data }: { readonly blob?: BlobRef; readonly data?: BlobRef }): number {
  return (blob?.bytes ?? 0) + (data?.bytes ?? 0);
}

/** A clock that was put back begins a new hour. */
function currentOf(sent: SentBySession, session: string, now: number): Sent {
  const found = own(sent, session);
  const isCurrent = found && now - found.since < HOUR_MS && now >= found.since;
  return isCurrent ? found : { since: now, count: 0, bytes: 0 };
}
