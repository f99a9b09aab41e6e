/**
 * Messages that agents send with a tool of the host. The sender's end and the reader's end are recorded apart and in either
 * order, and are matched here: by the words first, then by the session and the name.
 */
import { bounded, own } from "../../lib/keyed.ts";
import { markOf } from "../../lib/sha256.ts";
import type { Stamp } from "../record.ts";
import type { Arrival, MailRecord, MessageRecord, NativeEnd } from "./records.ts";

export interface Native extends NativeEnd {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly session?: string;
  readonly at: number;
  /** Why it is not there, in a word: unknown, gone, unread, held, denied, refused, expired. */
  readonly why?: string;
  readonly arrivedAt?: number;
  /** The session that it arrived in. */
  readonly reader?: string;
  /** Only so many characters of it arrived. */
  readonly cut?: number;
  /** The inbox that it was put into, because it had not arrived. */
  readonly offered?: string;
}

interface Stray extends Arrival {
  readonly at: number;
}

export interface Natives {
  readonly sent: Readonly<Record<string, Native>>;
  /** Arrivals whose message is not recorded yet, oldest first: the reader may be faster than the sender's own hook. */
  readonly strays: readonly Stray[];
}

export const noNatives: Natives = { sent: {}, strays: [] };

const NATIVES_MAX = 200;
const STRAYS_MAX = 20;
/** An arrival waits this long for its message. */
const STRAY_MS = 60_000;

const HEAD_CHARS = 200;
const MARK_CHARS = 24;

/** Hosts escape what looks like their own tags, change line ends, and drop blanks around a message. */
const ESCAPED = /&(?:lt|gt|amp|quot|apos|#\d{1,4});|[<>&"'\\\r]/g;

/** What tells two messages apart, without their words. */
export function marksOf(body: string): Pick<Arrival, "mark" | "head" | "chars"> {
  const words = body.replace(ESCAPED, "").trim();
  const mark = (text: string): string => markOf(text).slice(0, MARK_CHARS);
  return { mark: mark(words), head: mark(words.slice(0, HEAD_CHARS)), chars: words.length };
}

export function withSent(value: Natives, record: MessageRecord & Stamp): Natives {
  const { native, id, to, from, subject, session, t } = record;
  if (!native || own(value.sent, id)) return value;
  const message: Native = { ...native, id, to, from, subject, at: t, ...(session !== undefined && { session }) };
  const early = value.strays.find((stray) => t - stray.at < STRAY_MS && fitOf(message, stray) > 0);
  const strays = early ? value.strays.filter((stray) => stray !== early) : value.strays;
  const next = early ? arrivedAs(message, early, early.at) : message;
  return { strays, sent: bounded(value.sent, id, next, NATIVES_MAX, ageOf) };
}

/** What has not arrived is kept longest. */
function ageOf({ at, arrivedAt }: Native): number {
  return arrivedAt === undefined ? at : at - 30 * 86_400_000;
}

/** The message that an arrival belongs to: the one that fits best, and among equals the oldest. */
export function messageOf({ sent }: Natives, arrival: Arrival): Native | undefined {
  const open = Object.values(sent).filter(({ arrivedAt, why }) => arrivedAt === undefined && why !== "unknown");
  const fitting = open.map((message) => ({ message, fits: fitOf(message, arrival) })).filter(({ fits }) => fits > 0);
  return fitting.sort((a, b) => b.fits - a.fits || a.message.at - b.message.at)[0]?.message;
}

export function withArrival(value: Natives, { arrival, t }: MailRecord & Stamp): Natives {
  if (!arrival) return value;
  const message = messageOf(value, arrival);
  if (!message) return { ...value, strays: [...value.strays, { ...arrival, at: t }].slice(-STRAYS_MAX) };
  return { ...value, sent: { ...value.sent, [message.id]: arrivedAs(message, arrival, t) } };
}

function arrivedAs({ why: _, ...message }: Native, { reader, mark, chars }: Arrival, at: number): Native {
  const cut = mark === message.mark ? {} : { cut: chars };
  return { ...message, ...cut, arrivedAt: at, ...(reader !== undefined && { reader }) };
}

/** 0: another message. The words decide; a message that the host cut begins with the same words. */
function fitOf(message: Native, { mark, head, chars, reader, from }: Arrival): number {
  const isWhole = mark === message.mark;
  const isCut = head === message.head && chars < message.chars && chars >= HEAD_CHARS;
  const isElsewhere = message.reader_session !== undefined && reader !== undefined && message.reader_session !== reader;
  if ((!isWhole && !isCut) || isElsewhere) return 0;
  return 1 + (isWhole ? 4 : 0) + (message.reader_session === reader ? 2 : 0) + (message.from === from ? 1 : 0);
}

/** Named by our ids, or by the ids of the host. A message that has arrived stays so. */
export function withFate(value: Natives, { ids = [], why }: MailRecord): Natives {
  const named = Object.values(value.sent).filter(
    ({ id, ref, arrivedAt }) =>
      arrivedAt === undefined && (ids.includes(id) || (ref !== undefined && ids.includes(ref))),
  );
  if (named.length === 0) return value;
  const changed = named.map(({ why: _, ...message }) => [message.id, { ...message, ...(why && { why }) }] as const);
  return { ...value, sent: { ...value.sent, ...Object.fromEntries(changed) } };
}

/** It was put into an inbox of ours. */
export function withOffer(value: Natives, { of, to }: Pick<MessageRecord, "of" | "to">): Natives {
  const message = of === undefined ? undefined : own(value.sent, of);
  return message ? { ...value, sent: { ...value.sent, [message.id]: { ...message, offered: to } } } : value;
}

export type NativeState = "queued" | "delivered" | "failed";

/** The host's word that it took a message is no delivery. */
export function nativeState({ arrivedAt, why }: Pick<Native, "arrivedAt" | "why">): NativeState {
  if (arrivedAt !== undefined) return "delivered";
  return why === undefined || why === "held" || why === "released" ? "queued" : "failed";
}
