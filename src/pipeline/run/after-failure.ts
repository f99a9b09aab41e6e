/** What follows a pass that failed: a person, another model, a fix, a step back, another try, or nothing. */
import { type Ranges, rangesOf } from "../../lib/ranges.ts";
import type { Cause } from "../../state/runs/records.ts";
import type { StepRun } from "../../state/runs/run.ts";
import { escalation } from "./ladder.ts";
import type { Move } from "./move.ts";
import type { Node } from "./nodes.ts";
import type { Scene } from "./scene.ts";

/** Nobody tries these again: only a person can change what is missing. */
const HELD: readonly Cause[] = ["auth", "refused"];
/** A second pass would end the same way. */
const FINAL: readonly Cause[] = ["ungoverned", "budget"];
/** May pass by themselves. */
const PASSING: readonly Cause[] = ["transient", "timeout"];

export function afterFailure(scene: Scene, node: Node, step: StepRun): Move {
  const { attempt } = step;
  const { cause, why } = step.last ?? { cause: "work", why: "" };
  if (HELD.includes(cause)) return { do: "hold", node, attempt, cause, why };
  const isHopeless = node.step.retry.onError === "transient" && !PASSING.includes(cause);
  if (isHopeless || FINAL.includes(cause)) return giveUp(node, step, why);
  return higher(scene, node, step) ?? again(scene, node, step) ?? giveUp(node, step, why);
}

export function giveUp(node: Node, { attempt }: StepRun, why: string): Move {
  return { do: "give-up", node, attempt, why };
}

/** A gate that says no is no failure of a model. */
function higher({ plan, around }: Scene, node: Node, step: StepRun): Move | undefined {
  const rung = node.step.type === "work" ? escalation(node, step, plan.pipeline, around.maxModel) : null;
  if (!rung) return undefined;
  const { attempt, last, onModel } = step;
  if (rung.to !== "person") return { do: "escalate", node, attempt, from: rung.from, to: rung.to };
  const why = `${rung.from} is the last model, and it failed ${onModel} times: ${last?.why ?? ""}`;
  return { do: "hold", node, attempt, cause: "ladder", why };
}

function again({ nodes, stepOf }: Scene, node: Node, step: StepRun): Move | undefined {
  const { attempt, fixed, onModel } = step;
  const to = node.step.compensation?.revertTo ?? node.step.id;
  const target = to === node.step.id ? undefined : nodes.find((other) => other.step.id === to);
  if (onModel > retriesOf(node, target !== undefined)) return undefined;
  const isFixed = fixed === attempt;
  if (node.step.retry.autoFix && !isFixed) return { do: "fix", node, attempt };
  // After a fix the step is looked at again before its makers are.
  if (target && !isFixed) return { do: "compensate", node, attempt, to, reset: resetFrom(target, node, nodes) };
  // Gates whose evidence the fix has made void are looked at again. What other steps did is not done twice.
  const voided = nodes.filter((other) => other.step.type === "gate" && stepOf(other)?.isVoid);
  return { do: "retry", node, attempt, reset: rangesOf([node.n, ...voided.map(({ n }) => n)]) };
}

/** What runs by itself is not repeated unless the file says so. Work that is done anew may be judged anew. */
function retriesOf({ step }: Node, hasTarget: boolean): number {
  if (step.retry.isWritten) return step.retry.max;
  if (hasTarget) return Number.POSITIVE_INFINITY;
  return step.type === "work" ? step.retry.max : 0;
}

/** The step it goes back to, and everything that depends on it. */
function resetFrom(target: Node, failing: Node, nodes: readonly Node[]): Ranges {
  const keys = new Set(nodes.filter(({ step }) => step.id === target.step.id).map(({ key }) => key));
  for (const node of nodes) if (node.after.some((key) => keys.has(key))) keys.add(node.key);
  return rangesOf([failing.n, ...nodes.filter(({ key }) => keys.has(key)).map(({ n }) => n)]);
}
