/** The verdict of the completion contract. */
import type { Approvals } from "../../state/runs/approvals.ts";
import type { Completion } from "../../state/runs/records.ts";
import type { Run } from "../../state/runs/run.ts";
import { isAgents, type Node } from "./nodes.ts";
import { statusOf } from "./standing.ts";

/** `through`: nothing is left to do. `failed`: a step that must pass did not. `stopped`: its budget or a person ended it. */
export type Ending = "through" | "failed" | "stopped";

/**
 * Passed: every step that was to be done passed, and no evidence was made void since. Partial: work is there that passed, and
 * something is missing that the run could do without, was stopped before, or is the rest of a batch.
 */
export function completionOf(
  nodes: readonly Node[],
  run: Run,
  approvals: Approvals | undefined,
  ending: Ending,
): Completion {
  const stands = nodes.map((node) => ({ node, status: statusOf(node, run, approvals) }));
  if (ending === "through") {
    const isWhole = stands.every(
      ({ node, status }) => status === "skipped" || (status === "done" && !isStale(node, run)),
    );
    return isWhole ? "passed" : "partial";
  }
  const kept = stands.filter(({ node, status }) => status === "done" && node.step.type === "work" && isAgents(node));
  if (ending === "stopped") return kept.length > 0 ? "partial" : "failed";
  const failed = new Set(
    stands.filter(({ status }) => status === "failed" || status === "fell").map(({ node }) => node.step.id),
  );
  return kept.some(({ node }) => failed.has(node.step.id) && !node.step.atomic) ? "partial" : "failed";
}

function isStale(node: Node, { steps }: Run): boolean {
  return node.step.type === "gate" && steps[node.key]?.isVoid === true;
}
