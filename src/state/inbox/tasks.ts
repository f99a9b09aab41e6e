/** Tasks: who does what, in which order, and who holds which one now. */
import { type Buckets, found, valuesIn, withEntry, withoutEntry } from "../../lib/buckets.ts";
import type { Holder, TaskFields, TaskRecord, TaskStatus } from "./records.ts";

export interface Task extends Omit<TaskFields, "status"> {
  readonly id: string;
  readonly status: TaskStatus;
  readonly at: number;
  /** How often it was begun. */
  readonly attempt: number;
  readonly holder?: Holder;
  readonly evidence?: readonly string[];
  readonly why?: string;
  readonly endedAt?: number;
  /** Its audit was requested. */
  readonly audited?: true;
}

export type Tasks = Buckets<Task>;

/** Finished tasks that are kept. */
const DONE_KEPT = 200;

const ENDED: ReadonlySet<TaskStatus> = new Set(["done", "failed", "cancelled"]);

export function isEnded({ status }: Pick<Task, "status">): boolean {
  return ENDED.has(status);
}

/** A record that comes too late changes nothing: an ended task stays as it is, and an old claim does not count. */
export function foldTask(tasks: Tasks, record: TaskRecord, at: number): Tasks {
  const task = found(tasks, record.id);
  if (record.do === "add") return task ? tasks : withEntry(tasks, record.id, begun(record, at));
  if (!task) return tasks;
  const next = changed(task, tasks, record, at);
  if (next === task) return tasks;
  return isEnded(next) ? trimmed(withEntry(tasks, next.id, next)) : withEntry(tasks, next.id, next);
}

function begun({ kind: _, do: __, session: ___, ...fields }: TaskRecord & { readonly do: "add" }, at: number): Task {
  const status = fields.status ?? (fields.to === undefined ? "pending" : "assigned");
  return { ...fields, status, at, attempt: 0, ...(ENDED.has(status) && { endedAt: at }) };
}

function changed(task: Task, tasks: Tasks, record: TaskRecord, at: number): Task {
  if (record.do === "audited") return { ...task, audited: true };
  if (isEnded(task)) return task;
  switch (record.do) {
    case "assign":
      return { ...without(task), to: record.to, status: "assigned" };
    case "claim":
      return claimed(task, tasks, record);
    case "release":
      return isOfAttempt(task, record) && task.status === "in_progress"
        ? { ...without(task), status: "assigned", why: record.why }
        : task;
    case "done":
      return isOfAttempt(task, record) ? ended(task, "done", at, { evidence: record.evidence ?? [] }) : task;
    case "fail":
      return isOfAttempt(task, record) ? ended(task, "failed", at, { why: record.why }) : task;
    case "cancel":
      return ended(task, "cancelled", at, { why: record.why });
    default:
      return task;
  }
}

function claimed(task: Task, tasks: Tasks, { attempt, holder }: TaskRecord & { readonly do: "claim" }): Task {
  const isTheirs = task.to === undefined || task.to === holder.actor;
  if (!isTheirs || attempt !== task.attempt + 1 || blockersOf(task, tasks).length > 0) return task;
  return { ...task, to: holder.actor, status: "in_progress", attempt, holder };
}

/** A person ends a task whoever began it, and names no attempt. */
function isOfAttempt(task: Task, { attempt }: { readonly attempt?: number }): boolean {
  return attempt === undefined || attempt === task.attempt;
}

function without({ holder: _, ...task }: Task): Task {
  return task;
}

function ended(task: Task, status: TaskStatus, at: number, how: Partial<Task>): Task {
  return { ...task, status, endedAt: at, ...how };
}

/** A failed task may still be waited for; a finished one that is gone counts as done. */
function trimmed(tasks: Tasks): Tasks {
  const done = valuesIn(tasks).filter(({ status }) => status === "done" || status === "cancelled");
  if (done.length <= DONE_KEPT) return tasks;
  const [oldest] = done.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  return oldest ? withoutEntry(tasks, oldest.id) : tasks;
}

/** The tasks that must end first: those it names, and those of earlier waves of its command. */
export function blockersOf({ id, blocked_by = [], group, wave }: Task, tasks: Tasks): readonly string[] {
  const isOpen = (task: Task | undefined): boolean =>
    task !== undefined && task.status !== "done" && task.status !== "cancelled" && !isRetried(task, tasks);
  const before = blocked_by.flatMap((other) => {
    const last = lastTry(found(tasks, other), tasks);
    return last && isOpen(last) ? [last.id] : [];
  });
  if (group === undefined || wave === undefined) return before;
  const earlier = valuesIn(tasks).filter(
    (task) => task.id !== id && task.group === group && (task.wave ?? wave) < wave && isOpen(task),
  );
  return [...new Set([...before, ...earlier.map((task) => task.id)])];
}

/** What waits for a task that failed waits for the one that was queued in its place. */
function lastTry(task: Task | undefined, tasks: Tasks): Task | undefined {
  if (task?.status !== "failed") return task;
  const first = task.retry_of ?? task.id;
  const tries = valuesIn(tasks).filter(({ retry_of: of }) => of === first);
  return tries.reduce((last, one) => ((one.retry ?? 0) > (last.retry ?? 0) ? one : last), task);
}

function isRetried(task: Task, tasks: Tasks): boolean {
  return lastTry(task, tasks) !== task;
}

/** The status that people see: a task that waits for others is blocked, whoever it is assigned to. */
export function statusOf(task: Task, tasks: Tasks): TaskStatus {
  if (isEnded(task) || task.status === "in_progress" || task.status === "blocked") return task.status;
  return blockersOf(task, tasks).length > 0 ? "blocked" : task.status;
}

/** A chain of tasks that wait for one another, or undefined. */
export function cycleIn(edges: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (id: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id)) return undefined;
    for (const next of Object.hasOwn(edges, id) ? (edges[id] ?? []) : []) {
      const cycle = walk(next, [...path, id]);
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(edges)) {
    const cycle = walk(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}
