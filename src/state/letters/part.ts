/**
 * The part `letters`: the part `inbox` with the messages themselves, and the layout of imported files. Only commands and
 * pages read it. It holds the other part, so that both number and count messages in the same way.
 */
import { type Buckets, found, noBuckets, valuesIn, withEntry, withoutEntry } from "../../lib/buckets.ts";
import { own } from "../../lib/keyed.ts";
import { holds } from "../../lib/ranges.ts";
import { type Box, NOTES_KEPT, newBox, notesUpto } from "../inbox/box.ts";
import { type Inbox, inbox, noInbox, offeredBefore } from "../inbox/part.ts";
import type { ImportRecord, MailRecord, MessageRecord } from "../inbox/records.ts";
import type { Part, PartRecord } from "../part.ts";
import type { Stamp } from "../record.ts";

export interface Letter extends Omit<MessageRecord, "kind"> {
  /** Its number in the inbox; 0 if it was read when it was imported. */
  readonly n: number;
  readonly at: number;
  readonly readAt?: number;
  readonly ackedAt?: number;
  /** Why it could not be delivered. */
  readonly failed?: string;
}

export interface LetterBox {
  readonly letters: Buckets<Letter>;
  readonly count: number;
  /** Ids of notifications, oldest first. */
  readonly notes: readonly string[];
  /** Ids in the order in which they were read; imported ones are kept and not listed. */
  readonly read: readonly string[];
}

export interface Letters {
  readonly inbox: Inbox;
  readonly boxes: Readonly<Record<string, LetterBox>>;
  /** The texts of messages that went through the host, by id. */
  readonly native: Readonly<Record<string, NativeText>>;
  /** By file. */
  readonly imports: Readonly<Record<string, Omit<ImportRecord, "kind">>>;
}

type NativeText = Pick<MessageRecord, "body" | "blob">;

/** With more letters than this, the newest read ones and all others are kept. */
const LETTERS_KEPT = 50;
const READ_KEPT = 30;

const noLetters: LetterBox = { letters: noBuckets, count: 0, notes: [], read: [] };

export const letters: Part<Letters> = {
  kinds: [...inbox.kinds, "import"],
  empty: { inbox: noInbox, boxes: {}, native: {}, imports: {} },
  fold(before: Letters, record: PartRecord): Letters {
    if (record.kind === "import") return withLayout(before, record as unknown as ImportRecord & Stamp);
    const value = { ...before, inbox: inbox.fold(before.inbox, record) };
    if (record.kind === "message") return withLetter(value, record as unknown as MessageRecord & Stamp, before.inbox);
    if (record.kind === "mail") return withMove(value, record as unknown as MailRecord & Stamp, before.inbox);
    return value;
  },
};

function withLayout(value: Letters, { kind: _, rid: __, t: ___, ...layout }: ImportRecord & Stamp): Letters {
  return { ...value, imports: { ...value.imports, [layout.file]: layout } };
}

function boxIn({ boxes }: Inbox, name: string): Box {
  return own(boxes, name) ?? newBox;
}

function inBox(value: Letters, name: string, change: (box: LetterBox) => LetterBox): Letters {
  const box = change(own(value.boxes, name) ?? noLetters);
  return { ...value, boxes: { ...value.boxes, [name]: box } };
}

/** Which messages are kept is decided in the other part. */
function withNative(value: Letters, { id, body, blob }: MessageRecord): Letters {
  const text = { ...(body !== undefined && { body }), ...(blob && { blob }) };
  const { sent } = value.inbox.native;
  const all = Object.entries({ ...value.native, [id]: text }).filter(([key]) => Object.hasOwn(sent, key));
  return { ...value, native: Object.fromEntries(all) };
}

function withLetter(value: Letters, record: MessageRecord & Stamp, before: Inbox): Letters {
  if (record.native) return withNative(value, record);
  const { kind: _, rid: __, t, ...message } = record;
  const { id, to, note, read, origin, created_at: at = t } = message;
  const n = boxIn(before, to).next;
  // A message that was sent twice.
  const isAgain = !read && boxIn(value.inbox, to).next === n;
  if (isAgain || found(own(value.boxes, to)?.letters ?? noBuckets, id)) return value;
  return inBox(value, to, (box) => {
    const next = {
      ...box,
      letters: withEntry(box.letters, id, { ...message, n: read ? 0 : n, at, ...(read && { readAt: at }) }),
      count: box.count + 1,
      ...(note && !origin && { notes: [...box.notes, id] }),
    };
    const [oldest] = next.notes;
    return next.notes.length > NOTES_KEPT && oldest !== undefined ? dropped(next, [oldest]) : trimmed(next);
  });
}

function withMove(value: Letters, record: MailRecord & Stamp, before: Inbox): Letters {
  if (record.do === "fate") return value;
  if (record.do === "arrive") {
    const offer = offeredBefore(before, record);
    return offer ? inBox(value, offer.box, (box) => readAt(box, offer.id, record.t)) : value;
  }
  const { do: what, box: name, t, why = "" } = record;
  const was = boxIn(before, name);
  const ids =
    what === "deliver"
      ? record.notes
        ? notesUpto(was, record.upto ?? 0)
        : []
      : numbered(own(value.boxes, name), record);
  return inBox(value, name, (box) => {
    switch (what) {
      case "deliver":
      case "read":
        return trimmed(ids.reduce((all, id) => readAt(all, id, t), box));
      case "ack":
        return trimmed(ids.reduce((all, id) => ackedAt(all, id, t), box));
      case "fail":
        return ids.reduce((all, id) => changed(all, id, { failed: why }), box);
      case "drain":
        return dropped(box, box.read);
      default:
        return box;
    }
  });
}

function numbered(box: LetterBox | undefined, { numbers = [] }: MailRecord): readonly string[] {
  if (!box || numbers.length === 0) return [];
  const named = valuesIn(box.letters).filter(({ n }) => n > 0 && holds(numbers, n));
  return named.sort((a, b) => a.n - b.n).map(({ id }) => id);
}

function readAt(box: LetterBox, id: string, at: number): LetterBox {
  const letter = found(box.letters, id);
  if (!letter || letter.readAt !== undefined) return box;
  // What must be acknowledged is kept until it is.
  const isOver = !letter.origin && !letter.ack;
  return { ...changed(box, id, { readAt: at }), ...(isOver && { read: [...box.read, id] }) };
}

function ackedAt(box: LetterBox, id: string, at: number): LetterBox {
  const letter = found(box.letters, id);
  if (!letter || letter.ackedAt !== undefined) return box;
  const isOver = !letter.origin && !box.read.includes(id);
  return {
    ...changed(box, id, { readAt: letter.readAt ?? at, ackedAt: at }),
    ...(isOver && { read: [...box.read, id] }),
  };
}

function changed(box: LetterBox, id: string, fields: Partial<Letter>): LetterBox {
  const letter = found(box.letters, id);
  return letter ? { ...box, letters: withEntry(box.letters, id, { ...letter, ...fields }) } : box;
}

function trimmed(box: LetterBox): LetterBox {
  const most = Math.max(READ_KEPT, LETTERS_KEPT - (box.count - box.read.length));
  return dropped(box, box.read.slice(0, Math.max(0, box.read.length - most)));
}

function dropped(box: LetterBox, ids: readonly string[]): LetterBox {
  if (ids.length === 0) return box;
  const gone = new Set(ids);
  return {
    letters: ids.reduce(withoutEntry, box.letters),
    count: box.count - ids.length,
    notes: box.notes.filter((id) => !gone.has(id)),
    read: box.read.filter((id) => !gone.has(id)),
  };
}

export type LetterState = "queued" | "delivered" | "read" | "acked" | "expired" | "failed" | "escalated";

/** Up to `failedUpto` its reader could not be woken. */
export function stateOf(
  letter: Letter,
  { marks, escalated }: Pick<Box, "marks" | "escalated">,
  now: number,
  failedUpto = 0,
): LetterState {
  if (letter.ackedAt !== undefined) return "acked";
  if (letter.readAt !== undefined) return "read";
  if (letter.failed !== undefined) return "failed";
  if (letter.expires !== undefined && letter.expires <= now) return "expired";
  if (letter.n <= escalated) return "escalated";
  if (letter.n <= failedUpto) return "failed";
  return marks.some((upto) => upto >= letter.n) ? "delivered" : "queued";
}

/** Oldest first. */
export function lettersOf({ boxes }: Letters, name: string): readonly Letter[] {
  return [...valuesIn(own(boxes, name)?.letters ?? noBuckets)].sort((a, b) => a.n - b.n || a.at - b.at);
}
