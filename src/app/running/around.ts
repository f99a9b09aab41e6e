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

function valueIn(path: readonly string[], run: Run, inputs: Given["inputs"]): Value | undefined {
  const [head, name = "", field] = path;
  if (head === "tier") return run.tier;
  if (head === "inputs") return own(inputs, name);
  return head === "steps" && field === "status" ? own(run.steps, name)?.status : undefined;
}
