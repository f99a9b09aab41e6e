/** Writes down what must survive compaction, before the host compacts the conversation. */
import type { Steps } from "../kernel/effect.ts";
import { writeHandover } from "../world/machine/handover.ts";
import { handoverNow } from "./handover-making.ts";
import type { JobContext, JobResult } from "./job.ts";

export function* handover(_: unknown, context: JobContext): Steps<JobResult> {
  const { question, places, host, env, clock, deadline, started } = context;
  const { event, facts } = question;
  if (event.name !== "PreCompact" || event.session === "unknown") return {};
  const { project, journal } = places;
  const making = { event, facts, env, project, clock, deadline, started, readPrompt: host.readPrompt };
  writeHandover(journal, yield* handoverNow(making), started);
  return {};
}
