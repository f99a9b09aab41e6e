import { describe, expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import { boundSession } from "../state/session/example-session.ts";
import type { Session } from "../state/session/session.ts";
import { withWitness } from "./awaits.ts";
import type { HookEvent } from "./event.ts";
import type { Gathered, Witness } from "./facts.ts";
import { wordsMark } from "./marks.ts";

const NEEDED: Witness = { isNeeded: true, isThere: true, gaps: [] };
const NOW = 1_000_000;

const factsOf = (session: Partial<Session> = {}, witness: Witness = NEEDED): Gathered => ({
  session: boundSession(session),
  witness,
  now: NOW,
});
const ended = (outcome: "passed" | "failed") =>
  ({
    ...{ record: "check", do: "end", id: "t1", root: "/p", startedAt: 0, tree: "", files: "" },
    runs: [{ check: "test", command: "npm test", outcome }],
  }) as Change;
const used = { name: "PostToolUse", call: "t1" } as HookEvent<"PostToolUse">;
const said = (prompt: string, more: object = {}) =>
  ({ name: "UserPromptSubmit", prompt, ...more }) as HookEvent<"UserPromptSubmit">;
const PROMPT: Change = { record: "session", do: "prompt" };

const awaitsIn = (event: HookEvent, change: Change, facts = factsOf()) =>
  withWitness(event, [change], facts)[0]?.awaits;

describe("what waits for the host's transcript", () => {
  it.each<[string, HookEvent, Change]>([
    ["a passed check", used, ended("passed")],
    ["a skill", used, { record: "proof", do: "skill", name: "x" } as Change],
    ["an approval", said("ok"), { record: "proof", do: "approve", name: "x" } as Change],
    ["a reviewer's pass", used, { record: "proof", do: "review", pass: true } as Change],
    ["what a package manager changed", used, { record: "ground", do: "install" } as Change],
    ["a cancel", said("/cancel"), { record: "mode", do: "stop", why: "cancelled" } as Change],
    ["a pause of modes", used, { record: "mode", do: "pause" } as Change],
    ["a refill of refusals", said("go on"), PROMPT],
    ["that the person was told of something", said("go on"), { record: "session", do: "show", notice: "x" }],
  ])("%s", (_, event, change) => {
    expect(awaitsIn(event, change)).toBeDefined();
  });

  it.each<[string, HookEvent, Change]>([
    ["a failed check", used, ended("failed")],
    ["a reviewer's objection", used, { record: "proof", do: "review", pass: false } as Change],
    ["the start of a mode", said("persistent"), { record: "mode", do: "start" } as Change],
    ["a mode that came to its end", used, { record: "mode", do: "stop", why: "done" } as unknown as Change],
    ["what checks stand on, when it is first seen", used, { record: "ground", do: "add" }],
    [
      "the settings that a process began with",
      said("go on"),
      { record: "session", do: "pin", by: "1 a", settings: {} },
    ],
    ["a notice to the agent", used, { record: "session", do: "show", notice: "x" }],
    ["the start of a session", { name: "SessionStart" } as HookEvent, PROMPT],
  ])("takes effect at once: %s", (_, event, change) => {
    expect(awaitsIn(event, change)).toBeUndefined();
  });

  it("nothing, where the connection has proven the host or nothing is known", () => {
    expect(awaitsIn(used, ended("passed"), factsOf({}, { ...NEEDED, isNeeded: false }))).toBeUndefined();
    expect(awaitsIn(used, ended("passed"), { ...factsOf(), witness: { unknown: "x" } })).toBeUndefined();
  });

  it("only what carries authority among several changes", () => {
    const failed = ended("failed");
    expect(withWitness(used, [failed, ended("passed")], factsOf())).toEqual([
      failed,
      { ...ended("passed"), awaits: { call: "t1" } },
    ]);
  });
});

describe("the cause that must be shown", () => {
  const open = { tool: "Bash", at: NOW - 1_000, background: false, mark: "m" };

  it("a call as it was judged, in the transcript of its agent", () => {
    const facts = factsOf({ calls: { t1: { ...open, met: true } } });
    const agent = { id: "a1", type: "helper" };
    expect(awaitsIn({ ...used, agent }, ended("passed"), facts)).toEqual({
      call: "t1",
      mark: "m",
      met: true,
      agent: "a1",
    });
  });

  it("a call of which nothing is known has no mark", () => {
    expect(awaitsIn(used, ended("passed"), factsOf({ calls: {} }))).toEqual({ call: "t1" });
  });

  it("the words of a prompt, whatever the blanks", () => {
    expect(awaitsIn(said(" go\n on"), PROMPT)).toEqual({ prompt: wordsMark("go on") });
  });

  it.each([
    ["a command is running", { t1: open }, "busy"],
    ["a command runs in the background, however long", { t1: { ...open, at: 0, background: true } }, "busy"],
    ["a command was interrupted long ago", { t1: { ...open, at: 0 } }, undefined],
    ["a tool is running that sends nothing", { t1: { tool: "Read", at: NOW, background: false } }, undefined],
    ["nothing runs", {}, undefined],
  ])("a prompt while %s", (_, calls, from) => {
    expect(awaitsIn(said("go on"), PROMPT, factsOf({ calls }))).toEqual({
      prompt: wordsMark("go on"),
      ...(from && { from }),
    });
  });

  it("the host's note of a task that ended", () => {
    const event = said("<task-notification>", { notification: { call: "t1", status: "completed" } });
    expect(awaitsIn(event, ended("passed"))).toMatchObject({ from: "task" });
  });

  it("a reviewer's last message, in its own transcript", () => {
    const event = { name: "SubagentStop", lastMessage: "fine", agent: { id: "a1", type: "reviewer" } } as HookEvent;
    expect(awaitsIn(event, { record: "proof", do: "review", pass: true } as Change)).toEqual({
      prompt: wordsMark("fine"),
      from: "agent",
      agent: "a1",
    });
  });
});
