/** How a piece of a run stands. A gate of people is passed by their answer and by nothing that a runner wrote. */
import { own } from "../../lib/keyed.ts";
import { type Approvals, approvalOf } from "../../state/runs/approvals.ts";
import type { Run, StepRun } from "../../state/runs/run.ts";
import { asksPerson, type Node } from "./nodes.ts";

export function statusOf(node: Node, run: Run, approvals: Approvals | undefined): StepRun["status"] {
  const step = own(run.steps, node.key);
  if (!step) return "open";
  if (step.status !== "done" || !asksPerson(node)) return step.status;
  const answer = approvalOf(approvals, { run: run.id, step: node.key, attempt: step.attempt });
  return answer?.is === "approve" ? "done" : "asked";
}

/** What comes after it may begin. */
export function isSettled(node: Node, run: Run, approvals: Approvals | undefined): boolean {
  const status = statusOf(node, run, approvals);
  return status === "done" || status === "skipped" || (status === "failed" && node.step.optional);
}
