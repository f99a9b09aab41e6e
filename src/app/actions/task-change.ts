/** Claims a task, and ends it: done by what it asked for, or failed with a reason. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { standingsOf } from "../../evidence/verification.ts";
import { found, valuesIn } from "../../lib/buckets.ts";
import { inline } from "../../lib/text.ts";
import { CHECKS } from "../../state/check-names.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MessageRecord, TaskRecord } from "../../state/inbox/records.ts";
import { blockersOf, isEnded, type Task, type Tasks } from "../../state/inbox/tasks.ts";
import { lettersOf } from "../../state/letters/part.ts";
import { auditorIn } from "../../state/roles/names.ts";
import { newRid } from "../../store/journal/rid.ts";
import { type Actor, actorHere, rolesIn } from "../mail/actor.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { isHeld } from "../queries/inbox.ts";
import { workHere } from "../queries/work.ts";
import { addTask } from "./task-add.ts";

const RETRIES_MAX = 2;
const WHY_CHARS = 200;

export function taskNamed(tasks: Tasks, given: string): Task {
  const exact = found(tasks, given);
  const [task, ...others] = exact ? [exact] : valuesIn(tasks).filter(({ id }) => given !== "" && id.startsWith(given));
  if (!task)
    throw new Problem(`There is no task ${JSON.stringify(given.slice(0, 40))}. \`sekisho task list\` shows them.`);
  if (others.length > 0) throw new Problem(`Several tasks begin with "${given}". Give more of the id.`);
  return task;
}

/** Bound to the process of the session: when it ends, the task is free again. */
export function claimTask(place: Here, given: string, now = Date.now()): Task {
  const state = orFail(place.store.read(["inbox"]));
  rolesIn(place);
  const { tasks } = state.inbox;
  const task = taskNamed(tasks, given);
  const actor = actorHere(state, now);
  const client = actor.session === undefined ? undefined : state.sessions[actor.session]?.client;
  if (actor.session === undefined || !client)
    throw new Problem("Only a running session can claim a task: the claim ends with its process.");
  if (isEnded(task)) throw new Problem(`Task ${task.id} is ${task.status}.`);
  if (task.to !== undefined && task.to !== actor.name) throw new Problem(`Task ${task.id} is assigned to ${task.to}.`);
  const open = blockersOf(task, tasks);
  if (open.length > 0) throw new Problem(`Task ${task.id} waits for ${open.slice(0, 5).join(", ")}.`);
  const { holder } = task;
  const isOwn = holder?.session === actor.session;
  if (task.status === "in_progress" && isOwn) return task;
  if (task.status === "in_progress" && isHeld(holder))
    throw new Problem(`Task ${task.id} is held by ${holder?.actor} (process ${holder?.pid}), which is running.`);
  const attempt = task.attempt + 1;
  const record = {
    kind: "task",
    do: "claim",
    id: task.id,
    attempt,
    holder: { actor: actor.name, session: actor.session, ...client },
  } as const;
  const { after } = orFail(place.store.append(record, now, { durable: true, needs: ["inbox"] }));
  const claimed = found(after.inbox.tasks, task.id);
  // Somebody else was first.
  if (claimed?.holder?.session !== actor.session)
    throw new Problem(`Task ${task.id} was claimed by ${claimed?.holder?.actor}.`);
  return claimed;
}

/** What the task asked for must be there. A person may end it without, with a reason that is recorded. */
export function finishTask(
  place: Here,
  given: string,
  force?: string,
  now = Date.now(),
): { readonly id: string; readonly evidence: readonly string[] } {
  const { task, actor } = ownTask(place, given, now);
  const shown = (task.needs ?? []).map((need) => ({ need, ...shownFor(need, task, actor, place) }));
  const missing = shown.filter(({ isShown }) => !isShown);
  const isForced = force !== undefined && actor.session === undefined;
  if (isForced && force.trim() === "") throw new Problem("Say why: `sekisho task done ID --force REASON`.");
  if (missing.length > 0 && !isForced) {
    const lines = missing.map(({ need, words }) => `- ${need}: ${words}`);
    throw new Problem(`Task ${task.id} is not done yet. It asks for:\n${lines.join("\n")}${overruled(task, actor)}`);
  }
  const evidence = shown.filter(({ isShown }) => isShown).map(({ need, words }) => inline(`${need}: ${words}`, 120));
  const lacking = missing.map(({ need }) => need).join(", ");
  const word = `a person's word, without ${lacking}: ${force}`;
  const by = isForced && missing.length > 0 ? [...evidence, inline(word, WHY_CHARS)] : evidence;
  end(place, { kind: "task", do: "done", id: task.id, by: actor.name, ...attemptOf(task, actor), evidence: by }, now);
  report(place, task, actor, "report_completed", `${task.id} is done: ${task.title}`, now);
  if (task.audit && !task.audited) requestAudit(place, task, actor, now);
  return { id: task.id, evidence: by };
}

function overruled({ id }: Task, { session }: Actor): string {
  if (session !== undefined) return "";
  return `\nTo end it all the same, by your word: \`sekisho task done ${id} --force "reason"\`. Nothing was changed.`;
}

/** With `retry` the task is queued again, at most twice; then whoever assigned it decides. */
export function failTask(
  place: Here,
  given: string,
  { why, retry }: { readonly why: string; readonly retry: boolean },
  now = Date.now(),
): { readonly id: string; readonly retry: string | null } {
  const { task, actor } = ownTask(place, given, now);
  if (why.trim() === "") throw new Problem("Say why: `sekisho task fail ID --why TEXT`.");
  const reason = inline(why, WHY_CHARS);
  end(place, { kind: "task", do: "fail", id: task.id, by: actor.name, ...attemptOf(task, actor), why: reason }, now);
  const count = (task.retry ?? 0) + 1;
  const again = retry && count <= RETRIES_MAX;
  const id = again ? retried(place, task, count, now) : null;
  const words = again ? `${task.id} failed and is queued again as ${id}` : `${task.id} failed: ${reason}`;
  report(place, task, actor, "error_report", words, now);
  return { id: task.id, retry: id };
}

/** By whoever added it, or a person. What waits for it can begin. */
export function cancelTask(place: Here, given: string, why: string, now = Date.now()): { readonly id: string } {
  const { task, actor } = openTask(place, given, now);
  if (actor.session !== undefined && task.by !== actor.name)
    throw new Problem(`Task ${task.id} is from ${task.by}, who can cancel it.`);
  if (why.trim() === "") throw new Problem("Say why: `sekisho task cancel ID --why TEXT`.");
  const reason = inline(why, WHY_CHARS);
  end(place, { kind: "task", do: "cancel", id: task.id, by: actor.name, why: reason }, now);
  const { to } = task;
  if (to !== undefined)
    tell(place, task, to, actor, { type: "task_cancelled", subject: `${task.id} is cancelled: ${reason}` }, now);
  return { id: task.id };
}

function retried(place: Here, task: Task, retry: number, now: number): string {
  const base = task.retry_of ?? task.id;
  const { title, to, group, needs, blocked_by: before } = task;
  const wave = task.wave === undefined ? undefined : String(task.wave);
  const wish = { title, to, group, needs, wave, blocked_by: before?.filter((id) => id !== task.id), audit: task.audit };
  return addTask(place, { ...wish, id: `${base}_retry_${retry}`, retry, retry_of: base, by: task.by }, now).id;
}

function ownTask(place: Here, given: string, now: number): { readonly task: Task; readonly actor: Actor } {
  const { task, actor } = openTask(place, given, now);
  if (actor.session !== undefined && task.holder?.session !== actor.session)
    throw new Problem(`This session does not hold task ${task.id}. Begin it with \`sekisho task claim ${task.id}\`.`);
  return { task, actor };
}

function openTask(place: Here, given: string, now: number): { readonly task: Task; readonly actor: Actor } {
  const state = orFail(place.store.read(["inbox"]));
  rolesIn(place);
  const task = taskNamed(state.inbox.tasks, given);
  const actor = actorHere(state, now);
  if (isEnded(task)) throw new Problem(`Task ${task.id} is ${task.status} and stays so.`);
  return { task, actor };
}

/** A person ends a task whoever holds it. */
function attemptOf({ attempt }: Task, { session }: Actor): { readonly attempt?: number } {
  return session === undefined ? {} : { attempt };
}

function end({ store }: Here, record: TaskRecord, now: number): void {
  const { after } = orFail(store.append(record, now, { durable: true, needs: ["inbox"] }));
  const task = found(after.inbox.tasks, record.id);
  if (task && !isEnded(task))
    throw new Problem(`Task ${record.id} was taken over by ${task.holder?.actor ?? "another"} meanwhile.`);
}

interface Shown {
  readonly isShown: boolean;
  readonly words: string;
}

function shownFor(need: string, task: Task, actor: Actor, place: Here): Shown {
  const [kind = "", what = ""] = need.split(/:(.*)/s);
  if (kind === "file") return fileShown(what, place);
  if (kind === "check") return checkShown(what, actor);
  return reportShown(task, actor, place);
}

function fileShown(path: string, { places }: Here): Shown {
  const full = join(places.project, path);
  const isInside = !relative(places.project, full).startsWith("..");
  const isShown = isInside && existsSync(full);
  return { isShown, words: isShown ? "is there" : "is not there" };
}

function checkShown(name: string, { session }: Actor): Shown {
  const { tree, known } = workHere(session);
  const wanted = standingsOf(tree, { ...known, verify: { ...known.verify, require: CHECKS } }).find(
    ({ check }) => check === name,
  );
  const isShown = wanted?.standing === "passed" || wanted?.standing === "covered";
  // A command in a person's own terminal passes no hook, so only `verify` records it.
  const command = session === undefined ? "sekisho verify" : wanted?.command;
  const how = wanted?.command === undefined ? "" : `; run \`${command}\``;
  return { isShown, words: isShown ? "passed" : `${wanted?.standing ?? "this project has no such check"}${how}` };
}

/** Where a person ends the task, the report is that of the agent that had it. */
function reportShown({ by, at, to, holder }: Task, { name, session }: Actor, { store }: Here): Shown {
  const { letters } = orFail(store.read(["letters"]));
  const worker = session === undefined ? (holder?.actor ?? to ?? name) : name;
  const isShown = lettersOf(letters, by).some((letter) => letter.from === worker && !letter.note && letter.at >= at);
  if (!isShown && worker !== name) return { isShown, words: `${worker} has sent none to ${by}` };
  return { isShown, words: isShown ? `sent to ${by}` : `send one: \`sekisho inbox send ${by} TEXT\`` };
}

function report(place: Here, task: Task, actor: Actor, type: string, subject: string, now: number): void {
  tell(place, task, task.by, actor, { type, subject }, now);
}

/** Nobody tells itself. */
function tell(
  place: Here,
  task: Task,
  to: string,
  { name, session }: Actor,
  { type, subject }: Pick<MessageRecord, "type" | "subject">,
  now: number,
): void {
  if (to === name) return;
  const record: MessageRecord = {
    ...{ kind: "message", id: newRid(), to, from: name, type, subject: inline(subject), thread: task.id },
    ...(task.request_id !== undefined && { request_id: task.request_id }),
    ...(session !== undefined && { session }),
  };
  orFail(place.store.append(record, now, { durable: true }));
}

/** Once for each task. */
function requestAudit(place: Here, task: Task, { name, session }: Actor, now: number): void {
  const auditor = auditorIn(rolesIn(place));
  if (auditor === undefined || auditor === name) return;
  orFail(place.store.append({ kind: "task", do: "audited", id: task.id }, now));
  const message: MessageRecord = {
    ...{ kind: "message", id: madeId(`audit ${task.id}`), to: auditor, from: name, type: "audit_request" },
    ...{
      subject: inline(`Audit ${task.id}: ${task.title}`),
      thread: task.id,
      ...(session !== undefined && { session }),
    },
  };
  orFail(place.store.append(message, now, { durable: true }));
}
