/** Messages, tasks and agents as people and programs see them. */
import type { Box } from "../state/inbox/box.ts";
import { type Native, nativeState } from "../state/inbox/native.ts";
import { blockersOf, statusOf, type Task, type Tasks } from "../state/inbox/tasks.ts";
import { type Letter, type LetterState, stateOf } from "../state/letters/part.ts";
import type { Standing } from "../state/roles/names.ts";
import { isoTime } from "./time.ts";

export interface LetterView {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly importance: string;
  readonly ack_required: boolean;
  readonly thread: string | null;
  readonly reply_to: string | null;
  readonly request_id: string | null;
  readonly payload: string | null;
  readonly created_at: string;
  readonly read_at: string | null;
  readonly state: LetterState;
  /** `host`: it went through a tool of the host, and only its arrival is known here. */
  readonly channel: "inbox" | "host";
  /** Of a message of the host: why it has not arrived, or how many of its characters did. */
  readonly why: string | null;
}

export function letterView(
  letter: Letter,
  box: Pick<Box, "marks" | "escalated">,
  now: number,
  body: string,
  failedUpto = 0,
): LetterView {
  const { id, to, from, type, subject, importance = "normal", ack = false, at, readAt } = letter;
  return {
    ...{ id, to, from, kind: type, subject, body: body === "" ? subject : body, importance, ack_required: ack },
    thread: letter.thread ?? null,
    reply_to: letter.reply_to ?? null,
    request_id: letter.request_id ?? null,
    payload: letter.payload ?? null,
    created_at: isoTime(at),
    read_at: readAt === undefined ? null : isoTime(readAt),
    state: stateOf(letter, box, now, failedUpto),
    ...{ channel: "inbox", why: letter.failed ?? null },
  };
}

export function nativeView(message: Native, body: string): LetterView {
  const { id, to, from, subject, at, arrivedAt, cut, why, chars } = message;
  return {
    ...{ id, to, from, kind: "message", subject, body: body === "" ? subject : body, importance: "normal" },
    ...{ ack_required: false, thread: null, reply_to: null, request_id: null, payload: null },
    created_at: isoTime(at),
    // The host shows a message as it arrives.
    read_at: arrivedAt === undefined ? null : isoTime(arrivedAt),
    ...{ state: nativeState(message), channel: "host" },
    why: cut === undefined ? (why ?? null) : `only ${cut} of ${chars} characters arrived`,
  };
}

export interface TaskView {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly to: string | null;
  readonly by: string;
  readonly body: string;
  readonly group: string | null;
  readonly wave: number | null;
  readonly blocked_by: readonly string[];
  readonly needs: readonly string[];
  readonly attempt: number;
  readonly holder: string | null;
  readonly evidence: readonly string[];
  readonly why: string | null;
  readonly created_at: string;
}

/** `isHeld`: the process that claimed it runs. A task whose process ended is free again. */
export function taskView(task: Task, tasks: Tasks, isHeld: boolean, body: string): TaskView {
  const {
    id,
    title,
    to = null,
    by,
    group = null,
    wave = null,
    needs = [],
    attempt,
    holder,
    evidence = [],
    why = null,
  } = task;
  const status = statusOf(task, tasks);
  const isFree = status === "in_progress" && !isHeld;
  return {
    ...{ id, title, to, by, body, group, wave, needs, attempt, evidence, why },
    status: task.foreign ?? (isFree ? "assigned" : status),
    blocked_by: blockersOf(task, tasks),
    holder: isFree ? null : (holder?.actor ?? null),
    created_at: isoTime(task.at),
  };
}

export interface AgentView {
  readonly name: string;
  readonly supervisor: string | null;
  readonly exempt: boolean;
  readonly session: string | null;
  /** `absent`: no session has this name now. */
  readonly state: "running" | "ended" | "absent";
  readonly last_seen: string | null;
  readonly waiting: number;
  /** Messages of the host that were sent to it and have not arrived. */
  readonly not_arrived: number;
  readonly tasks: readonly string[];
}

interface Seen {
  readonly standing: Standing;
  readonly waiting: number;
  readonly notArrived?: number;
  readonly tasks: readonly string[];
  readonly session?: string;
  readonly lastAt?: number;
  readonly isRunning?: boolean;
}

export function agentView(name: string, seen: Seen): AgentView {
  const { standing, waiting, notArrived = 0, tasks, session, lastAt, isRunning } = seen;
  return {
    name,
    supervisor: standing.supervisor === "" ? null : standing.supervisor,
    exempt: standing.isExempt,
    session: session ?? null,
    state: session === undefined ? "absent" : isRunning ? "running" : "ended",
    last_seen: lastAt === undefined ? null : isoTime(lastAt),
    waiting,
    not_arrived: notArrived,
    tasks,
  };
}

export interface ClaimView {
  readonly files: string;
  readonly root: string;
  readonly holder: string;
  /** `changed`: it has uncommitted changes of the holder. */
  readonly how: "reserved" | "changed";
  readonly since: string;
}

interface Held {
  readonly glob: string;
  readonly root: string;
  readonly name: string;
  readonly how: ClaimView["how"];
  readonly at: number;
}

export function claimView({ glob, root, name, how, at }: Held): ClaimView {
  return { files: glob, root, holder: name, how, since: isoTime(at) };
}
