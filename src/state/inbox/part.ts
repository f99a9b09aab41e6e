/** The part `inbox`: who has something to read, open requests, and the tasks. The end of a turn reads it, so it stays small. */
import { type Buckets, found, noBuckets, valuesIn } from "../../lib/buckets.ts";
import { bounded, own } from "../../lib/keyed.ts";
import type { Part, PartRecord } from "../part.ts";
import type { Stamp } from "../record.ts";
import { type SentBySession, withCounted } from "./allowance.ts";
import { arrived, type Box, close, moved, newBox, waitingCount, withTask } from "./box.ts";
import { messageOf, type Natives, noNatives, withArrival, withFate, withOffer, withSent } from "./native.ts";
import type { InboxRecord, MailRecord, MessageRecord, TaskRecord } from "./records.ts";
import { foldTask, statusOf, type Task } from "./tasks.ts";

/** A message that asks for an answer. */
export interface Request {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly at: number;
  /** Its sender was told that no answer came. */
  readonly lost?: true;
}

export interface Inbox {
  readonly boxes: Readonly<Record<string, Box>>;
  /** By request id. */
  readonly requests: Readonly<Record<string, Request>>;
  readonly tasks: Buckets<Task>;
  /** Messages that went through the host. */
  readonly native: Natives;
  readonly sent: SentBySession;
}

const BOXES_MAX = 200;
const REQUESTS_MAX = 200;

export const noInbox: Inbox = { boxes: {}, requests: {}, tasks: noBuckets, native: noNatives, sent: {} };

export const inbox: Part<Inbox> = {
  kinds: ["message", "mail", "task"],
  empty: noInbox,
  fold(value: Inbox, record: PartRecord): Inbox {
    const known = record as unknown as InboxRecord & Stamp;
    switch (known.kind) {
      case "message":
        return known.native
          ? { ...value, native: withSent(value.native, known) }
          : counted(withMessage(value, known), known);
      case "mail":
        return withMail(value, known);
      case "task":
        return known.do === "add" ? counted(withTasks(value, known), known) : withTasks(value, known);
      default:
        return value;
    }
  },
};

function counted(value: Inbox, record: (MessageRecord | TaskRecord) & Stamp): Inbox {
  const sent = withCounted(value.sent, record);
  return sent === value.sent ? value : { ...value, sent };
}

function withMessage(value: Inbox, message: MessageRecord & Stamp): Inbox {
  const offered = message.of === undefined ? value : { ...value, native: withOffer(value.native, message) };
  return withBox(withRequest(offered, message), message.to, (box) => arrived(box, message));
}

function withMail(value: Inbox, record: MailRecord & Stamp): Inbox {
  switch (record.do) {
    case "lost":
      return withLost(value, record.ids ?? []);
    case "fate":
      return { ...value, native: withFate(value.native, record) };
    case "arrive": {
      const offer = offeredBefore(value, record);
      const next = { ...value, native: withArrival(value.native, record) };
      return offer ? withBox(next, offer.box, (box) => close(box, offer.id)) : next;
    }
    default:
      return withBox(value, record.box, (box) => moved(box, record));
  }
}

/** The message in our inbox that repeats one which arrives after all. */
export function offeredBefore(
  { native }: Inbox,
  { arrival }: MailRecord,
): { readonly box: string; readonly id: string } | undefined {
  const message = arrival && messageOf(native, arrival);
  return message?.offered === undefined ? undefined : { box: message.offered, id: offerId(message.id) };
}

/** The id of the message in our inbox that repeats one of the host. */
export function offerId(id: string): string {
  return `${id}-again`;
}

/** An inbox that nobody wrote to for longest makes room, once it is empty. */
function withBox(value: Inbox, name: string, change: (box: Box) => Box): Inbox {
  const before = own(value.boxes, name) ?? newBox;
  const box = change(before);
  if (box === before) return value;
  const age = (one: Box): number => (waitingCount(one) > 0 ? Number.POSITIVE_INFINITY : one.next);
  return { ...value, boxes: bounded(value.boxes, name, box, BOXES_MAX, age) };
}

/** The first message with a request id asks; one from its recipient with that id, or a reply to it, answers. */
function withRequest(
  value: Inbox,
  { id, from, to, subject, request_id: name, reply_to: of, t }: MessageRecord & Stamp,
): Inbox {
  const answered = Object.entries(value.requests).find(
    ([key, one]) => one.to === from && (key === name || (of !== undefined && one.id === of)),
  );
  if (answered) {
    const { [answered[0]]: _, ...requests } = value.requests;
    return { ...value, requests };
  }
  if (name === undefined || own(value.requests, name)) return value;
  const asked = { id, from, to, subject, at: t };
  return { ...value, requests: bounded(value.requests, name, asked, REQUESTS_MAX, ({ at }) => at) };
}

function withLost(value: Inbox, names: readonly string[]): Inbox {
  const told = names.flatMap((name) => {
    const request = own(value.requests, name);
    return request ? [[name, { ...request, lost: true as const }] as const] : [];
  });
  return told.length === 0 ? value : { ...value, requests: { ...value.requests, ...Object.fromEntries(told) } };
}

/** A task waits in the inbox of the agent it is assigned to, from when nothing blocks it until it is claimed. */
function withTasks(before: Inbox, record: TaskRecord & Stamp): Inbox {
  const tasks = foldTask(before.tasks, record, record.t);
  if (tasks === before.tasks) return before;
  const [was, is] = [found(before.tasks, record.id), found(tasks, record.id)];
  // Only the end of a task can free others.
  const touched = is?.endedAt === undefined ? [is] : [is, ...valuesIn(tasks).filter((one) => isHeldBy(one, is))];
  const left =
    was?.to !== undefined && was.to !== is?.to ? withBox(before, was.to, (box) => close(box, was.id)) : before;
  return touched.reduce((all, one) => (one ? placed(all, one) : all), { ...left, tasks });
}

function isHeldBy({ blocked_by = [], group }: Task, ended: Task): boolean {
  const names = [ended.id, ...(ended.retry_of === undefined ? [] : [ended.retry_of])];
  return names.some((name) => blocked_by.includes(name)) || (group !== undefined && group === ended.group);
}

function placed(value: Inbox, task: Task): Inbox {
  const { to, id, title, by } = task;
  if (to === undefined) return value;
  const isWaiting = statusOf(task, value.tasks) === "assigned" && task.foreign === undefined;
  const line = `task ${id} from ${by}: ${title}`.slice(0, 80);
  return withBox(value, to, (box) => (isWaiting ? withTask(box, id, line) : close(box, id)));
}
