/** The records of messages, of what happened to them, and of tasks. See ADR 0053. */

import type { Ranges } from "../../lib/ranges.ts";

/** A text beside the journal, by its SHA-256. */
export interface BlobRef {
  readonly sha256: string;
  readonly bytes: number;
}

export const IMPORTANCE = ["low", "normal", "high", "urgent"] as const;
export type Importance = (typeof IMPORTANCE)[number];

/** The place of an entry in a file of another tool. Together with the digest it tells whether the entry was imported. */
export interface Origin {
  readonly file: string;
  /** The list in the file, such as `reports`; empty if the file itself is the entry. */
  readonly key: string;
  readonly index: number;
  readonly digest: string;
}

/** The words of a message by their digests: of the whole and of its beginning. */
interface Marks {
  readonly mark: string;
  readonly head: string;
  readonly chars: number;
}

/** What the sender's end knows of a message that a tool of the host took. */
export interface NativeEnd extends Marks {
  /** Who it goes to: another session, a subagent, the main agent, a teammate. */
  readonly reach: string;
  /** The session that the name meant, where the host's registry told. */
  readonly reader_session?: string;
  /** The host's own id. */
  readonly ref?: string;
  /** The host did not take it. */
  readonly why?: string;
}

/** What the reader's end knows. */
export interface Arrival extends Marks {
  readonly from: string;
  readonly reader?: string;
}

export interface MessageRecord {
  readonly kind: "message";
  /** Made by the sender, who may send the same message again when it doesn't know whether it was kept. */
  readonly id: string;
  /** The inbox. */
  readonly to: string;
  readonly from: string;
  /** What it is about: task_assigned, report_completed, error_report and the like. */
  readonly type: string;
  readonly subject: string;
  /** The whole body, or its beginning if `blob` names the whole. */
  readonly body?: string;
  readonly blob?: BlobRef;
  /** Absent: normal. */
  readonly importance?: Importance;
  readonly ack?: true;
  readonly thread?: string;
  readonly reply_to?: string;
  readonly request_id?: string;
  /** Data for programs, as JSON; `data` names it where it is long. */
  readonly payload?: string;
  readonly data?: BlobRef;
  /** Written by an observer and not by an agent: it counts as read once it was delivered. */
  readonly note?: true;
  /** The sender's session; absent for a person. */
  readonly session?: string;
  /** Not delivered after this time. */
  readonly expires?: number;
  readonly origin?: Origin;
  /** The file of the queue that another tool wrote it to. */
  readonly file?: string;
  /** The time of an imported message. */
  readonly created_at?: number;
  /** It was imported, and its reader had read it. */
  readonly read?: true;
  /** It was sent with a tool of the host. It waits in no inbox of ours. See ADR 0059. */
  readonly native?: NativeEnd;
  /** The id of the message of the host that this one repeats, because that one did not arrive. */
  readonly of?: string;
}

/** What happened to messages of one inbox, by their numbers in it. `upto` covers that number and all lower ones. */
export interface MailRecord {
  readonly kind: "mail";
  readonly do: "deliver" | "read" | "ack" | "escalate" | "fail" | "drain" | "lost" | "arrive" | "fate";
  readonly box: string;
  readonly numbers?: Ranges;
  readonly upto?: number;
  /** `lost`: the ids of requests. `fate`: of messages of the host, ours or its own. */
  readonly ids?: readonly string[];
  /** `arrive`: a message of the host has reached its reader. */
  readonly arrival?: Arrival;
  /** Delivered notifications count as read. */
  readonly notes?: true;
  readonly why?: string;
  readonly session?: string;
}

export const TASK_STATUSES = ["pending", "assigned", "in_progress", "blocked", "done", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The process of the session that works on a task. */
export interface Holder {
  readonly actor: string;
  readonly session: string;
  readonly pid: number;
  readonly started: string;
  readonly boot?: string;
}

export interface TaskFields {
  readonly title: string;
  readonly to?: string;
  readonly by: string;
  readonly body?: string;
  readonly blob?: BlobRef;
  /** The command that it is a part of. Its waves are worked on one after the other. */
  readonly group?: string;
  readonly wave?: number;
  readonly blocked_by?: readonly string[];
  /** What must be seen before it is done: `check:test`, `file:PATH`, `report`. */
  readonly needs?: readonly string[];
  readonly audit?: true;
  readonly request_id?: string;
  readonly retry?: number;
  readonly retry_of?: string;
  /** A status of another tool that ours has no word for. */
  readonly foreign?: string;
  readonly status?: TaskStatus;
}

export type TaskRecord = { readonly kind: "task"; readonly id: string; readonly session?: string } & (
  | ({ readonly do: "add" } & TaskFields)
  | { readonly do: "assign"; readonly to: string; readonly by: string }
  /** `attempt` is one more than the last one: of several claims at once, the first counts. */
  | { readonly do: "claim"; readonly attempt: number; readonly holder: Holder }
  | { readonly do: "release"; readonly attempt: number; readonly why: string }
  | { readonly do: "done"; readonly by: string; readonly attempt?: number; readonly evidence?: readonly string[] }
  | { readonly do: "fail"; readonly by: string; readonly attempt?: number; readonly why: string }
  | { readonly do: "cancel"; readonly by: string; readonly why: string }
  | { readonly do: "audited" }
);

/** The layout of an imported file: what stands in it beside the entries. */
export interface ImportRecord {
  readonly kind: "import";
  readonly file: string;
  readonly digest: string;
  /** The keys at the top, in order, with the number of entries of each list. */
  readonly keys: readonly (readonly [string, number])[];
  /** The values that are no entries, as JSON. */
  readonly rest?: string;
  readonly data?: BlobRef;
}

export type InboxRecord = MessageRecord | MailRecord | TaskRecord;
