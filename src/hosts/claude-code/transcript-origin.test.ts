import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wakeText } from "../../state/wakes/text.ts";
import { readTranscriptLine } from "./transcript.ts";

const AT = "2026-01-01T00:00:00.000Z";
const told = (entry: object) =>
  readTranscriptLine(JSON.stringify({ timestamp: AT, ...entry }))?.prompts?.map(({ words, from }) => ({ words, from }));
const user = (content: unknown, more: object = {}) =>
  told({ type: "user", message: { role: "user", content }, ...more });
const queued = (attachment: object) =>
  told({ type: "attachment", attachment: { type: "queued_command", ...attachment } });

describe("where a prompt came from", () => {
  it.each([
    ["a person, at the keyboard", { origin: { kind: "human" }, promptSource: "typed" }, "person"],
    ["a person, by a slash command", { turnOrigin: "human" }, "person"],
    ["a person, by an entry that only says how", { promptSource: "typed" }, "person"],
    ["the program that runs the host", { promptSource: "sdk" }, "program"],
    ["a host that writes no origin", {}, "program"],
    ["another session", { origin: { kind: "peer" }, promptSource: "typed" }, "peer"],
    ["a background task", { origin: { kind: "task-notification" } }, "task"],
    ["a background task, by its turn", { turnOrigin: "task_notification" }, "task"],
    ["an origin that is not known yet", { origin: { kind: "moon" }, promptSource: "typed" }, "other"],
    ["the host's own insertion", { isMeta: true }, "other"],
    ["a name that every object has", { origin: { kind: "constructor" } }, "other"],
  ])("%s", (_, more, from) => {
    expect(user("go on", more)).toEqual([{ words: "go on", from }]);
  });

  it("what we type to wake an agent is nobody's, and the words of others stay theirs", () => {
    const wake = wakeText("0123456789abcdef");
    const from = (more: object) => user(wake, more)?.map((one) => one.from);
    expect(from({ origin: { kind: "human" }, promptSource: "typed" })).toEqual(["other"]);
    expect(from({})).toEqual(["other"]);
    expect(from({ origin: { kind: "peer" } })).toEqual(["peer"]);
    expect(from({ origin: { kind: "task-notification" } })).toEqual(["task"]);
    expect(queued({ prompt: wake, origin: { kind: "human" } })?.map((one) => one.from)).toEqual(["other"]);
  });

  it("the words of another session without what the host says about them", () => {
    const message = "Another session sent a message:\napprove it\n\nand this\n\nThis came from another session.";
    expect(user(message, { origin: { kind: "peer" } })).toEqual([{ words: "approve it\n\nand this", from: "peer" }]);
    expect(user(message, { origin: { kind: "human" } })).toEqual([{ words: message, from: "person" }]);
  });

  it("words that were typed or sent while a turn was running", () => {
    expect(queued({ prompt: "stop it", origin: { kind: "human" } })).toEqual([{ words: "stop it", from: "person" }]);
    expect(queued({ prompt: [{ type: "text", text: "a" }], origin: { kind: "peer" } })).toEqual([
      { words: "a", from: "peer" },
    ]);
    expect(queued({ prompt: "done", commandMode: "task-notification", origin: { kind: "human" } })).toEqual([
      { words: "done", from: "task" },
    ]);
    expect(queued({ prompt: 5, origin: { kind: "human" } })).toBeUndefined();
    expect(told({ type: "attachment", attachment: { type: "file", prompt: "x" } })).toBeUndefined();
  });

  it("a slash command is read as it was typed", () => {
    const tags = "<command-message>cancel</command-message>\n<command-name>/cancel</command-name>";
    expect(user(`${tags}\n<command-args>all of it</command-args>`, { turnOrigin: "human" })).toEqual([
      { words: "/cancel all of it", from: "person" },
    ]);
    // Tags within other words are words.
    const words = "say <command-name>/cancel</command-name>";
    expect(user(words, { turnOrigin: "human" })).toEqual([{ words, from: "person" }]);
  });

  it("what the agent says is never a prompt, and a break is told apart", () => {
    const content = [{ type: "text", text: "/cancel" }];
    const said = (more: object) =>
      told({ type: "assistant", message: { content }, origin: { kind: "human" }, ...more });
    expect(said({})).toEqual([{ words: "/cancel", from: "said" }]);
    expect(said({ isApiErrorMessage: true })).toEqual([{ words: "/cancel", from: "break" }]);
    expect(user("[Request interrupted by user for tool use]")).toMatchObject([{ from: "break" }]);
  });

  it("what a tool prints and what a summary repeats are no prompts", () => {
    const printed = { type: "tool_result", tool_use_id: "t1", content: "/cancel" };
    const typed = { origin: { kind: "human" } };
    expect(user([printed, { type: "text", text: "/cancel" }], typed)).toBeUndefined();
    expect(user([{ type: "text", text: "/cancel" }], { ...typed, isCompactSummary: true })).toBeUndefined();
    expect(told({ type: "system", message: { content: "/cancel" }, ...typed })).toBeUndefined();
  });
});

it("never throws", () => {
  const entry = fc.record(
    { type: fc.constantFrom("user", "assistant", "attachment"), message: fc.anything(), attachment: fc.anything() },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(entry, fc.jsonValue(), (one, origin) => {
      readTranscriptLine(JSON.stringify({ ...one, origin }, (_, value) => (typeof value === "bigint" ? 0 : value)));
    }),
  );
});
