/** What a person answered to a run that waits. Kept in the state itself, because only there a signature is checked. */
import { bounded, own } from "../../lib/keyed.ts";

export interface ApprovalChange {
  readonly record: "run";
  readonly do: "approve" | "reject";
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  readonly why?: string;
}

export interface Approval {
  readonly is: "approve" | "reject";
  /** The record that says so. */
  readonly rid: string;
  readonly at: number;
  readonly why?: string;
}

/** By run, step and attempt. */
export type Approvals = Readonly<Record<string, Approval>>;

/** They stand in the state that every event reads. A run needs an answer only until it has gone on from it. */
const APPROVALS_MAX = 30;

export function reduceApprovals(all: Approvals, change: ApprovalChange, rid: string, at: number): Approvals {
  const { do: is, why } = change;
  const approval = { is, rid, at, ...(why !== undefined && { why }) };
  return bounded(all, nameOf(change), approval, APPROVALS_MAX, (one) => one.at);
}

export function approvalOf(
  all: Approvals | undefined,
  of: Pick<ApprovalChange, "run" | "step" | "attempt">,
): Approval | undefined {
  return own(all ?? {}, nameOf(of));
}

function nameOf({ run, step, attempt }: Pick<ApprovalChange, "run" | "step" | "attempt">): string {
  return `${run} ${step} ${attempt}`;
}
