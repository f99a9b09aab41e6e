/** A plan as the pieces that are begun and ended one by one: a step, or each item of its batches. */
import type { Step } from "../definition.ts";
import type { Plan } from "../plan.ts";

export interface Node {
  /** The step, or `step/batch/item`. */
  readonly key: string;
  /** Its place in the plan. */
  readonly n: number;
  readonly step: Step;
  readonly item: { readonly batch: string; readonly name: string } | null;
  /** Keys of what must be settled before. */
  readonly after: readonly string[];
  /** Pieces with the same group may be worked on at the same time. */
  readonly group: string | null;
  /** For a green step: the red one, whose test must have been seen failing. */
  readonly red: string | null;
}

export function nodesOf(plan: Plan): readonly Node[] {
  const nodes = known.get(plan) ?? made(plan);
  known.set(plan, nodes);
  return nodes;
}

/** A runner asks again after every record. */
const known = new WeakMap<Plan, readonly Node[]>();

function made({ steps }: Plan): readonly Node[] {
  const nodes: Node[] = [];
  for (const { step, after: needs, red } of steps) {
    const after = nodes.filter((node) => needs.includes(node.step.id)).map(({ key }) => key);
    for (const piece of piecesOf(step, after)) nodes.push({ ...piece, n: nodes.length, step, red });
  }
  return nodes;
}

type Piece = Pick<Node, "key" | "item" | "group" | "after">;

function piecesOf(step: Step, before: readonly string[]): readonly Piece[] {
  if (step.batches.length === 0) return [{ key: step.id, item: null, group: null, after: before }];
  let after = before;
  return step.batches.flatMap(({ name: batch, parallel, items }) => {
    const start = after;
    const group = parallel ? `${step.id}/${batch}` : null;
    const pieces = items.map((name, at): Piece => {
      const last = items[at - 1];
      const isNext = !parallel && last !== undefined;
      return {
        key: `${step.id}/${batch}/${name}`,
        item: { batch, name },
        group,
        after: isNext ? [`${step.id}/${batch}/${last}`] : start,
      };
    });
    if (pieces.length > 0) after = (parallel ? pieces : pieces.slice(-1)).map(({ key }) => key);
    return pieces;
  });
}

/** An agent does it, and so it has a model and costs something. Automatic steps and evidence need none. */
export function isAgents({ step }: Pick<Node, "step">): boolean {
  if (step.type === "automatic") return false;
  return step.type === "work" || step.checks.some((check) => check.by === "agent" || isAiDod(check));
}

function isAiDod(check: Step["checks"][number]): boolean {
  return check.by === "dod" && check.items === "ai";
}

export function asksPerson({ step }: Pick<Node, "step">): boolean {
  return step.requiresUser || step.gate?.type === "human";
}

/** There is something to do before a person is asked, or nobody is asked. */
export function hasWork({ step }: Pick<Node, "step">): boolean {
  if (step.type !== "gate") return true;
  const byOthers = step.checks.some((check) => !(check.by === "dod" && check.items === "human"));
  return !asksPerson({ step }) || byOthers || step.commands.length > 0;
}
