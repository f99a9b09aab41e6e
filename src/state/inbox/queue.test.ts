import { describe, expect, it } from "vitest";
import { queueEntry, queueFrom, queueIn, withNewEntry, withRead } from "./queue.ts";

const TASKS = { tasks: [{ subtask_id: "s1", status: "assigned", description: "\nread: false\nstatus: assigned" }] };
const REPORTS = {
  reports: [{ subtask_id: "s1", worker: "ashigaru1", status: "done", summary: "ok", read: false }],
  note: 1,
};

describe("a queue file", () => {
  it.each([
    ["tasks", TASKS],
    ["reports with other values", REPORTS],
    ["several lists", { audit_reports: [{ read: true }], preemptive_assignments: [], audit_queue: [{ read: false }] }],
    ["one report", { worker_id: "hanzo", result: { a: [1, 2] }, files_modified: ["a"] }],
    [
      "the origin's messages",
      { messages: [{ id: "msg_20260101_000000_abcdef12", from: "karo", content: "x", read: false }] },
    ],
    ["an empty list", { tasks: [] }],
  ])("is the same after reading and writing: %s", (_, value) => {
    const read = queueIn(value);
    expect(read && queueFrom(read)).toEqual([value]);
    expect(read && Object.keys(queueFrom(read)[0] as object)).toEqual(Object.keys(value));
  });

  it("IN-15 IN-27 a task is unread while it is assigned, other entries while they say so; words in them don't count", () => {
    const [task] = queueIn(TASKS)?.entries ?? [];
    expect(task && queueEntry(task.fields, "tasks", "f")).toMatchObject({ isRead: false, isTask: true });
    expect(queueEntry({ status: "kenshu_review", description: "status: assigned" }, "tasks", "f").isRead).toBe(true);
    expect(queueEntry({ summary: "read: false", read: true }, "reports", "f").isRead).toBe(true);
    expect(queueEntry({ summary: "no word about it" }, "reports", "f").isRead).toBe(true);
    expect(queueEntry({ worker: "ashigaru1", read: false }, "reports", "f")).toMatchObject({
      isRead: false,
      from: "ashigaru1",
    });
  });

  it("IN-43 above 50 messages all unread ones stay, and the newest 30 of the others", () => {
    const messages = Array.from({ length: 60 }, (_, n) => ({ id: `m${n}`, content: "x", read: n % 6 !== 0 }));
    const added = { id: "new", from: "a", type: "note", text: "y", isNote: false, at: "now" };
    const kept = withNewEntry({ messages }, "ashigaru1.yaml", added) as { messages: { id: string; read: boolean }[] };
    expect(kept.messages.filter(({ read }) => !read)).toHaveLength(11);
    expect(kept.messages.filter(({ read }) => read)).toHaveLength(30);
    expect(kept.messages.map(({ id }) => id)).not.toContain("m1");
    expect(kept.messages.at(-1)?.id).toBe("new");
    const few = withNewEntry({ messages: messages.slice(0, 49) }, "ashigaru1.yaml", added) as typeof kept;
    expect(few.messages).toHaveLength(50);
    expect(withNewEntry(few, "ashigaru1.yaml", added)).toBeUndefined();
  });

  it("an entry keeps its id when it is read", () => {
    const of = (fields: object) => queueEntry(fields as Record<string, unknown>, "reports", "f").id;
    expect(of({ summary: "x", read: false })).toBe(of({ summary: "x", read: true }));
    expect(of({ summary: "x" })).not.toBe(of({ summary: "y" }));
    expect(of({ id: "../../x" })).toMatch(/^[0-9a-f]{16}$/);
  });

  const entry = {
    id: "abcdef12",
    from: "ashigaru1",
    type: "report_completed",
    text: "done",
    isNote: true,
    at: "2026-01-01T00:00:00",
  };

  it("IN-13 IN-14 IN-42 a new entry has the format of the file", () => {
    expect(withNewEntry(undefined, "roju_reports.yaml", entry)).toEqual({
      reports: [
        {
          ...{ id: "abcdef12", subtask_id: "stophook_notification", worker: "ashigaru1", status: "notification" },
          ...{ reported_at: entry.at, summary: "done", type: "report_completed", read: false },
        },
      ],
    });
    expect(withNewEntry({ messages: [] }, "karo.yaml", entry)).toMatchObject({
      messages: [{ content: "done", read: false }],
    });
    expect(withNewEntry(TASKS, "ashigaru1.yaml", entry)).toMatchObject({ ...TASKS, messages: [{ from: "ashigaru1" }] });
  });

  it("IN-11 a long text is summed up and kept whole", () => {
    const long = { ...entry, text: `first line\n${"x".repeat(200)}` };
    expect(withNewEntry(REPORTS, "roju_reports.yaml", long)).toMatchObject({
      reports: [{}, { summary: "first line", full_summary: long.text }],
    });
  });

  it("E2E-003 IN-43 of 51 notifications 50 stay, and every other entry", () => {
    let file: unknown = REPORTS;
    for (let n = 0; n < 60; n++)
      file = withNewEntry(file, "roju_reports.yaml", { ...entry, id: `note-${n}-xx`, text: `${n}` });
    const { reports, note } = file as { reports: { summary: string }[]; note: number };
    expect(reports).toHaveLength(51);
    expect([reports[0]?.summary, reports[1]?.summary, reports.at(-1)?.summary, note]).toEqual(["ok", "10", "59", 1]);
  });

  it("marks entries as read, and leaves the rest alone", () => {
    const id = queueEntry(REPORTS.reports[0] as object as Record<string, unknown>, "reports", "f").id;
    expect(withRead(REPORTS, "f", new Set([id]))).toEqual({
      ...REPORTS,
      reports: [{ ...REPORTS.reports[0], read: true }],
    });
    expect(withRead(REPORTS, "f", new Set(["other"]))).toBeUndefined();
  });
});
