/** A run with its plan, as the decisions about it look at it. */
import { own } from "../../lib/keyed.ts";
import type { Run, StepRun } from "../../state/runs/run.ts";
import type { Plan } from "../plan.ts";
import { completionOf, type Ending } from "./completion.ts";
import type { Around, Move } from "./move.ts";
import { type Node, nodesOf } from "./nodes.ts";
import { isSettled, statusOf } from "./standing.ts";

export interface Scene {
  readonly plan: Plan;
  readonly nodes: readonly Node[];
  readonly run: Run;
  readonly around: Around;
  readonly now: number;
  readonly running: readonly Node[];
  stepOf(node: Node): StepRun | undefined;
  statusOf(node: Node): StepRun["status"];
  /** What comes after it may begin. */
  isSettled(node: Node): boolean;
  /** Nothing is taken away while others work on it. */
  end(ending: Ending, why: string): Move;
}

export function sceneOf(plan: Plan, run: Run, around: Around, now: number): Scene {
  const nodes = nodesOf(plan);
  const { approvals } = around;
  const stepOf = (node: Node): StepRun | undefined => own(run.steps, node.key);
  const running = nodes.filter((node) => stepOf(node)?.begun);
  return {
    ...{ plan, nodes, run, around, now, running, stepOf },
    statusOf: (node) => statusOf(node, run, approvals),
    isSettled: (node) => isSettled(node, run, approvals),
    end: (ending, why) =>
      running.length > 0 ? { do: "await" } : { do: "end", verdict: completionOf(nodes, run, approvals, ending), why },
  };
}
