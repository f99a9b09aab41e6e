/** Records of messages and tasks for tests. */
import type { PartRecord } from "../part.ts";
import type { MailRecord, MessageRecord, TaskRecord } from "./records.ts";

let count = 0;

export const at = (record: MessageRecord | MailRecord | TaskRecord, t = 1000): PartRecord => ({
  ...record,
  rid: `r${++count}`,
  t,
});

export const message = (id: string, more: Partial<MessageRecord> = {}): PartRecord =>
  at({ kind: "message", id, to: "worker1", from: "lead", type: "note", subject: `about ${id}`, ...more });

export const mail = (what: MailRecord["do"], more: Partial<MailRecord> = {}): PartRecord =>
  at({ kind: "mail", do: what, box: "worker1", ...more });

export const task = (id: string, more: Partial<TaskRecord & { do: "add" }> = {}): PartRecord =>
  at({ kind: "task", do: "add", id, title: `do ${id}`, by: "lead", to: "worker1", ...more });

export const claim = (id: string, actor = "worker1", attempt = 1): PartRecord =>
  at({ kind: "task", do: "claim", id, attempt, holder: { actor, session: "s1", pid: 7, started: "9" } });

export const done = (id: string, attempt = 1): PartRecord =>
  at({ kind: "task", do: "done", id, by: "worker1", attempt });
