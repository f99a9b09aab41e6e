/** Writes down the plan that a person approved in the host's plan mode, so that it can be read and compared later. */
import { plainText } from "../disk/plain-file.ts";
import type { Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import { writeAnew } from "../world/machine/new-file.ts";
import type { JobResult } from "./job.ts";

const BYTES_MAX = 2 * 1024 * 1024;

/** The name holds a digest of the plan, so a file that is there with other words is not ours to change. */
// biome-ignore lint/correctness/useYield: a job that needs no program.
export function* writePlan({ file, text }: Extract<Job, { job: "write-plan" }>): Steps<JobResult> {
  try {
    writeAnew(file, text);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST" && plainText(file, BYTES_MAX) === text;
    if (!isThere) throw error;
  }
  return {};
}
