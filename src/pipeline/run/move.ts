/** The moves of a run: each is carried out by a runner and recorded. */
import type { Ranges } from "../../lib/ranges.ts";
import type { Model } from "../../state/models.ts";
import type { Approvals } from "../../state/runs/approvals.ts";
import type { Cause, Completion } from "../../state/runs/records.ts";
import type { Step } from "../definition.ts";
import type { Node } from "./nodes.ts";
import type { Allowance } from "./purse.ts";

interface OfNode {
  readonly node: Node;
  readonly attempt: number;
}

export type Move =
  | (OfNode & { readonly do: "begin"; readonly model: Model | null; readonly allowance: Allowance })
  /** The runner that began it is gone. */
  | (OfNode & { readonly do: "lost" })
  /** Something runs; ask again when it has ended. */
  | { readonly do: "await" }
  | { readonly do: "later"; readonly at: number }
  | { readonly do: "skip"; readonly node: Node; readonly why: string }
  /** A person has to be asked. */
  | (OfNode & { readonly do: "gate" })
  | (OfNode & { readonly do: "answer"; readonly by: Answer })
  /** Only a person can go on. */
  | (OfNode & { readonly do: "wait"; readonly why: string })
  | (OfNode & { readonly do: "fix" })
  | (OfNode & { readonly do: "escalate"; readonly from: string; readonly to: Model })
  | (OfNode & { readonly do: "retry"; readonly reset: Ranges })
  | (OfNode & { readonly do: "compensate"; readonly to: string; readonly reset: Ranges })
  | (OfNode & { readonly do: "hold"; readonly cause: Cause | "ladder"; readonly why: string })
  | (OfNode & { readonly do: "release"; readonly approval: string })
  | (OfNode & { readonly do: "give-up"; readonly why: string })
  | { readonly do: "end"; readonly verdict: Completion; readonly why: string };

interface Answer {
  readonly rid: string;
  readonly is: "approve" | "reject";
  readonly why?: string;
}

/** What the records don't say. */
export interface Around {
  readonly approvals: Approvals | undefined;
  /** By a person's setting, no step uses a higher model. */
  readonly maxModel: Model | null;
  /** Why a step with a condition is left out; undefined if it is done. */
  readonly leftOut: (step: Step) => string | undefined;
  /** How many pieces may be worked on at the same time. */
  readonly width: number;
}
