/** Records messages to other agents, and what happened to those of this one. */
import { keepRecord, type Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import { mask } from "../lib/secrets.ts";
import type { InboxRecord, MessageRecord } from "../state/inbox/records.ts";
import { boxesOf } from "../state/roles/names.ts";
import { queueRoot } from "../world/facts/queue.ts";
import { entryFor } from "../world/facts/queue-entry.ts";
import type { JobContext, JobResult } from "./job.ts";
import { withLongText } from "./long-text.ts";

export function* mail({ records }: Extract<Job, { job: "mail" | "deliver" }>, context: JobContext): Steps<JobResult> {
  const { verdict, places, started } = context;
  for (const record of records) {
    // A refusal that was not sent has delivered nothing.
    if (record.kind === "mail" && record.do === "deliver" && verdict.decision === "pass") continue;
    const { journal } = places;
    const long = record.kind === "message" && record.native ? withLongText(journal, record) : undefined;
    yield* keepRecord(mask(long?.record ?? record) as InboxRecord, { journal, now: started });
    long?.keepAgain();
  }
  // After all records: a queue that is locked or broken keeps none of them back.
  for (const record of records) if (record.kind === "message" && record.file === undefined) queue(record, context);
  return {};
}

/** Where other tools read inboxes as files, the supervisor's file has the message too. */
function queue(
  { id, to, from, type, subject, body = "", note }: MessageRecord,
  { env, settings, places, started, changeQueue }: JobContext,
): void {
  const root = queueRoot({ env, settings, places });
  if (root === undefined || !changeQueue) return;
  const [box = to] = boxesOf(to, settings.roles);
  const text = body === "" ? subject : `${subject}\n${body}`;
  const { path, change } = entryFor(root, box, { id, from, type, text, isNote: note === true }, started);
  changeQueue(path, change);
}
