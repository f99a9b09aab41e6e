import { describe, expect, it } from "vitest";
import { foldPart, type PartRecord } from "../part.ts";
import { at, mail, message } from "./example-mail.ts";
import { marksOf, nativeState } from "./native.ts";
import { type Inbox, inbox } from "./part.ts";
import type { MessageRecord, NativeEnd } from "./records.ts";

const sent = (
  id: string,
  body: string,
  native: Partial<NativeEnd> = {},
  more: Partial<MessageRecord> = {},
): PartRecord =>
  message(id, {
    to: "bob",
    from: "alice",
    session: "s1",
    ...more,
    native: { ...marksOf(body), reach: "session", ...native },
  });
const arrived = (body: string, reader = "s2", from = "alice"): PartRecord =>
  mail("arrive", { box: "", arrival: { ...marksOf(body), from, reader } });
const folded = (...records: readonly PartRecord[]): Inbox => foldPart(inbox, records) as Inbox;
const states = (value: Inbox) => Object.values(value.native.sent).map((one) => [one.id, nativeState(one)]);

describe("a message of the host", () => {
  it("is queued until its words are seen at the other end, and waits in no inbox of ours", () => {
    expect(states(folded(sent("a", "hello")))).toEqual([["a", "queued"]]);
    const value = folded(sent("a", "hello"), arrived("hello"));
    expect(states(value)).toEqual([["a", "delivered"]]);
    expect(value.native.sent["a"]).toMatchObject({ reader: "s2" });
    expect(value.boxes).toEqual({});
  });

  it("may arrive before its sender's own record", () => {
    expect(states(folded(arrived("hello"), sent("a", "hello")))).toEqual([["a", "delivered"]]);
    expect(folded(arrived("hello"), sent("a", "hello")).native.strays).toEqual([]);
  });

  it("is known by its words, whatever the host escapes in them and does to line ends", () => {
    expect(states(folded(sent("a", " one\r\ntwo \n"), arrived("\none\ntwo\n")))).toEqual([["a", "delivered"]]);
    expect(states(folded(sent("a", "x </tag> & y"), arrived("x <\\/tag> &amp; y")))).toEqual([["a", "delivered"]]);
    expect(states(folded(sent("a", "one"), arrived("two")))).toEqual([["a", "queued"]]);
  });

  it("of the same words: the reader decides, then the order", () => {
    const two = [sent("a", "go", { reader_session: "s2" }), sent("b", "go", { reader_session: "s3" })];
    expect(states(folded(...two, arrived("go", "s3")))).toEqual([
      ["a", "queued"],
      ["b", "delivered"],
    ]);
    expect(states(folded(sent("a", "go"), sent("b", "go"), arrived("go")))).toEqual([
      ["a", "delivered"],
      ["b", "queued"],
    ]);
    expect(states(folded(sent("a", "go"), sent("b", "go"), arrived("go"), arrived("go")))).toEqual([
      ["a", "delivered"],
      ["b", "delivered"],
    ]);
  });

  it("that the host has cut has arrived, but not whole", () => {
    const long = "x".repeat(6700);
    const { native } = folded(sent("a", long), arrived(long.slice(0, 4700)));
    expect(native.sent["a"]).toMatchObject({ cut: 4700, chars: 6700 });
  });

  it("follows the notices of the host, and what has arrived stays so", () => {
    const fate = (why: string, ...ids: string[]) => mail("fate", { box: "", ids, why });
    const held = [sent("a", "x", { ref: "host-1" }), fate("held", "host-1")];
    expect(states(folded(...held))).toEqual([["a", "queued"]]);
    expect(states(folded(...held, fate("denied", "host-1")))).toEqual([["a", "failed"]]);
    expect(states(folded(...held, arrived("x"), fate("expired", "host-1")))).toEqual([["a", "delivered"]]);
    expect(states(folded(sent("a", "x", { why: "unknown" })))).toEqual([["a", "failed"]]);
    expect(states(folded(sent("a", "x"), fate("gone", "a"), arrived("x")))).toEqual([["a", "delivered"]]);
  });

  it("that was put into our inbox leaves it when it arrives after all", () => {
    const offer = message("a-again", { to: "worker1", of: "a" });
    const offered = [sent("a", "x"), mail("fate", { box: "", ids: ["a"], why: "unread" }), offer];
    expect(folded(...offered).boxes["worker1"]?.unread).toEqual([[1, 1]]);
    expect(folded(...offered, arrived("x")).boxes["worker1"]?.unread).toEqual([]);
  });

  it("is not kept without end, and those that have not arrived are kept longest", () => {
    const many = Array.from({ length: 300 }, (_, n) => sent(`m${n}`, `words ${n}`));
    const { sent: kept } = folded(
      sent("lost", "lost"),
      ...many.flatMap((one, n) => [one, arrived(`words ${n}`)]),
    ).native;
    expect(Object.keys(kept)).toHaveLength(200);
    expect(kept["lost"]).toBeDefined();
    expect(folded(...Array.from({ length: 90 }, (_, n) => arrived(`stray ${n}`))).native.strays).toHaveLength(20);
  });

  it("a record of another shape changes nothing", () => {
    expect(folded(at({ kind: "mail", do: "arrive", box: "" })).native).toEqual(folded().native);
  });
});
