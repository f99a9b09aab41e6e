/** Records messages to other agents, and what happened to those of this one. */
import { keepRecord, type Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import { mask } from "../lib/secrets.ts";
import type { MailRecord, MessageRecord } from "../state/inbox/records.ts";
import type { JobContext, JobResult } from "./job.ts";
import { withLongText } from "./long-text.ts";

export function* mail(
  { records }: Extract<Job, { job: "mail" | "deliver" }>,
  { verdict, places, started }: JobContext,
): Steps<JobResult> {
  for (const record of records) {
    // A refusal that was not sent has delivered nothing.
    if (record.kind === "mail" && record.do === "deliver" && verdict.decision === "pass") continue;
    const { journal } = places;
    const long = record.kind === "message" && record.native ? withLongText(journal, record) : undefined;
    yield* keepRecord(mask(long?.record ?? record) as MailRecord | MessageRecord, { journal, now: started });
    long?.keepAgain();
  }
  return {};
}
