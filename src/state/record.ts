/** Shape of a journal line. A record is an event that happened; the state is the fold of all records. */

import type { Change } from "./change.ts";
import type { ClaimRecord } from "./claims/records.ts";
import type { Decision } from "./decision.ts";
import type { BlobRef, ImportRecord, InboxRecord } from "./inbox/records.ts";
import type { RunRecord } from "./runs/records.ts";
import type { VoidReason } from "./signed.ts";
import type { WakeRecord } from "./wakes/record.ts";

/** Fields of every record. `t` is milliseconds since the epoch; the order is the journal's, not the clock's. */
export interface Stamp {
  readonly rid: string;
  readonly t: number;
}

/** Why a policy objected, in the words that were shown. */
export interface ObjectionRecord {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: string;
  readonly fix: string;
  /** Set when the objection comes from a failure of Sekisho and not from the policy's ruling. */
  readonly fault?: string;
  /** No grant lifts it. */
  readonly floor?: true;
}

/** An objection that did not count: a person had granted permission, or it was about trust and nobody was there. */
export interface LiftRecord {
  readonly policy: string;
  readonly decision: Decision;
  readonly what: string;
  /** The id of the grant, `pause`, `headless` or `agreed`. */
  readonly by: string;
}

/** Classification of an attempted tool use before it ran. */
export interface OperationRecord {
  readonly class: string;
  readonly domain: string;
  readonly risk: string;
}

/** How trust and risk were weighed for an attempt. */
export interface WeighingRecord {
  /** The least trusted domain, where it differs from the domain of the attempt. */
  readonly domain?: string;
  readonly score: number;
  readonly autonomy: number;
  /** auto_approved, logged_only, human_required or blocked. */
  readonly grade: string;
  readonly model: string;
  readonly stance: string;
}

/** A host event and its answer. Every event that reaches Sekisho leaves one record. */
export interface VerdictRecord {
  readonly kind: "verdict";
  readonly event: string;
  readonly session: string;
  readonly decision: Decision;
  /** The subagent that acted; absent for the main agent. */
  readonly agent?: { readonly id: string; readonly type: string };
  readonly cwd?: string;
  readonly tool?: string;
  readonly call?: string;
  /** Masked; of a long text the beginning and a digest. */
  readonly input?: unknown;
  /** Where the input is whole, if the record has only a part of it. */
  readonly whole?: BlobRef;
  readonly operation?: OperationRecord;
  readonly weighed?: WeighingRecord;
  readonly objections?: readonly ObjectionRecord[];
  /** The policies that were asked, in table order. Recorded only with objections. */
  readonly asked?: readonly string[];
  /** Digest of the exact tool use, unmasked. Recorded where a person may grant it, because the grant is bound to it. */
  readonly effect?: string;
  /** The shape for recognizing similar commands, where a person was asked. */
  readonly shape?: string;
  /** The family of all questions of this verdict. */
  readonly family?: string;
  /** What a yes covers until the session ends. */
  readonly agreement?: readonly string[];
  readonly lifted?: readonly LiftRecord[];
  /** Policies that would have refused the end of the turn, and why it was allowed anyway. */
  readonly released?: readonly { readonly policy: string; readonly why: string }[];
  readonly changes?: readonly Change[];
  /** Characters of context added for the agent by this answer. */
  readonly injected?: number;
  /** The event did not come from the host's own process, so it changes nothing that counts as evidence. */
  readonly unbound?: true;
  readonly ms?: number;
}

/** A failure of Sekisho itself. Never contains raw input. */
export interface FaultRecord {
  readonly kind: "fault";
  readonly event: string;
  readonly session: string;
  readonly where: string;
  readonly message: string;
  readonly tool?: string;
  /** Characters with which the agent was told about it. */
  readonly injected?: number;
}

/** A change made by a person on the command line, or by the setup. */
export interface ActionRecord {
  readonly kind: "action";
  readonly action: string;
  readonly detail?: string;
  readonly session?: string;
  readonly changes?: readonly Change[];
  /** The hooks in a settings file were changed to start another program. */
  readonly moved?: { readonly file: string; readonly from: StartedProgram; readonly to: StartedProgram };
  /** A person's signature over the record, in base64url. See ADR 0036. */
  readonly sig?: string;
  /** Set by the store when it reads a record that claims a person's authority without having it; never stored. */
  readonly void?: VoidReason;
}

/** The program that a hook starts. */
export interface StartedProgram {
  readonly node: string;
  readonly bundle: string;
}

/** Files that a command would destroy were saved, or saved files were restored. */
export interface UndoRecord {
  readonly kind: "undo";
  /** `nothing`: everything had to be left out, and the agent was told. */
  readonly do: "keep" | "nothing" | "bring-back";
  /** Id of the snapshot; empty when there is none. */
  readonly id: string;
  readonly session: string;
  readonly call?: string;
  /** Masked and cut. */
  readonly command?: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that were not saved, or not restored because something else is there now. */
  readonly left?: number;
  /** SHA-256 of the list of saved files. */
  readonly manifest?: string;
  readonly injected?: number;
}

/** Changes to the agent's context files before the host compacted the conversation. */
export interface ContextRecord {
  readonly kind: "context";
  readonly session: string;
  /** Entries found in progress.md, and how many were moved to the archive. */
  readonly entries: number;
  readonly archived: number;
  /** The newest headings, masked and cut. */
  readonly headings: readonly string[];
  /** Whether the date was written to task_plan.md. */
  readonly stamped: boolean;
  /** Files left unchanged, with the reason. */
  readonly left?: readonly string[];
}

/** A formatter of the project changed a file after an edit, or failed. */
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

/** Sekisho committed a step of a plan that had passed, or could not. */
export interface CommitRecord {
  readonly kind: "commit";
  readonly session: string;
  readonly plan: string;
  readonly step: string;
  /** How many files. */
  readonly files: number;
  readonly commit?: string;
  /** Why it was not made. */
  readonly problem?: string;
  readonly injected?: number;
}

export type RecordBody =
  | VerdictRecord
  | FaultRecord
  | ActionRecord
  | UndoRecord
  | ContextRecord
  | FormatRecord
  | CommitRecord
  | InboxRecord
  | ClaimRecord
  | ImportRecord
  | RunRecord
  | WakeRecord;
export type JournalRecord = RecordBody & Stamp;
