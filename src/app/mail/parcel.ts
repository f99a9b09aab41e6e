/** A message as its sender hands it over: complete but for the name of the sender, which nobody tells about themselves. */
import { mask } from "../../lib/secrets.ts";
import { isWord } from "../../lib/word.ts";
import { type BlobRef, IMPORTANCE, type MessageRecord } from "../../state/inbox/records.ts";
import { Problem } from "../problem.ts";

/** What the sender says. Long texts are stored already, and `blob` and `data` name them. */
export type Draft = Pick<
  MessageRecord,
  | "type"
  | "subject"
  | "body"
  | "blob"
  | "importance"
  | "ack"
  | "thread"
  | "reply_to"
  | "request_id"
  | "payload"
  | "data"
  | "expires"
>;

export interface Parcel {
  /** Made by the sender: with the same id, a message is stored once. */
  readonly id: string;
  /** As the sender named them. */
  readonly to: readonly string[];
  /** Counts for a person only; an agent is who its session is. */
  readonly from?: string;
  readonly draft: Draft;
  /** It may be stored already: its sender chose the id, or got no answer. */
  readonly again?: true;
}

/** A record has 2 KB, and names, subject and payload need room too. */
export const INLINE_BYTES = 700;
export const PAYLOAD_BYTES = 300;
export const SUBJECT_CHARS = 120;
const TARGETS_MAX = 50;
const NAME_CHARS_MAX = 200;

/** The message in a line that a process sent us. Anybody can connect, so nothing in it is taken on trust. */
export function parcelIn(value: unknown): Parcel {
  const { id, to, from, draft, again } = (value ?? {}) as Partial<Record<keyof Parcel, unknown>>;
  if (!isWord(id) || !isNames(to) || !(from === undefined || isName(from))) throw new Problem(UNREADABLE);
  return {
    ...{ id, to, draft: draftIn(draft) },
    ...(from !== undefined && { from }),
    ...(again === true && { again }),
  };
}

const UNREADABLE = "That is no message.";

const isName = (value: unknown): value is string => typeof value === "string" && value.length <= NAME_CHARS_MAX;

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= TARGETS_MAX && value.every(isName);
}

const isText = (bytes: number) => (value: unknown) =>
  typeof value === "string" && Buffer.byteLength(JSON.stringify(value)) <= bytes;

function isBlob(value: unknown): value is BlobRef {
  const { sha256, bytes } = (value ?? {}) as Partial<Record<keyof BlobRef, unknown>>;
  return typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) && Number.isSafeInteger(bytes);
}

const FIELDS: Readonly<Record<keyof Draft, (value: unknown) => boolean>> = {
  type: isWord,
  // Masking may have made it longer.
  subject: isText(6 * SUBJECT_CHARS),
  body: isText(INLINE_BYTES),
  blob: isBlob,
  importance: (value) => (IMPORTANCE as readonly unknown[]).includes(value),
  ack: (value) => value === true,
  thread: isWord,
  reply_to: isWord,
  request_id: isWord,
  payload: isText(PAYLOAD_BYTES),
  data: isBlob,
  expires: Number.isSafeInteger,
};

function draftIn(value: unknown): Draft {
  if (typeof value !== "object" || value === null) throw new Problem(UNREADABLE);
  for (const [name, field] of Object.entries(value)) {
    if (!Object.hasOwn(FIELDS, name) || !FIELDS[name as keyof Draft](field)) throw new Problem(UNREADABLE);
  }
  if (!("type" in value && "subject" in value)) throw new Problem(UNREADABLE);
  return mask(value) as Draft;
}
