/** The inbox of one recipient, as the end of a turn needs it: one line of everything that waits. */
import { type Buckets, found, noBuckets, valuesIn, withEntry, withoutEntry } from "../../lib/buckets.ts";
import type { MailRecord, MessageRecord } from "./records.ts";

/** Something that waits for its reader. */
export interface Entry {
  /** Its number in the inbox. Deliveries name the highest number they reached. */
  readonly n: number;
  readonly id: string;
  /** Who and what, in one line. */
  readonly line: string;
  readonly at: number;
  readonly note?: true;
  readonly urgent?: true;
  /** It was read and must still be acknowledged, or must be when it is read. */
  readonly ack?: "due" | "owed";
  /** An assigned task: it waits until somebody claims it. */
  readonly task?: true;
  readonly expires?: number;
}

export interface Box {
  readonly next: number;
  readonly open: Buckets<Entry>;
  readonly count: number;
  /** Ids of the waiting notifications, oldest first. */
  readonly notes: readonly string[];
  /** The highest number of each of the last deliveries, oldest first. */
  readonly marks: readonly number[];
  /** Up to this number the supervisor has been told. */
  readonly escalated: number;
  /** Ids of messages that no longer wait, newest last: a message that is sent twice counts once. */
  readonly closed: readonly string[];
}

export const newBox: Box = { next: 1, open: noBuckets, count: 0, notes: [], marks: [], escalated: 0, closed: [] };

export const NOTES_KEPT = 50;
const MARKS_KEPT = 10;
const CLOSED_KEPT = 200;
const LINE_CHARS = 80;

export function arrived(box: Box, message: MessageRecord, at: number): Box {
  const { id, note, importance, ack, expires, read } = message;
  if (read || box.closed.includes(id) || found(box.open, id)) return box;
  const next = put(box, {
    ...{ n: box.next, id, line: lineOf(message), at },
    ...(note && { note }),
    ...(importance === "urgent" && { urgent: true as const }),
    ...(ack && { ack: "due" as const }),
    ...(expires !== undefined && { expires }),
  });
  if (!note) return next;
  const notes = [...box.notes, id];
  const [oldest] = notes;
  return notes.length > NOTES_KEPT && oldest !== undefined ? close({ ...next, notes }, oldest) : { ...next, notes };
}

/** The subject stands behind the sender; what doesn't fit is in the message. */
export function lineOf({ from, subject, type }: Pick<MessageRecord, "from" | "subject" | "type">): string {
  return `${from}: ${subject === "" ? type : subject}`.slice(0, LINE_CHARS);
}

/** A task that is assigned and not blocked waits; in every other state it does not. */
export function withTask(box: Box, task: Pick<Entry, "id" | "line">, at: number): Box {
  return found(box.open, task.id) ? box : put(box, { n: box.next, ...task, at, task: true });
}

function put(box: Box, entry: Entry): Box {
  return { ...box, next: box.next + 1, open: withEntry(box.open, entry.id, entry), count: box.count + 1 };
}

export function close(box: Box, id: string): Box {
  const entry = found(box.open, id);
  if (!entry) return box;
  return {
    ...box,
    open: withoutEntry(box.open, id),
    count: box.count - 1,
    ...(entry.note && { notes: box.notes.filter((other) => other !== id) }),
    ...(!entry.task && { closed: [...box.closed, id].slice(-CLOSED_KEPT) }),
  };
}

export function moved(box: Box, record: MailRecord): Box {
  const { do: what, upto = 0 } = record;
  switch (what) {
    case "deliver": {
      const marked = { ...box, marks: [...box.marks, upto].slice(-MARKS_KEPT) };
      return record.notes ? namedNotes(box, upto).reduce(close, marked) : marked;
    }
    case "read":
      return named(box, record).reduce(readOne, box);
    case "ack":
    case "fail":
      return named(box, record).reduce((all, { id }) => close(all, id), box);
    case "escalate":
      return { ...box, escalated: Math.max(box.escalated, upto) };
    default:
      return box;
  }
}

/** What must be acknowledged waits until it is. */
function readOne(box: Box, entry: Entry): Box {
  if (entry.ack === undefined) return close(box, entry.id);
  return { ...box, open: withEntry(box.open, entry.id, { ...entry, ack: "owed" }) };
}

/** Tasks are claimed and not read. */
export function named({ open }: Box, { ids, upto = 0 }: MailRecord): readonly Entry[] {
  const entries = ids ? ids.flatMap((id) => found(open, id) ?? []) : valuesIn(open).filter(({ n }) => n <= upto);
  return entries.filter(({ task }) => !task).sort((a, b) => a.n - b.n);
}

export function namedNotes({ open, notes }: Box, upto: number): readonly string[] {
  return notes.filter((id) => (found(open, id)?.n ?? upto + 1) <= upto);
}

/** How often an entry was delivered. */
export function deliveriesOf({ marks }: Pick<Box, "marks">, { n }: Pick<Entry, "n">): number {
  return marks.filter((upto) => upto >= n).length;
}

/** Everything that waits, the oldest first, and urgent messages before the rest. */
export function waitingIn(box: Box, now: number): readonly Entry[] {
  return valuesIn(box.open)
    .filter(({ expires }) => expires === undefined || expires > now)
    .sort((a, b) => Number(b.urgent ?? false) - Number(a.urgent ?? false) || a.n - b.n);
}
