/** Writes the view of the state. */
import type { Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import { writeStateFile } from "../world/machine/state-file.ts";
import type { JobResult } from "./job.ts";

// biome-ignore lint/correctness/useYield: a job is a generator, and this one runs no program.
export function* stateFile({ root, text }: Extract<Job, { job: "state-file" }>): Steps<JobResult> {
  writeStateFile(root, text);
  return {};
}
