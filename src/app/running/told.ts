/** How a move is recorded that needs nothing but its record. */
import { own } from "../../lib/keyed.ts";
import type { Move } from "../../pipeline/run/move.ts";
import type { Run } from "../../state/runs/run.ts";
import { reason, type Unsaid } from "./book.ts";

type Told = Exclude<Move, { readonly do: "wait" | "await" | "later" | "begin" | "fix" }>;

const NONE = { used: { ms: 0 }, evidence: [] } as const;

export function recordOf(move: Told, run: Run): Unsaid {
  if (move.do === "end") return { ...move, why: reason(move.why) };
  if (move.do === "skip") return { do: "skip", step: move.node.key, n: move.node.n, why: reason(move.why) };
  const { node, ...rest } = move;
  const of = { step: node.key, attempt: move.attempt };
  switch (rest.do) {
    case "gate":
      return { ...of, ...NONE, do: "gate", n: node.n };
    case "answer": {
      const { is, rid, why = "a person said no" } = rest.by;
      const evidence = own(run.steps, node.key)?.evidence ?? [];
      if (is === "approve") return { ...of, ...NONE, do: "done", evidence, approval: rid };
      return { ...of, ...NONE, do: "fail", cause: "rejected", why: reason(why) };
    }
    case "hold":
    case "give-up":
      return { ...rest, ...of, why: reason(rest.why) };
    default:
      return { ...rest, ...of };
  }
}
