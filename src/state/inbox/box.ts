/**
 * The inbox of one recipient, as the end of a turn needs it. Messages have numbers, and what waits is a set of ranges, so an inbox
 * of ten thousand messages is no larger than one of a hundred.
 */
import { own } from "../../lib/keyed.ts";
import { holds, type Ranges, withNext, without } from "../../lib/ranges.ts";
import type { MailRecord, MessageRecord } from "./records.ts";

/** Something that waits and about which there is more to say than its number: the first ones, and special ones. */
export interface Entry {
  readonly n: number;
  /** Who and what, in one line. */
  readonly line: string;
  readonly note?: true;
  readonly urgent?: true;
  /** It must be acknowledged when it is read, or was read and still must be. */
  readonly ack?: "due" | "owed";
  /** An assigned task: it waits until somebody claims it. */
  readonly task?: true;
  readonly expires?: number;
}

export interface Box {
  readonly next: number;
  /** The numbers of the messages that wait. Tasks have numbers and are not among them. */
  readonly unread: Ranges;
  /** By id. */
  readonly shown: Readonly<Record<string, Entry>>;
  /** Ids of the waiting notifications, oldest first. */
  readonly notes: readonly string[];
  /** The highest number of each of the last deliveries, oldest first. */
  readonly marks: readonly number[];
  /** Up to this number the supervisor has been told. */
  readonly escalated: number;
  /** Ids of the last messages, newest last: a message that is sent twice counts once. */
  readonly seen: readonly string[];
}

export const newBox: Box = { next: 1, unread: [], shown: {}, notes: [], marks: [], escalated: 0, seen: [] };

export const NOTES_KEPT = 50;
const MARKS_KEPT = 10;
const SEEN_KEPT = 200;
const SHOWN_FIRST = 100;
/** Special ones are shown beyond the first hundred, but not without end. */
const SHOWN_MAX = 400;
const LINE_CHARS = 80;

export function arrived(box: Box, message: MessageRecord): Box {
  const { id, note, importance, ack, expires, read, file } = message;
  if (read || box.seen.includes(id)) return box;
  const entry: Entry = {
    ...{ n: box.next, line: lineOf(message) },
    ...(note && { note }),
    ...(importance === "urgent" && { urgent: true as const }),
    ...(ack && { ack: "due" as const }),
    ...(expires !== undefined && { expires }),
  };
  const isSpecial = Object.keys(entry).length > 2 || file !== undefined;
  const isShown = Object.keys(box.shown).length < (isSpecial ? SHOWN_MAX : SHOWN_FIRST);
  const next: Box = {
    ...box,
    next: box.next + 1,
    unread: withNext(box.unread, box.next),
    seen: [...box.seen, id].slice(-SEEN_KEPT),
    ...(isShown && { shown: { ...box.shown, [id]: entry } }),
    ...(note && isShown && { notes: [...box.notes, id] }),
  };
  const [oldest] = next.notes;
  return next.notes.length > NOTES_KEPT && oldest !== undefined ? close(next, oldest) : next;
}

/** The subject stands behind the sender; what doesn't fit is in the message. */
function lineOf({ from, subject, type }: Pick<MessageRecord, "from" | "subject" | "type">): string {
  return `${from}: ${subject === "" ? type : subject}`.slice(0, LINE_CHARS);
}

/** A task that is assigned and not blocked waits; in every other state it does not. */
export function withTask(box: Box, id: string, line: string): Box {
  if (own(box.shown, id)) return box;
  return { ...box, next: box.next + 1, shown: { ...box.shown, [id]: { n: box.next, line, task: true } } };
}

/** Takes a shown entry away. */
export function close(box: Box, id: string): Box {
  const entry = own(box.shown, id);
  if (!entry) return box;
  const { [id]: _, ...shown } = box.shown;
  return {
    ...{ ...box, shown, unread: without(box.unread, entry.n, entry.n) },
    ...(entry.note && { notes: box.notes.filter((other) => other !== id) }),
  };
}

export function moved(box: Box, record: MailRecord): Box {
  const { do: what, upto = 0, numbers = [] } = record;
  switch (what) {
    case "deliver": {
      const marked = { ...box, marks: [...box.marks, upto].slice(-MARKS_KEPT) };
      return record.notes ? notesUpto(box, upto).reduce(close, marked) : marked;
    }
    case "read":
      return gone(box, numbers, true);
    case "ack":
    case "fail":
      return gone(box, numbers, false);
    case "escalate":
      return { ...box, escalated: Math.max(box.escalated, upto) };
    default:
      return box;
  }
}

/** What must be acknowledged waits until it is, also when it was read. */
function gone(box: Box, numbers: Ranges, isReading: boolean): Box {
  const named = Object.entries(box.shown).filter(([, { n, task }]) => !task && holds(numbers, n));
  const owed = isReading ? named.filter(([, { ack }]) => ack !== undefined) : [];
  const rest = named.filter((one) => !owed.includes(one)).reduce((all, [id]) => close(all, id), box);
  const unread = numbers.reduce((left, [from, to]) => without(left, from, to), rest.unread);
  const kept = owed.map(([id, entry]) => [id, { ...entry, ack: "owed" as const }] as const);
  return { ...rest, unread, shown: { ...rest.shown, ...Object.fromEntries(kept) } };
}

export function notesUpto({ shown, notes }: Box, upto: number): readonly string[] {
  return notes.filter((id) => (own(shown, id)?.n ?? upto + 1) <= upto);
}

/** Up to this number, everything was delivered so often. A lower number was delivered at least as often as a higher one. */
export function deliveredUpto({ marks }: Pick<Box, "marks">, times: number): number {
  return [...marks].sort((a, b) => b - a)[times - 1] ?? 0;
}

/** Messages, tasks and what is still to be acknowledged. */
export function waitingCount({ unread, shown }: Box): number {
  const others = Object.values(shown).filter(({ task, ack }) => task || ack === "owed").length;
  return unread.reduce((sum, [from, to]) => sum + to - from + 1, others);
}
