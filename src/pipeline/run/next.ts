/** What a run does next, by its records and its plan. Pure: whoever carries it out records that, and asks again. */
import { approvalOf } from "../../state/runs/approvals.ts";
import type { Run, StepRun } from "../../state/runs/run.ts";
import type { Plan } from "../plan.ts";
import { afterFailure, giveUp } from "./after-failure.ts";
import type { Around, Move } from "./move.ts";
import { asksPerson } from "./nodes.ts";
import { type Scene, sceneOf } from "./scene.ts";
import { startable } from "./startable.ts";

/** Null: it has ended. */
export function next(plan: Plan, run: Run, around: Around, now: number): Move | null {
  if (run.ended) return null;
  const scene = sceneOf(plan, run, around, now);
  return lost(scene) ?? stopped(scene) ?? decided(scene) ?? goingOn(scene);
}

function lost({ running, run, stepOf }: Scene): Move | undefined {
  const node = running.find((one) => stepOf(one)?.begun?.token !== run.token);
  return node && { do: "lost", node, attempt: stepOf(node)?.attempt ?? 0 };
}

/** What nothing else can go on from. */
function stopped(scene: Scene): Move | undefined {
  const { run, plan, nodes, running, stepOf } = scene;
  if (run.cancelled) return scene.end("stopped", `cancelled by ${run.cancelled.by}`);
  if (run.hold) return running.length > 0 ? { do: "await" } : held(scene, run.hold);
  const { maxTotalRetries } = plan.pipeline.global;
  if (run.retries <= maxTotalRetries) return undefined;
  const lastAt = Math.max(...nodes.map((node) => stepOf(node)?.last?.at ?? 0));
  const last = nodes.find((node) => stepOf(node)?.last?.at === lastAt);
  return scene.end("failed", `more than ${maxTotalRetries} retries in all${last ? `, the last for ${last.key}` : ""}`);
}

/** A failure is decided about before anything else begins. */
function decided(scene: Scene): Move | undefined {
  const { nodes, running, stepOf } = scene;
  const fallen = nodes.find((node) => stepOf(node)?.status === "fell");
  if (fallen) {
    const move = afterFailure(scene, fallen, stepOf(fallen) as StepRun);
    return running.length > 0 && DISTURBS.includes(move.do) ? { do: "await" } : move;
  }
  const thrice = nodes.find((node) => (stepOf(node)?.lost ?? 0) >= LOST_MAX && stepOf(node)?.status === "open");
  if (thrice) return giveUp(thrice, stepOf(thrice) as StepRun, `its runner was lost ${LOST_MAX} times in it`);
  const failed = nodes.find((node) => stepOf(node)?.status === "failed" && !node.step.optional);
  if (!failed) return undefined;
  const why = `${failed.key} failed: ${stepOf(failed)?.last?.why ?? "without a reason"}`;
  return startable(scene, failed.step.id) ?? scene.end("failed", why);
}

/** After that many losses a step probably ends its runner itself. */
const LOST_MAX = 3;

/** Going back would take away what others are working on, or files would change below them. */
const DISTURBS: readonly Move["do"][] = ["compensate", "fix"];

function goingOn(scene: Scene): Move {
  const move = startable(scene);
  if (move) return move;
  if (scene.running.length === 0 && !scene.nodes.every(scene.isSettled)) {
    return waiting(scene) ?? scene.end("stopped", "nothing can go on");
  }
  const end = scene.end("through", "every step passed");
  if (end.do !== "end" || end.verdict === "passed") return end;
  return { ...end, why: "every step that must pass did, and others did not" };
}

function held(scene: Scene, { step: key, attempt, cause, why }: NonNullable<Run["hold"]>): Move {
  const { nodes, run, around } = scene;
  const node = nodes.find((one) => one.key === key);
  const by = approvalOf(around.approvals, { run: run.id, step: key, attempt });
  if (!node) return scene.end("failed", `${key} is no step of this tier`);
  if (by?.is === "reject") {
    return scene.end("failed", `a person gave ${key} up${by.why === undefined ? "" : `: ${by.why}`}`);
  }
  if (by) return { do: "release", node, attempt, approval: by.rid };
  return { do: "wait", node, attempt, why: cause === "ladder" ? why : `${key} needs a person (${cause}): ${why}` };
}

function waiting({ nodes, stepOf, statusOf }: Scene): Move | undefined {
  const node = nodes.find((one) => statusOf(one) === "asked");
  if (!node || !asksPerson(node)) return undefined;
  return { do: "wait", node, attempt: stepOf(node)?.attempt ?? 0, why: `${node.key} waits for a person` };
}
