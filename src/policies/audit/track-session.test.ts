import { describe, expect, it } from "vitest";
import { EXAMPLE_PROCESS } from "../../state/session/example-session.ts";
import { newSession, reduceSession } from "../../state/session/session.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { trackSession } from "./track-session.ts";

const begins = { name: "SessionStart" as const, source: "startup" };
const armed = { "/home/dev/project/.claude/settings.local.json": ["PreToolUse"] };
const client = EXAMPLE_PROCESS;

describe("a session", () => {
  it("ST-1 a session is bound to the process that begins it, with the hooks it saw", () => {
    const { changes } = verdictOf(trackSession, begins, { session: newSession(0) });
    expect(changes).toEqual([{ record: "session", do: "begin", client, registration: armed }]);
  });

  it("EH-31 a session that begins without a person is remembered as such, unless an agent may have started it", () => {
    const alone = { ...begins, attended: false };
    const isHeadless = (when: object, given: object): boolean => {
      const { changes } = verdictOf(trackSession, { ...begins, ...when }, { session: newSession(0), ...given });
      return JSON.stringify(changes).includes('"headless":true');
    };
    expect(isHeadless(alone, {})).toBe(true);
    expect(isHeadless(begins, {})).toBe(false);
    expect(isHeadless(alone, { insideAgent: true })).toBe(false);
    expect(isHeadless(alone, { castaway: true })).toBe(false);
  });

  it("a person who takes over a session that began without one is asked again", () => {
    const begin = { record: "session", do: "begin", client, registration: {} } as const;
    const first = reduceSession(newSession(0), { ...begin, headless: true }, 1);
    expect(first.headless).toBe(true);
    expect(reduceSession(first, begin, 2).headless).toBeUndefined();
  });

  it("a session joined half-way is bound at the next prompt", () => {
    const { changes } = verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "hi" }, { session: newSession(0) });
    expect(changes).toMatchObject([{ do: "begin", client }]);
  });

  it("a process below an agent cannot bind a session, and neither can one while another process holds it", () => {
    for (const flaw of [{ insideAgent: true }, { isHost: false }, { heldElsewhere: true }]) {
      const caller = { ...ordinaryFacts.caller, process: { pid: 9, started: "9" }, ...flaw };
      expect(verdictOf(trackSession, begins, { session: newSession(0), caller }).changes).toEqual([]);
    }
  });

  it("a session keeps its known hooks after compaction; a new process starts over", () => {
    const path = "/s.json";
    const begin = (pid: number, hooks: readonly string[]) =>
      ({ record: "session", do: "begin", client: { pid, started: "1" }, registration: { [path]: hooks } }) as const;
    const first = reduceSession(newSession(0), begin(7, ["PreToolUse", "Stop"]), 1);
    expect(reduceSession(first, begin(7, ["Stop"]), 2).registration[path]).toEqual(["PreToolUse", "Stop"]);
    expect(reduceSession(first, begin(8, ["Stop"]), 2).registration[path]).toEqual(["Stop"]);
  });

  it("a person's prompt resets the refusals in a row, a notification does not", () => {
    expect(verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "go" }).changes).toEqual([
      { record: "session", do: "prompt" },
    ]);
    const notification = { call: "x", status: "completed" };
    expect(verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "", notification }).changes).toEqual([]);
  });

  it("an ended session keeps its counts and drops everything that only a running session needs", () => {
    const busy = {
      ...newSession(0),
      settled: ["a"],
      refusals: { x: 1 },
      shown: ["n"],
      outcomes: { ...newSession(0).outcomes, success: 3 },
    };
    expect(reduceSession(busy, { record: "session", do: "end" }, 9)).toMatchObject({
      endedAt: 9,
      settled: [],
      refusals: {},
      shown: [],
      outcomes: { success: 3 },
    });
  });
});
