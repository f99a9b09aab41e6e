/** The limits of waking, without waiting for any of them. */
import { describe, expect, it } from "vitest";
import type { Wake } from "../../state/wakes/part.ts";
import { ANSWER_MS, nextStep, type Standing } from "./steps.ts";

const NOW = 1_000_000;
const idle: Standing = { is: "idle", session: "s", lastAt: 0, upto: 3, way: "tmux", everyMs: 60_000 };
const wake = (more: Partial<Wake> = {}): Wake => ({
  ...{ session: "s", upto: 3, tries: 1, at: NOW - ANSWER_MS, last: "try", by: "tmux" },
  ...more,
});
const step = (before: Wake | undefined, standing: Partial<Standing> = {}, now = NOW) =>
  nextStep(before, { ...idle, ...standing }, now);

describe("what is next for an agent with something to read", () => {
  it("IN-3 IN-61 it is woken when the host says that it is idle, and only then", () => {
    expect(step(undefined)).toEqual({ do: "try" });
    expect(step(undefined, { is: "busy" })).toEqual({ do: "nothing" });
    expect(step(wake(), { is: "busy" })).toEqual({ do: "nothing" });
  });

  it("a try counts as answered only by a later event of that session", () => {
    expect(step(wake(), { lastAt: NOW })).toEqual({ do: "woken" });
    expect(step(wake(), { lastAt: NOW - ANSWER_MS })).toEqual({ do: "try" });
    expect(step(wake({ session: "old" }), { lastAt: NOW })).toEqual({ do: "try" });
  });

  it("an answer has 10 seconds, and after three tries without one it has failed", () => {
    expect(step(wake({ at: NOW - 4000 }))).toEqual({ do: "wait", ms: 6000 });
    expect(step(wake({ tries: 2 }))).toEqual({ do: "try" });
    expect(step(wake({ tries: 3 }))).toEqual({ do: "fail", why: "no event of its session came after 3 tries" });
    expect(step(wake({ tries: 3, last: "left", why: "a person reads back in its pane" }))).toMatchObject({
      why: "a person reads back in its pane",
    });
  });

  it("IN-61 new messages wake it at most once in a minute", () => {
    const woken = wake({ last: "woken", at: NOW - 20_000 });
    expect(step(woken, { upto: 4 })).toEqual({ do: "wait", ms: 40_000 });
    expect(step(woken, { upto: 4 }, NOW + 40_000)).toEqual({ do: "try" });
    expect(step(woken, { upto: 4, everyMs: 1000 })).toEqual({ do: "try" });
  });

  it("an agent that is woken and reads nothing is woken three times, and then its supervisor is told", () => {
    expect(step(wake({ last: "woken", at: NOW - 60_000 }))).toEqual({ do: "try" });
    expect(step(wake({ last: "woken", at: NOW - 60_000, tries: 3 }))).toMatchObject({ do: "fail" });
    expect(step(wake({ last: "fail", tries: 3 }))).toEqual({ do: "nothing" });
    expect(step(wake({ last: "fail", tries: 3, at: NOW - 60_000 }), { upto: 4 })).toEqual({ do: "try" });
  });

  it("a session that has just got a prompt is not woken, although the host still calls it idle", () => {
    const begun = { isBegun: true, lastAt: NOW - 3000, everyMs: 1000 };
    const woken = wake({ last: "woken", at: NOW - 4000 });
    expect(step(woken, begun)).toEqual({ do: "wait", ms: 7000 });
    expect(step(woken, { ...begun, upto: 4 })).toEqual({ do: "wait", ms: 7000 });
    expect(step(undefined, begun)).toEqual({ do: "wait", ms: 7000 });
    expect(step(woken, begun, NOW + 7000)).toEqual({ do: "try" });
    expect(step(woken, { ...begun, isBegun: false })).toEqual({ do: "try" });
  });

  it("a dead process has failed at once, and once", () => {
    expect(step(undefined, { is: "gone" })).toEqual({ do: "fail", why: "its process has ended" });
    expect(step(wake({ last: "fail" }), { is: "gone" })).toEqual({ do: "nothing" });
    expect(step(wake(), { is: "gone" })).toMatchObject({ do: "fail" });
  });

  it("a person is called once for the same messages", () => {
    expect(step(undefined, { way: "bell" })).toEqual({ do: "try" });
    expect(step(wake({ by: "bell" }), { way: "bell" })).toEqual({ do: "nothing" });
    expect(step(wake({ by: "bell", at: NOW - 60_000 }), { way: "bell", upto: 4 })).toEqual({ do: "try" });
  });

  it("nothing is typed where the host's own hook waits", () => {
    expect(step(undefined, { way: undefined })).toEqual({ do: "nothing" });
  });

  it("a clock that was set back keeps nobody asleep", () => {
    expect(step(wake({ at: NOW + 3_600_000 }))).toEqual({ do: "try" });
  });
});
