/** The types of a decision about an event and its reasons. */

import type { Text } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { HookEvent } from "./event.ts";
import type { Gathered } from "./facts.ts";
import type { Job } from "./job.ts";
import type { Ruling } from "./policy.ts";

export interface Question {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly facts: Gathered;
}

export interface TraceEntry {
  readonly policy: string;
  readonly ruling: Ruling;
  /** A failure of Sekisho, if the ruling comes from ON_FAULT. */
  readonly fault?: string;
  /** Why a refusal was dropped. */
  readonly released?: Release;
}

/**
 * Why a Stop was not refused although a policy would have refused it. The policy has used up its `bound`; all policies
 * together reached the `ceiling` of the turn, or achieved nothing several times (`idle`); something in the `background`
 * will come back; a `question` to the person is open; the person just `cancelled`; the conversation was just
 * `compacted`.
 */
export type Release = "bound" | "ceiling" | "idle" | "background" | "question" | "cancelled" | "compacted";

export interface Objection {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: Text;
  readonly why: Text;
  readonly fix: Text;
  readonly fault?: string;
  /** No grant lifts this objection. */
  readonly floor?: true;
  /** Only trust is missing. */
  readonly onlyTrust?: true;
  readonly family?: string;
  readonly agreement?: readonly string[];
}

/** An objection that does not count: a person allowed the call, or it only asks about trust and nobody is there. */
export interface Lift {
  readonly objection: Objection;
  /** The id of the grant, `pause`, `headless` or `agreed`. */
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
  /** To be done once the verdict is kept, and before it is spoken. */
  readonly jobs?: readonly Job[];
  readonly unbound: boolean;
  /** The reason why the host need not ask; only if no policy objects. */
  readonly approval?: Text;
  /** The tool's input to use instead; only if no policy objects. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Present if the call passes only because of a grant. The verdict may be answered only while the grant is valid. */
  readonly lifted?: readonly Lift[];
  /** The family that all questions belong to: a person can accept it as a whole. */
  readonly family?: string;
  /** What a yes covers until the session ends. */
  readonly agreement?: readonly string[];
  /** The command by which a person could lift these objections; absent if nothing lifts them or there are none. */
  readonly wayOut?: "allow" | "pause" | "cancel";
}
