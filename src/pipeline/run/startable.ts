/** The first piece of a run that can go on. */
import { approvalOf } from "../../state/runs/approvals.ts";
import { modelOf } from "./ladder.ts";
import type { Move } from "./move.ts";
import { hasWork, isAgents, type Node } from "./nodes.ts";
import { allowanceFor } from "./purse.ts";
import type { Scene } from "./scene.ts";

/** `only`: the rest of a step of which a piece has failed; what passed there is kept. */
export function startable(scene: Scene, only?: string): Move | undefined {
  const { nodes, around, running, isSettled } = scene;
  if (running.length >= around.width) return undefined;
  const wanted = nodes.filter((node) => (only === undefined || node.step.id === only) && isFree(scene, node));
  const ready = wanted.filter(({ after }) => nodes.every((node) => !after.includes(node.key) || isSettled(node)));
  const moves = ready.flatMap((node) => moveOf(scene, node) ?? []);
  return moves.find((move) => move.do !== "later") ?? moves[0];
}

/** Nobody works on it, and it disturbs nobody who works. */
function isFree({ running, statusOf }: Scene, node: Node): boolean {
  const status = statusOf(node);
  if (status !== "open" && status !== "asked") return false;
  return running.every(({ group }) => group !== null && group === node.group);
}

function moveOf(scene: Scene, node: Node): Move | undefined {
  const { run, around, now, stepOf, statusOf } = scene;
  const step = stepOf(node);
  const attempt = step?.attempt ?? 0;
  if (statusOf(node) === "asked") {
    const by = approvalOf(around.approvals, { run: run.id, step: node.key, attempt });
    return by && { do: "answer", node, attempt, by };
  }
  const why = step ? undefined : around.leftOut(node.step);
  if (why !== undefined) return { do: "skip", node, why };
  if (!hasWork(node)) return { do: "gate", node, attempt: attempt + 1 };
  const at = step?.last ? step.last.at + node.step.retry.intervalSeconds * 1000 : 0;
  return at > now ? { do: "later", at } : begin(scene, node, attempt + 1);
}

function begin(scene: Scene, node: Node, attempt: number): Move {
  const { plan, nodes, run, around, stepOf } = scene;
  const red = nodes.find(({ key }) => key === node.red);
  if (red && stepOf(red)?.red === undefined) {
    return scene.end("failed", `the test of ${red.key} was not seen failing, so ${node.key} may not begin`);
  }
  const allowance = allowanceFor(node, nodes, run, around.width);
  if (typeof allowance === "string") return scene.end("stopped", `the budget: ${allowance}`);
  const model = isAgents(node) ? modelOf(node, stepOf(node), plan.pipeline, around.maxModel) : null;
  return { do: "begin", node, attempt, model, allowance };
}
