/** The records of a queue file: entries that other tools wrote become messages, and what they say is read is read. */
import type { InboxFound } from "../../kernel/facts.ts";
import { inline } from "../../lib/text.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";

const IDS_PER_RECORD = 40;

export function queueRecords({ actor, queue }: InboxFound, session: string): readonly (MailRecord | MessageRecord)[] {
  if (!queue) return [];
  const messages = queue.fresh.map(
    ({ id, from, type, subject, note }): MessageRecord => ({
      ...{ kind: "message", id, to: actor, from: inline(from, 40), type: inline(type, 40), subject: inline(subject) },
      ...(note && { note: true }),
    }),
  );
  return [...messages, ...readRecords(actor, queue.read, session)];
}

/** A record holds some ids. */
export function readRecords(box: string, ids: readonly string[], session: string): readonly MailRecord[] {
  const records: MailRecord[] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_RECORD)
    records.push({ kind: "mail", do: "read", box, ids: ids.slice(at, at + IDS_PER_RECORD), session });
  return records;
}
