/** The records of a queue file: entries that other tools wrote become messages, and what they say is read is read. */
import type { InboxFound } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { rangesOf } from "../../lib/ranges.ts";
import { inline } from "../../lib/text.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";

export function queueRecords(
  { actor, box, queue }: InboxFound,
  session: string,
): readonly (MailRecord | MessageRecord)[] {
  if (!queue) return [];
  const messages = queue.fresh.map(
    ({ id, from, type, subject, note, file }): MessageRecord => ({
      ...{
        kind: "message",
        id,
        to: actor,
        from: inline(from, 40),
        type: inline(type, 40),
        subject: inline(subject),
        file,
      },
      ...(note && { note: true }),
    }),
  );
  const numbers = rangesOf(queue.read.flatMap((id) => own(box.shown, id)?.n ?? []));
  const read: MailRecord = { kind: "mail", do: "read", box: actor, numbers, session };
  return numbers.length === 0 ? messages : [...messages, read];
}
