/** Work that a policy asks for beside the verdict. `jobs/` does it between the record and the answer. */

import type { Loss } from "../reading/operation/losses.ts";
import type { Decision } from "../state/decision.ts";
import type { InboxRecord } from "../state/inbox/records.ts";

export type Job =
  /** Copy what the tool use would destroy, before it runs. */
  | { readonly job: "snapshot"; readonly losses: readonly Loss[] }
  /** Shorten the agent's context files before the host compacts the conversation. */
  | { readonly job: "trim" }
  /** Write down what must survive compaction. */
  | { readonly job: "handover" }
  /** Run the project's formatter over a file that was changed. `path` is as the tool named it. */
  | { readonly job: "format"; readonly path: string }
  /** Write down the plan that a person approved in the host's plan mode. */
  | { readonly job: "write-plan"; readonly file: string; readonly text: string }
  /** Run the project's linters over the files that were changed, before they are committed from there. */
  | { readonly job: "lint"; readonly directory: string }
  /** Commit the files of a step that a critic has passed. Paths are below the root. */
  | {
      readonly job: "commit-step";
      readonly root: string;
      readonly plan: string;
      readonly step: string;
      readonly message: string;
      readonly files: readonly string[];
      /** The plan's own branch. */
      readonly branch?: string;
    }
  /** Write `state.md`, the view of the work. */
  | { readonly job: "state-file"; readonly root: string; readonly text: string }
  /** Record messages to other agents, and what happened to those of this one. `deliver` also if the turn must go on. */
  | { readonly job: "mail" | "deliver"; readonly records: readonly InboxRecord[] }
  /** Write the file by which every shell of the session is set up, and remove those that we wrote before. */
  | {
      readonly job: "shell-setup";
      readonly write?: { readonly file: string; readonly text: string };
      readonly remove: readonly string[];
    };

export type JobName = Job["job"];

/** A snapshot is also taken when a person is asked: the tool runs if they agree, and we are not called again. */
const ALSO_WHEN_ASKED: ReadonlySet<JobName> = new Set(["snapshot"]);

/** What a refusal told the agent is recorded too. */
const ALSO_WHEN_REFUSED: ReadonlySet<JobName> = new Set(["deliver"]);

/** At most one job of each kind: the losses of all policies are one snapshot, and their messages one delivery. */
export function jobsToDo(asked: readonly Job[], decision: Decision, unbound: boolean): readonly Job[] {
  if (asked.length === 0) return [];
  if (decision === "deny") return unbound ? [] : mailIn(asked.filter(({ job }) => ALSO_WHEN_REFUSED.has(job)));
  const allowed = asked.filter(({ job }) => ALSO_WHEN_ASKED.has(job) || (decision === "pass" && !unbound));
  const losses = allowed.flatMap((job) => (job.job === "snapshot" ? job.losses : []));
  const others = allowed.filter(
    ({ job }, at) => job !== "snapshot" && !isMail(job) && allowed.findIndex((other) => other.job === job) === at,
  );
  const rest = [...others, ...mailIn(allowed)];
  return losses.length > 0 ? [{ job: "snapshot", losses }, ...rest] : rest;
}

function mailIn(jobs: readonly Job[]): readonly Job[] {
  const records = jobs.flatMap((job) => (job.job === "mail" || job.job === "deliver" ? job.records : []));
  return records.length === 0 ? [] : [{ job: "mail", records }];
}

function isMail(job: JobName): boolean {
  return job === "mail" || job === "deliver";
}
