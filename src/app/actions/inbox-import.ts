/** Imports inbox files of multi-agent-shogun and its origin, and writes them again. */
import { basename } from "node:path";
import { found } from "../../lib/buckets.ts";
import { own } from "../../lib/keyed.ts";
import { mask } from "../../lib/secrets.ts";
import { inline } from "../../lib/text.ts";
import { type QueueDocument, type QueueFields, queueEntry, queueFrom, queueOf } from "../../state/inbox/queue.ts";
import { TASK_STATUSES, type TaskRecord, type TaskStatus } from "../../state/inbox/records.ts";
import { cycleIn, type Tasks } from "../../state/inbox/tasks.ts";
import { type Letter, lettersOf } from "../../state/letters/part.ts";
import { actorFrom } from "../../state/roles/names.ts";
import { ACTOR_NAME } from "../../state/roles/role.ts";
import { keepBlob, readBlob } from "../../store/blobs/blobs.ts";
import { sha256Hex } from "../../store/digest.ts";
import { documentsText, QueueProblem, readQueueDocuments } from "../../store/settings/queue-file.ts";
import { rolesIn } from "../mail/actor.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";

export interface ImportedQueue {
  readonly file: string;
  readonly box: string;
  readonly entries: number;
  /** Entries that were not imported before. */
  readonly added: number;
  readonly tasks: number;
}

/** Idempotent: an entry with the same file, place and content is imported once. */
export function importQueue(place: Here, path: string, now = Date.now()): ImportedQueue {
  const { store, places } = place;
  rolesIn(place);
  const document = documentIn(path);
  const file = inline(basename(path), 120);
  const box = boxOf(file, place);
  const kept = mask(document) as QueueDocument;
  const json = JSON.stringify(kept);
  const data = orFail(keepBlob(places.journal, json, { isMasked: true }));
  const { letters } = orFail(store.read(["letters"]));
  const known = own(letters.imports, file)?.digest;
  if (known === data.sha256) return { file, box, entries: kept.entries.length, added: 0, tasks: 0 };
  const there = new Set(lettersOf(letters, box).map(({ id }) => id));
  const fresh = kept.entries.map((one) => drafted(one, file, box, data)).filter(({ id }) => !there.has(id));
  refuseCycles(kept, path);
  for (const record of fresh) orFail(store.append({ kind: "message", ...record }, now));
  const tasks = tasksIn(kept, box, letters.inbox.tasks);
  for (const record of tasks) orFail(store.append(record, now));
  // Last and flushed: an import that was broken off begins again, and what it had imported counts once.
  const layout = { kind: "import", file, digest: data.sha256, keys: [], data } as const;
  orFail(store.append(layout, now, { durable: true }));
  return { file, box, entries: kept.entries.length, added: fresh.length, tasks: tasks.length };
}

function documentIn(path: string): QueueDocument {
  try {
    const documents = readQueueDocuments(path);
    if (documents === undefined) throw new Problem(`There is no file ${inline(path)}.`);
    const document = queueOf(documents);
    if (!document) throw new Problem(`${inline(path)} is no queue file: it has no map at its top.`);
    return document;
  } catch (error) {
    if (error instanceof QueueProblem) throw new Problem(error.message);
    throw error;
  }
}

/** `ashigaru1.yaml` and `…__inbox__ashigaru1@67ad2064.yaml` belong to ashigaru1. */
function boxOf(file: string, place: Here): string {
  const stem = file.replace(/\.ya?ml$/, "").replace(/@[^@]*$/, "");
  const name = (stem.split("__").at(-1) ?? "").slice(0, 40);
  return actorFrom(name, place.settings.settings.roles) ?? (ACTOR_NAME.test(name) ? name : "imported");
}

type Placed = QueueDocument["entries"][number];

function drafted({ key, index, fields }: Placed, file: string, box: string, data: NonNullable<Letter["data"]>) {
  const { from, type, subject, isRead, isNote, isTask } = queueEntry(fields, key, file);
  const digest = sha256Hex(JSON.stringify(fields)).slice(0, 16);
  return {
    id: `i${sha256Hex(`${file} ${key} ${index} ${digest}`).slice(0, 15)}`,
    ...{ to: box, from: inline(from, 40), type: inline(type, 40), subject: inline(subject), data },
    origin: { file, key, index, digest },
    ...(isNote && { note: true as const }),
    // An open task waits as a task and not as a message.
    ...((isRead || isTask) && { read: true as const }),
  };
}

function textOf(fields: QueueFields, name: string): string {
  return typeof fields[name] === "string" ? fields[name] : "";
}

/** Open tasks are tasks here too. A status that we have no word for is kept as it is. */
function tasksIn({ entries }: QueueDocument, box: string, tasks: Tasks): readonly TaskRecord[] {
  return entries.flatMap(({ key, fields }): readonly TaskRecord[] => {
    const id = textOf(fields, "subtask_id");
    const status = textOf(fields, "status");
    const isOver = ["done", "completed", "cancelled", "failed"].includes(status);
    if (key !== "tasks" || isOver || !/^[\w.-]{1,60}$/.test(id) || found(tasks, id)) return [];
    const known = TASK_STATUSES.find((one): one is TaskStatus => one === status);
    const { wave, blocked_by: before } = fields;
    return [
      {
        ...{ kind: "task", do: "add", id, to: box, by: inline(textOf(fields, "assigned_by") || "unknown", 40) },
        title: inline(textOf(fields, "description").trim().split("\n")[0] || id),
        // A claim belongs to a process, and there is none.
        status: known === undefined || known === "in_progress" ? "assigned" : known,
        ...(known === undefined && { foreign: inline(status, 40) }),
        ...(textOf(fields, "cmd_id") !== "" && { group: inline(textOf(fields, "cmd_id"), 60) }),
        ...(typeof wave === "number" && { wave }),
        ...(Array.isArray(before) && { blocked_by: before.map(String).slice(0, 10) }),
        ...(fields["needs_audit"] === true && { audit: true as const }),
        ...(textOf(fields, "request_id") !== "" && { request_id: inline(textOf(fields, "request_id"), 40) }),
      },
    ];
  });
}

function refuseCycles({ entries }: QueueDocument, path: string): void {
  const edges = entries.flatMap(({ fields }) => {
    const before = fields["blocked_by"];
    return Array.isArray(before) ? [[textOf(fields, "subtask_id"), before.map(String)] as const] : [];
  });
  const cycle = cycleIn(Object.fromEntries(edges));
  if (cycle) throw new Problem(`${inline(path)}: these tasks wait for one another: ${cycle.join(" → ")}.`);
}

export function importedFiles({ store }: Here): readonly string[] {
  return Object.keys(orFail(store.read(["letters"])).letters.imports).sort();
}

/** The file as it was imported, with what has been read and done since. */
export function exportQueue({ store, places }: Here, path: string): string {
  const file = inline(basename(path), 120);
  const { letters } = orFail(store.read(["letters"]));
  const layout = own(letters.imports, file);
  const json = layout?.data && readBlob(places.journal, layout.data);
  if (json === undefined)
    throw new Problem(`${file} was not imported here. \`sekisho inbox export\` lists the files that were.`);
  const document = JSON.parse(json) as QueueDocument;
  const imported = Object.keys(letters.boxes).flatMap((box) =>
    lettersOf(letters, box).filter(({ origin }) => origin?.file === file),
  );
  const readNow = new Set(
    imported.flatMap(({ origin, readAt }) => (origin && readAt !== undefined ? [placeOf(origin)] : [])),
  );
  const entries = document.entries.map((one) => ({ ...one, fields: fieldsNow(one, letters.inbox.tasks, readNow) }));
  return documentsText(queueFrom({ ...document, entries }));
}

function placeOf({ key, index }: Pick<Placed, "key" | "index">): string {
  return `${key} ${index}`;
}

function fieldsNow(one: Placed, tasks: Tasks, readNow: ReadonlySet<string>): QueueFields {
  const { key, fields } = one;
  const task = key === "tasks" ? found(tasks, textOf(fields, "subtask_id")) : undefined;
  if (task?.endedAt !== undefined) return { ...fields, status: task.status };
  return key !== "tasks" && fields["read"] === false && readNow.has(placeOf(one)) ? { ...fields, read: true } : fields;
}
