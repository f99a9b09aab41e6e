/** Writes the file by which the host sets up every shell of a session, and removes older ones of ours. */
import { rmSync, writeFileSync } from "node:fs";
import type { Steps } from "../kernel/effect.ts";
import type { Job } from "../kernel/job.ts";
import type { JobResult } from "./job.ts";

/** Only makes a new file: one that is there belongs to another hook. */
// biome-ignore lint/correctness/useYield: a job is a generator, and this one runs no program.
export function* shellSetup({ write, remove }: Extract<Job, { job: "shell-setup" }>): Steps<JobResult> {
  for (const path of remove) rmSync(path, { force: true });
  if (write) writeFileSync(write.file, write.text, { flag: "wx", mode: 0o600 });
  return {};
}
