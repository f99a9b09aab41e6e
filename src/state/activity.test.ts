import { describe, expect, it } from "vitest";
import { ACTIVITIES, type ActivityChange, knownActivity } from "./activity.ts";
import { newSession, reduceSession } from "./session/session.ts";

const told = (activity: unknown): ActivityChange => ({ record: "session", do: "activity", activity }) as ActivityChange;

describe("GT-40 the activity of a session", () => {
  it("is the last one recorded, even after the session ended and was resumed", () => {
    const one = reduceSession(newSession(0), told("debug"), 1);
    const two = reduceSession(one, told("plan"), 2);
    expect([one.activity, two.activity]).toEqual(["debug", "plan"]);
    const ended = reduceSession(two, { record: "session", do: "end" }, 3);
    const resumed = reduceSession(ended, { record: "session", do: "begin", registration: {} }, 4);
    expect(reduceSession(resumed, { record: "session", do: "prompt" }, 5).activity).toBe("plan");
  });

  it.each(["none", "levitate", "x".repeat(5000), "__proto__", 7, null, undefined, {}])("%j changes nothing", (word) => {
    const session = { ...newSession(0), activity: "debug" as const };
    expect(reduceSession(session, told(word), 1)).toEqual(session);
  });

  it("activity names are matched in any case, and only as a single word", () => {
    for (const activity of ACTIVITIES) expect(knownActivity(` ${activity.toUpperCase()}\n`)).toBe(activity);
    for (const word of ["", "debug!", "debug plan", "constructor"]) expect(knownActivity(word)).toBeUndefined();
  });
});
