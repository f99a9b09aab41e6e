/** What was decided about an event, and why: the words `decide` is made of. */
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { HookEvent } from "./event.ts";
import type { Gathered } from "./facts.ts";
import type { Operation } from "./operation.ts";
import type { Ruling } from "./policy.ts";
import type { Loss } from "./snapshot-request.ts";
import type { Text } from "./text.ts";

export interface Question {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly facts: Gathered;
}

export interface TraceEntry {
  readonly policy: string;
  readonly ruling: Ruling;
  /** Our own failure, when the ruling comes from ON_FAULT. */
  readonly fault?: string;
  /** Why a refusal was dropped. */
  readonly released?: Release;
}

/**
 * Why the end of a turn was not refused although somebody would have. The policy has used up its `bound`; all together have
 * met the `ceiling` of one turn, or led to nothing several times (`idle`); something in the `background` will come back; a
 * `question` to the person is open; the person has just `cancelled`; the conversation was just `compacted`.
 */
export type Release = "bound" | "ceiling" | "idle" | "background" | "question" | "cancelled" | "compacted";

export interface Objection {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: Text;
  readonly why: Text;
  readonly fix: Text;
  readonly fault?: string;
  /** Nobody's leave lifts it. */
  readonly floor?: true;
}

/** An objection that does not count, because a person has let this pass. */
export interface Lift {
  readonly objection: Objection;
  /** The id of the grant, or `pause`. */
  readonly by: string;
}

export interface Verdict {
  readonly decision: Decision;
  /** Strictest first. */
  readonly objections: readonly Objection[];
  readonly notes: readonly Text[];
  readonly notices: readonly Text[];
  readonly changes: readonly Change[];
  readonly trace: readonly TraceEntry[];
  /** To be kept before this is spoken; none for what is refused. */
  readonly losses?: readonly Loss[];
  /** The agent's context files are to be put in order, once this is kept. */
  readonly trim?: true;
  /** What must outlive the conversation is to be written down, once this is kept. */
  readonly handover?: true;
  /** A file that is formatted before this is spoken, as the tool named it. */
  readonly format?: string;
  readonly unbound: boolean;
  /** Why the host need not ask anybody; only where nobody objects. */
  readonly approval?: Text;
  /** The tool's input as it shall be instead; only where nobody objects. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Present when it passes only by a person's leave. It may be spoken only while that leave stands. */
  readonly lifted?: readonly Lift[];
  /** What a person could lift these objections with; absent when nothing lifts them, or there are none. */
  readonly wayOut?: "allow" | "pause" | "cancel";
}
