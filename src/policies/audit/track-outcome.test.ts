import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, using } from "../example.ts";
import { trackOutcome } from "./track-outcome.ts";

const start: Session = boundSession();
type When = Parameters<typeof verdictOf>[1];

/** The session after the policy has seen these events one by one. */
function sessionAfter(...events: readonly When[]): Session {
  return events.reduce<Session>((session, when) => {
    const { changes } = verdictOf(trackOutcome, when, { ...ordinaryFacts, session } as Gathered);
    return changes.reduce((next, change) => reduceSession(next, change, 1), session);
  }, start);
}

const asked = bash("make");
const done = { ...using(asked.tool, "PostToolUse"), background: false };
const launched = { ...done, background: true };
const failed = { ...using(asked.tool, "PostToolUseFailure"), error: "Exit code 3", exitCode: 3, interrupted: false };
const batch = { name: "PostToolBatch" as const, calls: [{ id: "call-1", tool: "Bash" }] };
const notified = (status: string) => ({
  name: "UserPromptSubmit" as const,
  prompt: "",
  notification: { call: "call-1", status },
});
const ends = { name: "SessionEnd" as const, reason: "other" };

describe("AU-3 outcomes", () => {
  it("AU-3 are joined by the id of the tool call, and counted once whichever events fire", () => {
    expect(sessionAfter(asked, done).outcomes).toMatchObject({ success: 1, failure: 0 });
    expect(sessionAfter(asked, failed, batch).outcomes).toMatchObject({ failure: 1, refused: 0, invalid: 0 });
    expect(sessionAfter(asked, failed, done, done).outcomes).toMatchObject({ failure: 1, success: 0 });
    expect(sessionAfter(asked, done, batch).outcomes).toMatchObject({ success: 1, refused: 0, invalid: 0 });
  });

  it("a line is remembered with its other kinds of work, and whether its failure is to be expected", () => {
    const opened = (command: string, given: Gathered = ordinaryFacts) =>
      verdictOf(trackOutcome, bash(command), { ...given, session: start }).changes[0];
    expect(opened("kill 4711")).toMatchObject({ do: "open", spared: true });
    expect(opened("git reflog show HEAD")).toMatchObject({ spared: true });
    expect(opened("make")).not.toHaveProperty("spared");
    expect(opened("git add a && git commit -m x && make")).toMatchObject({ also: ["shell_exec"] });
    // What a line only looks at counts as it would alone.
    expect(opened("git status && cat a.txt && make")).toMatchObject({ also: ["git_read", "file_read"] });
    const strict = { ...defaultSettings, profile: { ...defaultSettings.profile, trust_gate: "domain" as const } };
    const given = { ...ordinaryFacts, settings: strict } as Gathered;
    for (const command of ["kill 4711", "git add a && make", "git status && make"]) {
      expect(opened(command, given)).not.toHaveProperty("spared");
      expect(opened(command, given)).not.toHaveProperty("also");
    }
  });

  it("TR-84 TS-8 an interrupt is not the agent's failure", () => {
    expect(sessionAfter(asked, { ...failed, interrupted: true }).outcomes).toMatchObject({
      failure: 0,
      interrupted: 1,
    });
  });

  it("TR-82 TR-83 the success event can report a failure", () => {
    expect(sessionAfter(asked, { ...done, failed: true }).outcomes).toMatchObject({ failure: 1, success: 0 });
    expect(sessionAfter(asked, { ...done, failed: true }, failed).outcomes).toMatchObject({ failure: 1, success: 0 });
    expect(sessionAfter(asked, failed, { ...done, failed: true }).outcomes).toMatchObject({ failure: 1, success: 0 });
  });

  it("TR-84 TS-8 an event that the host marks as no failure changes nothing", () => {
    expect(verdictOf(trackOutcome, { ...failed, failed: false }).changes).toEqual([]);
  });

  it("a question answered with exit code 1 is a success, and any other code is a failure", () => {
    const grep = { kind: "bash", name: "Bash", command: "grep x a", background: false } as const;
    const end = (exitCode: number) => ({
      ...using(grep, "PostToolUseFailure"),
      error: "",
      exitCode,
      interrupted: false,
    });
    expect(sessionAfter(using(grep), end(1)).outcomes).toMatchObject({ success: 1, failure: 0 });
    expect(sessionAfter(using(grep), end(2)).outcomes).toMatchObject({ success: 0, failure: 1 });
    expect(sessionAfter(bash("npm test && [ 1 ]"), { ...end(1) }).outcomes).toMatchObject({ failure: 1 });
  });

  it("a call without PreToolUse is recorded with its domain, and counted once", () => {
    const twice = sessionAfter(done, failed, done);
    expect(twice.outcomes).toMatchObject({ success: 1, failure: 0 });
    expect(verdictOf(trackOutcome, done).changes).toEqual([
      { record: "call", do: "close", id: "call-1", outcome: "success", domain: "shell_exec" },
    ]);
    expect(sessionAfter({ ...done, call: "" }).outcomes).toEqual(start.outcomes);
  });

  it("TR-87 a call that only its batch knows was refused if it was asked about, else never valid", () => {
    expect(sessionAfter(asked, batch).outcomes).toMatchObject({ refused: 1, invalid: 0 });
    expect(sessionAfter(batch, batch).outcomes).toMatchObject({ refused: 0, invalid: 1 });
  });

  it("a background call is pending until its notification comes, and the batch does not end it", () => {
    const running = sessionAfter(asked, launched, batch);
    expect(running.outcomes).toEqual(start.outcomes);
    expect(running.calls["call-1"]).toMatchObject({ background: true });
    expect(sessionAfter(asked, launched, batch, notified("completed")).outcomes.success).toBe(1);
    expect(sessionAfter(asked, launched, notified("failed")).outcomes.failure).toBe(1);
    expect(sessionAfter(asked, launched, notified("killed")).outcomes.interrupted).toBe(1);
  });

  it("a call still open when the session ends is abandoned", () => {
    expect(sessionAfter(asked, launched, ends).outcomes.abandoned).toBe(1);
    expect(sessionAfter(asked, done, ends).outcomes.abandoned).toBe(0);
  });

  it("the exit code is recorded if the host reports it", () => {
    expect(verdictOf(trackOutcome, failed).changes).toEqual([
      { record: "call", do: "close", id: "call-1", outcome: "failure", exitCode: 3, domain: "shell_exec" },
    ]);
  });

  it("a batch of thousands still fits into a record", () => {
    const calls = Array.from({ length: 5_000 }, (_, at) => ({ id: `x${at}`.padEnd(100, "y"), tool: "T".repeat(500) }));
    expect(JSON.stringify(verdictOf(trackOutcome, { name: "PostToolBatch", calls }).changes).length).toBeLessThan(
      1_500,
    );
  });

  it("an interrupted question is closed at the next prompt, from any sender", () => {
    const question = using({ kind: "control", name: "AskUserQuestion", asks: true });
    expect(Object.values(sessionAfter(question).calls)).toMatchObject([{ asks: true }]);
    expect(sessionAfter(question, { name: "UserPromptSubmit", prompt: "go on" }).calls).toEqual({});
    expect(sessionAfter(question, notified("completed")).calls).toEqual({});
    expect(sessionAfter(asked, { name: "UserPromptSubmit", prompt: "go on" }).calls).not.toEqual({});
  });

  it("in a batch that is too long for a record, the question is closed first", () => {
    const question = using({ kind: "control", name: "AskUserQuestion", asks: true });
    const others = Array.from({ length: 50 }, (_, at) => ({ id: `x${at}`.padEnd(60, "y"), tool: "Bash" }));
    const calls = [...others, { id: "call-1", tool: "AskUserQuestion" }];
    expect(sessionAfter(question, { name: "PostToolBatch", calls }).calls).toEqual({});
  });

  it("a question of a subagent does not count as a question of the turn", () => {
    const question = using({ kind: "control", name: "AskUserQuestion", asks: true });
    const session = sessionAfter({ ...question, agent: { id: "a-1", type: "general-purpose" } });
    expect(Object.values(session.calls)).toEqual([expect.not.objectContaining({ asks: true })]);
  });

  it("ids that look like built-in names are ordinary ids", () => {
    for (const id of ["constructor", "toString", "hasOwnProperty"]) {
      const session = sessionAfter({ ...asked, call: id }, { ...done, call: id });
      expect(session.outcomes.success).toBe(1);
    }
  });
});
