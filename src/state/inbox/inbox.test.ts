import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { found, valuesIn } from "../../lib/buckets.ts";
import { letters, lettersOf, stateOf } from "../letters/part.ts";
import { foldPart, type PartRecord } from "../part.ts";
import { type Box, deliveredUpto, newBox, waitingCount } from "./box.ts";
import { at, claim, done, mail, message, task } from "./example-mail.ts";
import { type Inbox, inbox } from "./part.ts";
import { blockersOf, cycleIn, statusOf, type Task } from "./tasks.ts";

const folded = (...records: readonly PartRecord[]): Inbox => foldPart(inbox, records) as Inbox;
const kept = (...records: readonly PartRecord[]) => foldPart(letters, records) as typeof letters.empty;
const waiting = (value: Inbox, name = "worker1"): readonly string[] => waitingIn(value.boxes[name] ?? newBox);
/** The ids of everything that waits, in its order, as far as they are shown. */
function waitingIn({ shown }: Box): readonly string[] {
  const open = Object.entries(shown).filter(([, { expires = 1001 }]) => expires > 1000);
  return open.sort(([, a], [, b]) => a.n - b.n).map(([id]) => id);
}

describe("an inbox", () => {
  it("IN-15 holds messages until they are read, in the order of their arrival", () => {
    const value = folded(message("a"), message("b"), message("c", { importance: "urgent" }), message("d", { to: "x" }));
    expect(waiting(value)).toEqual(["a", "b", "c"]);
    expect(waiting(folded(message("a"), message("b"), mail("read", { numbers: [[1, 1]] })))).toEqual(["b"]);
    expect(waiting(folded(message("a"), message("b"), mail("read", { numbers: [[1, 2]] }), message("e")))).toEqual([
      "e",
    ]);
  });

  it("of 10,000 unread messages is hardly larger than one of 100, and counts all of them", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => message(`m${n}`));
    const box = folded(...many, mail("read", { numbers: [[5000, 5001]] })).boxes["worker1"] ?? newBox;
    expect(waitingCount(box)).toBe(9998);
    expect(JSON.stringify(box).length).toBeLessThan(15_000);
  });

  it("takes a message that was sent twice once, also after it was read", () => {
    const value = folded(message("a"), message("a"), mail("read", { numbers: [[1, 1]] }), message("a"));
    expect(value.boxes["worker1"]).toMatchObject({ unread: [], shown: {}, next: 2 });
  });

  it("IN-29 counts deliveries, and what came later starts at none", () => {
    const box = folded(message("a"), mail("deliver", { upto: 1 }), message("b"), mail("deliver", { upto: 2 }));
    const upto = [1, 2, 3].map((times) => deliveredUpto(box.boxes["worker1"] ?? newBox, times));
    expect(upto).toEqual([2, 1, 0]);
  });

  it("IN-28 a delivered notification is read if the delivery says so, a message is not", () => {
    const records = [message("a"), message("n", { note: true })];
    expect(waiting(folded(...records, mail("deliver", { upto: 2, notes: true })))).toEqual(["a"]);
    expect(waiting(folded(...records, mail("deliver", { upto: 2 })))).toEqual(["a", "n"]);
    expect(waiting(folded(...records, mail("deliver", { upto: 1, notes: true })))).toEqual(["a", "n"]);
  });

  it("IN-43 keeps the newest 50 notifications and every other message", () => {
    const notes = Array.from({ length: 60 }, (_, n) => message(`n${n}`, { note: true }));
    const value = folded(message("first"), ...notes, message("last"));
    expect(waiting(value)).toHaveLength(52);
    expect(waiting(value).slice(0, 2)).toEqual(["first", "n10"]);
    expect(lettersOf(kept(message("first"), ...notes, message("last")), "worker1")).toHaveLength(52);
  });

  it("what must be acknowledged waits until it is", () => {
    const records = [message("a", { ack: true }), mail("read", { numbers: [[1, 1]] })];
    expect(folded(...records).boxes["worker1"]?.shown).toMatchObject({ a: { ack: "owed" } });
    expect(waiting(folded(...records, mail("ack", { numbers: [[1, 1]] })))).toEqual([]);
  });

  it("an expired message waits no more", () => {
    expect(waiting(folded(message("a", { expires: 900 }), message("b", { expires: 1100 })))).toEqual(["b"]);
  });

  it("IN-48 remembers who asked which agent until the answer comes", () => {
    const asked = message("q", { request_id: "12345678" });
    expect(folded(asked).requests).toMatchObject({ "12345678": { from: "lead", to: "worker1", at: 1000 } });
    const answer = { to: "lead", from: "worker1" };
    expect(folded(asked, message("x", { ...answer, request_id: "12345678" })).requests).toEqual({});
    expect(folded(asked, message("x", { ...answer, reply_to: "q" })).requests).toEqual({});
    expect(folded(asked, message("x", { ...answer, from: "worker2", reply_to: "q" })).requests).toHaveProperty(
      "12345678",
    );
    expect(folded(asked, mail("lost", { ids: ["12345678"] })).requests["12345678"]).toMatchObject({ lost: true });
  });
});

describe("a letter", () => {
  const states = (...records: readonly PartRecord[]): readonly string[] => {
    const value = kept(...records);
    const box = value.inbox.boxes["worker1"] ?? newBox;
    return lettersOf(value, "worker1").map((letter) => stateOf(letter, box, 1000));
  };

  it("goes through its states: queued, delivered, read, acked, or escalated, failed, expired", () => {
    const a = message("a");
    expect(states(a)).toEqual(["queued"]);
    expect(states(a, mail("deliver", { upto: 1 }), message("b"))).toEqual(["delivered", "queued"]);
    expect(states(a, mail("deliver", { upto: 1 }), mail("read", { numbers: [[1, 1]] }))).toEqual(["read"]);
    expect(states(a, mail("ack", { numbers: [[1, 1]] }))).toEqual(["acked"]);
    expect(states(a, mail("deliver", { upto: 1 }), mail("escalate", { upto: 1 }))).toEqual(["escalated"]);
    expect(states(a, mail("fail", { numbers: [[1, 1]], why: "the pane is dead" }))).toEqual(["failed"]);
    expect(states(message("a", { expires: 5 }))).toEqual(["expired"]);
  });

  it("IN-43 of more than 50, the newest 30 read ones and all unread ones are kept; imported ones always", () => {
    const all = Array.from({ length: 80 }, (_, n) => message(`m${n}`));
    const value = kept(...all, mail("read", { numbers: [[1, 60]] }));
    const left = lettersOf(value, "worker1");
    expect(left.filter(({ readAt }) => readAt === undefined)).toHaveLength(20);
    expect(left.filter(({ readAt }) => readAt !== undefined).map(({ id }) => id)).toEqual(
      Array.from({ length: 30 }, (_, n) => `m${n + 30}`),
    );
    const origin = { file: "f", key: "reports", digest: "d" };
    const old = Array.from({ length: 80 }, (_, index) =>
      message(`o${index}`, { read: true, origin: { ...origin, index } }),
    );
    expect(lettersOf(kept(...old, mail("drain")), "worker1")).toHaveLength(80);
  });

  it("IN-47 drain removes read ones and leaves the rest", () => {
    const value = kept(message("a"), message("b"), mail("read", { numbers: [[1, 1]] }), mail("drain"));
    expect(lettersOf(value, "worker1").map(({ id }) => id)).toEqual(["b"]);
    expect(waiting(value.inbox)).toEqual(["b"]);
  });

  it("both parts agree on what waits, whatever happens", () => {
    const ids = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const number = fc.nat(8);
    const anything = fc.oneof(
      fc
        .tuple(ids, fc.boolean(), fc.boolean())
        .map(([id, isNote, isAck]) => message(id, { ...(isNote && { note: true }), ...(isAck && { ack: true }) })),
      fc
        .tuple(fc.constantFrom("read" as const, "ack" as const, "fail" as const, "drain" as const), number, number)
        .map(([what, one, two]) => mail(what, { numbers: [[Math.min(one, two), Math.max(one, two)]] })),
      fc
        .tuple(fc.constantFrom("deliver" as const, "escalate" as const), number)
        .map(([what, n]) => mail(what, { upto: n, notes: true })),
      ids.map((id) => task(`t${id}`)),
      ids.map((id) => claim(`t${id}`)),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 60 }), (records) => {
        const value = kept(...records);
        expect(value.inbox).toEqual(folded(...records));
        const open = waiting(value.inbox).filter((id) => !id.startsWith("t"));
        const unread = lettersOf(value, "worker1").map(({ id }) => id);
        for (const id of open) expect(unread).toContain(id);
        const box = value.inbox.boxes["worker1"] ?? newBox;
        expect(waitingCount(box)).toBe(Object.keys(box.shown).length);
      }),
    );
  });
});

describe("a task", () => {
  const statuses = (value: Inbox): Record<string, string> =>
    Object.fromEntries(valuesIn(value.tasks).map((one) => [one.id, statusOf(one, value.tasks)]));

  it("waits for its agent until it is claimed, and reading does not claim it", () => {
    expect(waiting(folded(task("t"), mail("read", { numbers: [[1, 9]] })))).toEqual(["t"]);
    expect(waiting(folded(task("t"), claim("t")))).toEqual([]);
    expect(statuses(folded(task("t"), claim("t")))).toEqual({ t: "in_progress" });
  });

  it("that waits for others is blocked, and comes up when they are done", () => {
    const records = [task("a"), task("b", { blocked_by: ["a"], to: "worker2" })];
    expect(statuses(folded(...records))).toEqual({ a: "assigned", b: "blocked" });
    expect(waiting(folded(...records), "worker2")).toEqual([]);
    expect(waiting(folded(...records, claim("b", "worker2")), "worker2")).toEqual([]);
    expect(waiting(folded(...records, claim("a"), done("a")), "worker2")).toEqual(["b"]);
  });

  it("that waits for a failed one waits for the one that was queued in its place", () => {
    const failed = (id: string) => at({ kind: "task", do: "fail", id, by: "worker1", why: "no disk" });
    const again = task("a_retry_1", { retry: 1, retry_of: "a" });
    const records = [task("a"), task("b", { blocked_by: ["a"], to: "worker2" }), failed("a")];
    expect(statuses(folded(...records))["b"]).toBe("blocked");
    expect(statuses(folded(...records, again))["b"]).toBe("blocked");
    const twice = [...records, again, failed("a_retry_1"), task("a_retry_2", { retry: 2, retry_of: "a" })];
    expect(blockersOf(found(folded(...twice).tasks, "b") as Task, folded(...twice).tasks)).toEqual(["a_retry_2"]);
    const value = folded(...twice, claim("a_retry_2"), done("a_retry_2"));
    expect([statuses(value)["b"], waiting(value, "worker2")]).toEqual(["assigned", ["b"]]);
  });

  it("of a later wave waits for the earlier waves of its command", () => {
    const wave = (id: string, n: number) => task(id, { group: "cmd_1", wave: n });
    const records = [wave("a", 1), wave("b", 1), wave("c", 2), task("other", { group: "cmd_2", wave: 2 })];
    expect(statuses(folded(...records))).toEqual({ a: "assigned", b: "assigned", c: "blocked", other: "assigned" });
    const one = [...records, claim("a"), done("a")];
    expect(statuses(folded(...one))["c"]).toBe("blocked");
    expect(statuses(folded(...one, claim("b"), done("b")))["c"]).toBe("assigned");
  });

  it("of several claims at once the first counts, and nobody claims what is assigned to another", () => {
    const free = at({ kind: "task", do: "add", id: "t", title: "t", by: "lead" });
    expect(found(folded(free, claim("t", "a"), claim("t", "b")).tasks, "t")?.holder?.actor).toBe("a");
    expect(found(folded(task("t"), claim("t", "worker2")).tasks, "t")?.holder).toBeUndefined();
  });

  it("that was taken over cannot be ended by its former holder, and an ended one stays as it is", () => {
    const released = at({ kind: "task", do: "release", id: "t", attempt: 1, why: "its process ended" });
    const again = [task("t"), claim("t"), released, claim("t", "worker1", 2)];
    expect(statuses(folded(...again, done("t", 1)))).toEqual({ t: "in_progress" });
    expect(statuses(folded(...again, done("t", 2)))).toEqual({ t: "done" });
    expect(statuses(folded(...again, done("t", 2), claim("t", "worker1", 3), released))).toEqual({ t: "done" });
  });

  it("that is assigned to somebody else leaves the inbox it waited in", () => {
    const value = folded(task("t"), at({ kind: "task", do: "assign", id: "t", to: "worker2", by: "lead" }));
    expect([waiting(value), waiting(value, "worker2")]).toEqual([[], ["t"]]);
  });

  it("a chain of tasks that wait for one another is found", () => {
    expect(cycleIn({ a: ["b"], b: ["c"], c: ["a"] })).toEqual(["a", "b", "c", "a"]);
    expect(cycleIn({ a: ["a"] })).toEqual(["a", "a"]);
    expect(cycleIn({ a: ["b", "c"], b: ["c"], c: [] })).toBeUndefined();
  });
});
