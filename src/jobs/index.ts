/** The jobs of a verdict, in one table: what each does, and under which policy its failure is kept. */
import type { Steps } from "../kernel/effect.ts";
import type { Job, JobName } from "../kernel/job.ts";
import { commitStep } from "./commit-step.ts";
import { format } from "./format.ts";
import { handover } from "./handover.ts";
import type { JobContext, JobResult } from "./job.ts";
import { lint } from "./lint.ts";
import { mail } from "./mail.ts";
import { shellSetup } from "./shell-setup.ts";
import { snapshot } from "./snapshot.ts";
import { stateFile } from "./state-file.ts";
import { trim } from "./trim.ts";
import { writePlan } from "./write-plan.ts";

type Work<K extends JobName> = (job: Extract<Job, { job: K }>, context: JobContext) => Steps<JobResult>;

const JOBS: { readonly [K in JobName]: { readonly work: Work<K>; readonly policy: string } } = {
  snapshot: { work: snapshot, policy: "run-snapshot" },
  trim: { work: trim, policy: "run-trim" },
  handover: { work: handover, policy: "run-handover" },
  format: { work: format, policy: "run-formatter" },
  "write-plan": { work: writePlan, policy: "track-plan-mode" },
  lint: { work: lint, policy: "run-linters" },
  "commit-step": { work: commitStep, policy: "run-step-commit" },
  "state-file": { work: stateFile, policy: "run-state-file" },
  mail: { work: mail, policy: "require-inbox" },
  deliver: { work: mail, policy: "require-inbox" },
  "shell-setup": { work: shellSetup, policy: "run-pipefail" },
};

export function doJob(job: Job, context: JobContext): Steps<JobResult> {
  return (JOBS[job.job].work as Work<JobName>)(job, context);
}

/** The policy that asks for a job: a fault of the job is kept under its name. */
export function policyOf({ job }: Job): string {
  return JOBS[job].policy;
}
