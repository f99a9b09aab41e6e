/** The shape of a line in the journal. A record is a fact that happened; the state is the fold of all of them. */
import type { Change } from "./change.ts";
import type { Decision } from "./decision.ts";

/** What every record carries. `t` is milliseconds since the epoch; order is the journal's, not the clock's. */
export interface Stamp {
  readonly rid: string;
  readonly t: number;
}

/** Why a policy objected, in the words that were spoken. */
export interface ObjectionRecord {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: string;
  readonly fix: string;
  /** Set when the objection came from our own failure and not from the policy's judgement. */
  readonly fault?: string;
  /** No person's leave lifts it. */
  readonly floor?: true;
}

/** An objection that did not count, because a person had let this pass. */
export interface LiftRecord {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: string;
  /** The id of the grant, or `pause`. */
  readonly by: string;
}

/** What an attempted tool use was, as far as it could be told before it ran. */
export interface OperationRecord {
  readonly class: string;
  readonly domain: string;
  readonly risk: string;
}

/** How trust and risk were weighed for an attempt. */
export interface WeighingRecord {
  /** The least trusted kind of work in it, where that is not the one that speaks for the attempt. */
  readonly domain?: string;
  readonly score: number;
  readonly autonomy: number;
  /** auto_approved, logged_only, human_required or blocked. */
  readonly grade: string;
  readonly model: string;
  readonly stance: string;
}

/** One event of the host and what was answered. Every event that reaches us leaves one. */
export interface VerdictRecord {
  readonly kind: "verdict";
  readonly event: string;
  readonly session: string;
  readonly decision: Decision;
  /** Set for subagents: who acted. */
  readonly agent?: { readonly id: string; readonly type: string };
  readonly cwd?: string;
  readonly tool?: string;
  readonly call?: string;
  /** Masked, and cut with a digest where it was long. */
  readonly input?: unknown;
  readonly operation?: OperationRecord;
  readonly weighed?: WeighingRecord;
  readonly objections?: readonly ObjectionRecord[];
  /** The policies that were asked, in the order of the law. Kept for objections only. */
  readonly asked?: readonly string[];
  /** Digest of the exact tool use, unmasked. Kept where a person may let it pass: it is what their leave is bound to. */
  readonly effect?: string;
  /** What others may be like it, where a person was asked. */
  readonly shape?: string;
  readonly lifted?: readonly LiftRecord[];
  /** Who would have refused the end of a turn, and why it was let go all the same. */
  readonly released?: readonly { readonly policy: string; readonly why: string }[];
  readonly changes?: readonly Change[];
  /** Characters of context given to the agent with this answer. */
  readonly injected?: number;
  /** The event did not come from the client's own process: it changes nothing that counts as evidence. */
  readonly unbound?: true;
  readonly ms?: number;
}

/** Something of ours failed. Never holds raw input. */
export interface FaultRecord {
  readonly kind: "fault";
  readonly event: string;
  readonly session: string;
  readonly where: string;
  readonly message: string;
  readonly tool?: string;
  /** The agent was told of it. */
  readonly injected?: number;
}

/** A person, through the command line, or the set-up changed something. */
export interface ActionRecord {
  readonly kind: "action";
  readonly action: string;
  readonly detail?: string;
  readonly session?: string;
  readonly changes?: readonly Change[];
  /** The hooks in a settings file were pointed from one program to another. */
  readonly moved?: { readonly file: string; readonly from: StartedProgram; readonly to: StartedProgram };
}

/** What a hook of ours starts. */
export interface StartedProgram {
  readonly node: string;
  readonly bundle: string;
}

/** What a command would destroy was kept, or what was kept was brought back. */
export interface UndoRecord {
  readonly kind: "undo";
  /** `nothing`: all of it had to be left out, and the agent was told so. */
  readonly do: "keep" | "nothing" | "bring-back";
  /** Of the snapshot; empty where there is none. */
  readonly id: string;
  readonly session: string;
  readonly call?: string;
  /** Masked, and cut. */
  readonly command?: string;
  readonly files: number;
  readonly bytes: number;
  /** What was not kept, or stays as it is because something else stands there now. */
  readonly left?: number;
  /** SHA-256 of the list of what was kept. */
  readonly manifest?: string;
  readonly injected?: number;
}

/** What was done to the agent's context files before the host made its conversation shorter. */
export interface ContextRecord {
  readonly kind: "context";
  readonly session: string;
  /** Found in progress.md, and how many of them went to the archive. */
  readonly entries: number;
  readonly archived: number;
  /** The newest, masked and cut. */
  readonly headings: readonly string[];
  /** Whether task_plan.md has the date now. */
  readonly stamped: boolean;
  /** What was left as it was, and why. */
  readonly left?: readonly string[];
}

/** After an edit a formatter of the project changed the file, or failed at it. */
export interface FormatRecord {
  readonly kind: "format";
  readonly session: string;
  readonly call?: string;
  readonly path: string;
  /** The formatter's name. */
  readonly by: string;
  /** Why it failed. */
  readonly problem?: string;
  readonly injected?: number;
}

export type RecordBody = VerdictRecord | FaultRecord | ActionRecord | UndoRecord | ContextRecord | FormatRecord;
export type JournalRecord = RecordBody & Stamp;
