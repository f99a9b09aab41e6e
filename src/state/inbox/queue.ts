/** Inboxes of multi-agent-shogun and its origin as data: lists of entries, and what each entry says. */
import { markOf } from "../../lib/sha256.ts";

export type QueueFields = Readonly<Record<string, unknown>>;

/** The lists that hold entries. Everything else in a file is kept as it is. */
const LISTS: readonly string[] = [
  ...["tasks", "reports", "messages", "audit_reports", "health_reports", "preemptive_assignments"],
  ...["audit_queue", "audit_requests", "insights"],
];

export interface QueueDocument {
  /** The keys at the top, in order, with the number of entries; -1 for a value that is no list of entries. */
  readonly keys: readonly (readonly [string, number])[];
  readonly rest: QueueFields;
  readonly entries: readonly { readonly key: string; readonly index: number; readonly fields: QueueFields }[];
}

/** A file without such a list is one entry itself, under an empty key. Undefined if it is no map. */
export function queueIn(value: unknown): QueueDocument | undefined {
  const top = fieldsOf(value);
  if (!top) return undefined;
  const isList = (key: string): boolean => LISTS.includes(key) && isEntries(top[key]);
  if (!Object.keys(top).some(isList))
    return { keys: [["", 1]], rest: {}, entries: [{ key: "", index: 0, fields: top }] };
  const keys = Object.keys(top).map((key): [string, number] => [
    key,
    isList(key) ? (top[key] as unknown[]).length : -1,
  ]);
  return {
    keys,
    rest: Object.fromEntries(Object.entries(top).filter(([key]) => !isList(key))),
    entries: keys.flatMap(([key, count]) =>
      count < 0 ? [] : (top[key] as QueueFields[]).map((fields, index) => ({ key, index, fields })),
    ),
  };
}

/** Of a file with several documents each is an entry. Undefined if one of them is no map. */
export function queueOf(documents: readonly unknown[]): QueueDocument | undefined {
  if (documents.length < 2) return queueIn(documents[0] ?? {});
  const maps = documents.flatMap((one): readonly QueueFields[] => (fieldsOf(one) ? [one as QueueFields] : []));
  if (maps.length < documents.length) return undefined;
  return { keys: [["", maps.length]], rest: {}, entries: maps.map((fields, index) => ({ key: "", index, fields })) };
}

/** The documents of the same file again. */
export function queueFrom({ keys, rest, entries }: QueueDocument): readonly unknown[] {
  const [first] = keys;
  if (first?.[0] === "") return entries.map(({ fields }) => fields);
  const listed = (key: string): readonly QueueFields[] =>
    entries.filter((one) => one.key === key).map(({ fields }) => fields);
  return [Object.fromEntries(keys.map(([key, count]) => [key, count < 0 ? rest[key] : listed(key)]))];
}

/** What a message needs of an entry. */
export interface QueueEntry {
  readonly id: string;
  readonly from: string;
  readonly type: string;
  readonly subject: string;
  readonly isRead: boolean;
  readonly isNote: boolean;
  readonly isTask: boolean;
}

/** IN-15: a task is unread while it is assigned, everything else while it says that it is not read. */
export function queueEntry(fields: QueueFields, key: string, file: string): QueueEntry {
  const isTask = key === "tasks" || key === "preemptive_assignments";
  const status = textIn(fields, "status");
  const isNote = status === "notification" || textIn(fields, "subtask_id") === NOTIFICATION;
  return {
    id: idOf(fields, file),
    from: textIn(fields, "from", "worker", "worker_id", "assigned_by", "ninja") || "unknown",
    type: textIn(fields, "type") || status || key || "document",
    subject: firstLine(textIn(fields, "summary", "content", "description", "task_id")) || textIn(fields, "subtask_id"),
    isRead: isTask ? status !== "assigned" : fields["read"] !== false,
    isNote,
    isTask,
  };
}

const NOTIFICATION = "stophook_notification";

/** The same after the entry was read or its status changed. */
function idOf({ read: _, status: __, ...fields }: QueueFields, file: string): string {
  const { id } = fields;
  return typeof id === "string" && /^[\w.-]{8,60}$/.test(id)
    ? id
    : markOf(`${file} ${JSON.stringify(fields)}`).slice(0, 16);
}

export interface NewEntry {
  readonly id: string;
  readonly from: string;
  readonly type: string;
  readonly text: string;
  readonly isNote: boolean;
  readonly at: string;
}

const NOTES_KEPT = 50;
const SUMMARY_CHARS = 80;

/** A file with one more entry, in the format of its lists; undefined if it has the entry. Of notifications the newest 50 stay, behind all others. */
export function withNewEntry(value: unknown, file: string, entry: NewEntry): unknown {
  const top = fieldsOf(value) ?? {};
  const key = isEntries(top["messages"])
    ? "messages"
    : REPORTS.test(file) || isEntries(top["reports"])
      ? "reports"
      : "messages";
  const before = isEntries(top[key]) ? (top[key] as QueueFields[]) : [];
  if (before.some(({ id }) => id === entry.id)) return undefined;
  const all = [...before, key === "reports" ? reportOf(entry) : messageOf(entry)];
  const isNote = (one: QueueFields): boolean => queueEntry(one, key, file).isNote;
  const notes = all.filter(isNote);
  const kept = notes.length > NOTES_KEPT ? [...all.filter((one) => !isNote(one)), ...notes.slice(-NOTES_KEPT)] : all;
  return { ...top, [key]: key === "messages" ? withoutOld(kept) : kept };
}

/** Above 50 messages all unread ones stay, and the newest 30 of the others, in their order. */
function withoutOld(messages: readonly QueueFields[]): readonly QueueFields[] {
  if (messages.length <= MESSAGES_KEPT) return messages;
  const read = messages.filter((one) => one["read"] === true);
  const gone = new Set(read.slice(0, Math.max(0, read.length - READ_KEPT)));
  return messages.filter((one) => !gone.has(one));
}

const MESSAGES_KEPT = 50;
const READ_KEPT = 30;

const REPORTS = /reports/;

function reportOf({ id, from, type, text, isNote, at }: NewEntry): QueueFields {
  const summary = firstLine(text);
  return {
    ...{ id, subtask_id: isNote ? NOTIFICATION : id, worker: from, status: isNote ? "notification" : "done" },
    ...{ reported_at: at, summary: summary.slice(0, SUMMARY_CHARS), type, read: false },
    ...(text.length > SUMMARY_CHARS && { full_summary: text }),
  };
}

function messageOf({ id, from, type, text, at }: NewEntry): QueueFields {
  return { id, from, timestamp: at, type, content: text, read: false };
}

/** The file with these entries marked as read; undefined if there is nothing to mark. */
export function withRead(value: unknown, file: string, ids: ReadonlySet<string>): unknown {
  const document = queueIn(value);
  let count = 0;
  const entries = document?.entries.map((one) => {
    const { id, isTask } = queueEntry(one.fields, one.key, file);
    if (isTask || one.fields["read"] !== false || !ids.has(id)) return one;
    count++;
    return { ...one, fields: { ...one.fields, read: true } };
  });
  return document && entries && count > 0 ? queueFrom({ ...document, entries })[0] : undefined;
}

function isEntries(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => fieldsOf(one) !== undefined);
}

function fieldsOf(value: unknown): QueueFields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as QueueFields) : undefined;
}

function textIn(fields: QueueFields, ...names: readonly string[]): string {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : "";
}

function firstLine(text: string): string {
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}
