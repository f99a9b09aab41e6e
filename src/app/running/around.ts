/** What `next` has to know besides the records. */

import { own } from "../../lib/keyed.ts";
import { holds, type Value } from "../../pipeline/condition/evaluate.ts";
import type { Step } from "../../pipeline/definition.ts";
import type { Around } from "../../pipeline/run/move.ts";
import type { Run } from "../../state/runs/run.ts";
import type { Book } from "./book.ts";
import type { Given } from "./site.ts";

export function aroundOf({ run, approvals }: Book, { inputs }: Given): Around {
  return {
    approvals,
    maxModel: null,
    // All pieces share one work tree.
    width: 1,
    leftOut: ({ when }: Step) => {
      if (when?.kind !== "expression" || holds(when.expression, (path) => valueIn(path, run, inputs))) return undefined;
      return `its condition does not hold: ${when.source}`;
    },
  };
}

function valueIn([head, name = "", field]: readonly string[], run: Run, inputs: Given["inputs"]): Value | undefined {
  if (head === "tier") return run.tier;
  if (head === "inputs") return own(inputs, name);
  const step = head === "steps" ? own(run.steps, name) : undefined;
  if (field === "attempts") return step?.attempt;
  return field === "status" && step ? (STATUS[step.status] ?? step.status) : undefined;
}

/** As definitions call it. */
const STATUS: Readonly<Partial<Record<string, string>>> = { done: "passed" };
