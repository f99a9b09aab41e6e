/** Sends a message to one agent or to several. */
import { randomBytes } from "node:crypto";
import { mask, maskText } from "../../lib/secrets.ts";
import { inline } from "../../lib/text.ts";
import { IMPORTANCE, type Importance, type MessageRecord } from "../../state/inbox/records.ts";
import { mayWriteTo, standingOf } from "../../state/roles/names.ts";
import { keepBlob } from "../../store/blobs/blobs.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { durationMs } from "./duration.ts";
import { type Actor, actorHere, knownActors, recipients, rolesIn } from "./inbox-actor.ts";
import { queueMessage } from "./inbox-queue.ts";
import { keptText } from "./inbox-text.ts";

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

const WORD = /^[\w.:-]{1,40}$/;
const SUBJECT_CHARS = 120;
const PAYLOAD_BYTES = 300;
const EXPIRES_MAX = 30 * 86_400_000;

export function sendMessage(place: Here, wish: MessageWish, now = Date.now()): readonly SentMessage[] {
  const roles = rolesIn(place);
  const state = orFail(place.store.read(["inbox"]));
  const known = knownActors(state, state.inbox);
  // Before anything else is looked at: no part of a wrong target reaches a file name.
  const targets = new Map(wish.to.flatMap((target) => recipients(target, roles, known).map((to) => [to, target])));
  if (targets.size === 0) throw new Problem("Name the agent that the message is for.");
  const actor = actorHere(state, now);
  const from = senderOf(actor, wish.from, roles, known);
  for (const to of targets.keys()) refuseSkipping(actor, from, to, roles);
  if (wish.text.trim() === "" && (wish.subject ?? "").trim() === "") throw new Problem("The message is empty.");
  const draft = draftOf(place, wish, now);
  return [...targets].map(([to, target]) => {
    const id = wish.id === undefined ? randomBytes(8).toString("hex") : word("--id", wish.id);
    const session = actor.session === undefined ? {} : { session: actor.session };
    orFail(place.store.append({ kind: "message", id, to, from, ...draft.record, ...session }, now, { durable: true }));
    draft.keepAgain();
    queueMessage(place, target, to, { id, from, type: draft.record.type, text: wish.text, isNote: false }, now);
    return { id, to, from, state: "queued" };
  });
}

/** A person may speak in the name of an agent's inbox, as the scripts of the original do. */
function senderOf(
  { name, session }: Actor,
  given: string | undefined,
  roles: Parameters<typeof recipients>[1],
  known: readonly string[],
): string {
  if (session !== undefined || given === undefined || given === "") return name;
  return recipients(given, roles, [...known, "unknown"])[0] ?? name;
}

function refuseSkipping({ session }: Actor, from: string, to: string, roles: Parameters<typeof mayWriteTo>[2]): void {
  if (session === undefined || mayWriteTo(from, to, roles)) return;
  const { supervisor, writesTo = [] } = standingOf(from, roles);
  const others = [...new Set([supervisor, ...writesTo])].filter((name) => name !== "").join(", ");
  throw new Problem(`${from} does not write to ${to} in this team. ${from} writes to: ${others}.`);
}

interface Draft {
  readonly record: Omit<MessageRecord, "kind" | "id" | "to" | "from" | "session">;
  /** Whoever collected a text between its writing and its record took nothing. */
  readonly keepAgain: () => void;
}

function draftOf({ places }: Here, wish: MessageWish, now: number): Draft {
  const { text, ack, thread, reply_to: of, request_id: request, payload, expires } = wish;
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
    ...(expires !== undefined && { expires: now + durationMs(expires, EXPIRES_MAX) }),
  };
  const data = payload === undefined ? undefined : JSON.stringify(mask(jsonOf(payload)));
  const isLong = data !== undefined && Buffer.byteLength(JSON.stringify(data)) > PAYLOAD_BYTES;
  // The subject alone is the message if there is nothing more.
  const body = text.trim() === checked.subject ? "" : text;
  const keep = (): Partial<MessageRecord> => ({
    ...keptText(places.journal, body),
    ...(data !== undefined && (isLong ? { data: orFail(keepBlob(places.journal, data, true)) } : { payload: data })),
  });
  return { record: { ...checked, ...keep() }, keepAgain: () => void keep() };
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
  if (!WORD.test(given)) throw new Problem(`${what} takes at most 40 letters, digits, dots, colons, _ and -.`);
  return maskText(given);
}
