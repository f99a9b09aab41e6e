import { describe, expect, it } from "vitest";
import { newSession, reduceSession } from "../../state/session.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { trackSession } from "./track-session.ts";

describePolicy(trackSession);

const begins = { name: "SessionStart" as const, source: "startup" };
const armed = { "/home/dev/project/.claude/settings.local.json": ["PreToolUse"] };
const client = { pid: 7, started: "1" };

describe("a session", () => {
  it("ST-1 is bound to the process that begins it, with the hooks it saw", () => {
    const { changes } = verdictOf(trackSession, begins, { session: newSession(0) });
    expect(changes).toEqual([{ record: "session", do: "begin", client, registration: armed }]);
  });

  it("that was joined half-way is bound at the next prompt", () => {
    const { changes } = verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "hi" }, { session: newSession(0) });
    expect(changes).toMatchObject([{ do: "begin", client }]);
  });

  it("is bound by nobody who stands below an agent, and not while another process holds it", () => {
    for (const flaw of [{ insideAgent: true }, { isHost: false }, { heldElsewhere: true }]) {
      const caller = { ...ordinaryFacts.caller, client: { pid: 9, started: "9" }, ...flaw };
      expect(verdictOf(trackSession, begins, { session: newSession(0), caller }).changes).toEqual([]);
    }
  });

  it("that goes on after compaction forgets no hook it has seen; a new process begins anew", () => {
    const path = "/s.json";
    const begin = (pid: number, hooks: readonly string[]) =>
      ({ record: "session", do: "begin", client: { pid, started: "1" }, registration: { [path]: hooks } }) as const;
    const first = reduceSession(newSession(0), begin(7, ["PreToolUse", "Stop"]), 1);
    expect(reduceSession(first, begin(7, ["Stop"]), 2).registration[path]).toEqual(["PreToolUse", "Stop"]);
    expect(reduceSession(first, begin(8, ["Stop"]), 2).registration[path]).toEqual(["Stop"]);
  });

  it("a person's prompt clears what was refused in a row, a notification does not", () => {
    expect(verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "go" }).changes).toEqual([
      { record: "session", do: "prompt" },
    ]);
    const notification = { call: "x", status: "completed" };
    expect(verdictOf(trackSession, { name: "UserPromptSubmit", prompt: "", notification }).changes).toEqual([]);
  });

  it("that has ended keeps its counts and nothing that only a running one needs", () => {
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
