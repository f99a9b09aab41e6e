/** Sends messages to one agent or to several. */
import { randomBytes } from "node:crypto";
import { mailLine, type Posted, type SentTo } from "../../daemon/mail-line.ts";
import { mask, maskText } from "../../lib/secrets.ts";
import { inline } from "../../lib/text.ts";
import { isWord } from "../../lib/word.ts";
import { IMPORTANCE, type Importance } from "../../state/inbox/records.ts";
import { keepBlob } from "../../store/blobs/blobs.ts";
import { flushJournal } from "../../store/journal/flush.ts";
import { messageIds } from "../../store/journal/message-ids.ts";
import { actorHere, rolesIn } from "../mail/actor.ts";
import { addressed, isThere, refuseTooMuch, routeOf, type Team } from "../mail/address.ts";
import { type Draft, PAYLOAD_BYTES, type Parcel, SUBJECT_CHARS } from "../mail/parcel.ts";
import { isInline, keptText } from "../mail/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { durationMs } from "./duration.ts";
import { queueMessage } from "./inbox-queue.ts";

export interface MessageWish {
  readonly to: readonly string[];
  readonly text: string;
  readonly subject?: string | undefined;
  readonly type?: string | undefined;
  readonly importance?: string | undefined;
  readonly ack?: boolean | undefined;
  readonly thread?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly request_id?: string | undefined;
  readonly payload?: string | undefined;
  readonly expires?: string | undefined;
  /** The sender's own id, to send again what may not have been kept. */
  readonly id?: string | undefined;
  /** Counts for a person only; an agent is who its session is. */
  readonly from?: string | undefined;
}

export interface SentMessage {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  /** Kept. Whether somebody reads it is shown by `inbox list`. */
  readonly state: "queued";
}

/** Sends one message after the other. */
export interface Sender {
  send(wish: MessageWish): Promise<readonly SentMessage[]>;
  close(): void;
}

const EXPIRES_MAX = 30 * 86_400_000;
/** A daemon that is up answers within a few milliseconds. */
const DAEMON_MS = 300;

export async function sendMessage(place: Here, wish: MessageWish): Promise<readonly SentMessage[]> {
  const sender = openSender(place);
  try {
    return await sender.send(wish);
  } finally {
    sender.close();
  }
}

/** Through the daemon while one is up, which flushes the messages of many senders at once; else straight to the journal. */
export function openSender(place: Here): Sender {
  const { journal, project, settingsFiles } = place.places;
  const line = mailLine(process.env, { pid: process.pid, project, journal, settingsFiles });
  let ready: Promise<void> | undefined;
  return {
    async send(wish) {
      const now = Date.now();
      const { draft, keepAgain } = draftOf(place, wish, now);
      const parcel = {
        ...{ id: wish.id === undefined ? randomBytes(8).toString("hex") : word("--id", wish.id), to: wish.to, draft },
        ...named(wish),
        ...(wish.id !== undefined && { again: true as const }),
      };
      ready ??= line.ready(DAEMON_MS);
      await ready;
      const posted = await line.post(parcel);
      const sent = answered(posted) ?? storeHere(place, posted === "unanswered" ? { ...parcel, again: true } : parcel);
      keepAgain();
      return sent.map(({ id, to, from, target }) => {
        queueMessage(place, target, to, { id, from, type: draft.type, text: wish.text, isNote: false }, now);
        return { id, to, from, state: "queued" };
      });
    },
    close: () => line.close(),
  };
}

function named({ from }: MessageWish): Pick<Parcel, "from"> {
  return from === undefined ? {} : { from };
}

function answered(posted: Posted): readonly SentTo[] | undefined {
  if (typeof posted === "string") return undefined;
  if ("problem" in posted) throw new Problem(posted.problem);
  return "sent" in posted ? posted.sent : undefined;
}

function teamHere(place: Here): Team {
  const roles = rolesIn(place);
  const state = orFail(place.store.read(["inbox"]));
  return { roles, state, actor: actorHere(state, Date.now()) };
}

function storeHere(place: Here, parcel: Parcel): readonly SentTo[] {
  const { store, places } = place;
  const messages = addressed(parcel, teamHere(place));
  const ids = parcel.again && messageIds(places.journal);
  ids?.catchUp();
  const stored = new Set(messages.filter(({ record }) => isThere(record, ids || undefined)));
  for (const message of messages) {
    const { record } = message;
    if (stored.has(message)) orFail(flushJournal(places.journal));
    else orFail(store.append(record, Date.now(), { durable: true }));
  }
  return messages.map(({ target, record: { id, to, from } }) => ({ id, to, from, target }));
}

interface Kept {
  readonly draft: Draft;
  /** Whoever collected a text between its writing and its record took nothing. */
  readonly keepAgain: () => void;
}

function draftOf(place: Here, wish: MessageWish, now: number): Kept {
  const { text, ack, thread, reply_to: of, request_id: request, expires } = wish;
  const [firstLine = ""] = text.trim().split("\n", 1);
  const importance = importanceOf(wish.importance);
  const checked = {
    type: wish.type === undefined ? "message" : word("the type", wish.type),
    subject: inline(wish.subject ?? firstLine, SUBJECT_CHARS),
    ...(importance !== "normal" && { importance }),
    ...(ack && { ack: true as const }),
    ...(thread !== undefined && { thread: word("--thread", thread) }),
    ...(of !== undefined && { reply_to: word("--reply-to", of) }),
    ...(request !== undefined && { request_id: word("--request-id", request) }),
    ...(expires !== undefined && { expires: now + durationMs(expires, EXPIRES_MAX, "--expires") }),
  };
  // The subject alone is the message if there is nothing more.
  const body = text.trim() === checked.subject ? "" : text;
  if (body.trim() === "" && checked.subject.trim() === "") throw new Problem("The message is empty.");
  const { draft, keepAgain } = textsOf(place, wish, body);
  return { draft: { ...checked, ...draft }, keepAgain };
}

/** Long ones are stored here, where four flushes delay nobody else. */
function textsOf(
  place: Here,
  wish: MessageWish,
  body: string,
): { readonly draft: Partial<Draft>; readonly keepAgain: () => void } {
  const { journal } = place.places;
  const data = wish.payload === undefined ? undefined : JSON.stringify(mask(jsonOf(wish.payload)));
  const isLongData = data !== undefined && Buffer.byteLength(JSON.stringify(data)) > PAYLOAD_BYTES;
  const payload = data === undefined || isLongData ? {} : { payload: data };
  const isShort = body === "" || isInline(body);
  if (isShort && !isLongData) {
    return { draft: { ...keptText(journal, body), ...payload }, keepAgain: () => undefined };
  }
  // Nothing is stored for a wrong target. Where there is no long text, the daemon looks.
  const team = teamHere(place);
  const { targets } = routeOf({ to: wish.to, ...named(wish) }, team);
  refuseTooMuch(team, targets.size, Buffer.byteLength(body) + (data?.length ?? 0));
  const keep = (): Partial<Draft> => ({
    ...keptText(journal, body),
    ...(isLongData && { data: orFail(keepBlob(journal, data, { isMasked: true })) }),
  });
  return { draft: { ...payload, ...keep() }, keepAgain: () => void keep() };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("--payload takes JSON.");
  }
}

function importanceOf(given = "normal"): Importance {
  const found = IMPORTANCE.find((one) => one === given);
  if (!found) throw new Problem(`--importance is one of ${IMPORTANCE.join(", ")}.`);
  return found;
}

function word(what: string, given: string): string {
  if (!isWord(given)) throw new Problem(`${what} takes at most 40 letters, digits, dots, colons, _ and -.`);
  return maskText(given);
}
