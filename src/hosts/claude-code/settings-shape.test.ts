import { describe, expect, it } from "vitest";
import { strangeKeys, wouldBeDropped } from "./settings-shape.ts";

const hook = { type: "command", command: "true" };
const gate = (entry: object, more: object = {}): object => ({
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [entry], ...more }] },
});

/** Each row was tested in Claude Code 2.1.325: a file with this value, and a hook that either ran or did not. */
describe("settings that make the host drop the whole file", () => {
  it.each<[string, object]>([
    ["an unknown type", gate({ type: "nonsense", command: "x" })],
    ["no command", gate({ type: "command" })],
    ["a failure policy that does not exist", gate({ ...hook, onFailure: "allow" })],
    ["a time-out of nothing", gate({ ...hook, timeout: 0 })],
    ["a time-out in words", gate({ ...hook, timeout: "5" })],
    ["another shell", gate({ ...hook, shell: "zsh" })],
    ["arguments that are no texts", gate({ ...hook, args: [1] })],
    ["a status message that is no text", gate({ ...hook, statusMessage: 1 })],
    ["a condition that is no text", gate({ ...hook, if: 1 })],
    ["once as a text", gate({ ...hook, once: "yes" })],
    ["async as a text", gate({ ...hook, async: "yes" })],
    ["an address that is none", gate({ type: "http", url: "not a url" })],
    ["headers that are a list", gate({ type: "http", url: "http://127.0.0.1:1/", headers: [] })],
    ["a tool hook without its server", gate({ type: "mcp_tool", tool: "t" })],
    ["a prompt hook with a number for a model", gate({ type: "prompt", prompt: "p", model: 5 })],
    ["a matcher that is null", gate(hook, { matcher: null })],
    ["a group without hooks", { hooks: { PreToolUse: [{ matcher: "Bash" }] } }],
    ["hooks that are a list", { hooks: [] }],
    ["permissions as a number", { permissions: 5 }],
    ["an allow list that is none", { permissions: { allow: 5 } }],
    ["a mode that does not exist", { permissions: { defaultMode: "yolo" } }],
    ["an environment in words", { env: "x" }],
    ["a number for a model", { model: 5 }],
    ["days in words", { cleanupPeriodDays: "x" }],
    ["a status line that is a number", { statusLine: 5 }],
    ["plugins that are a number", { enabledPlugins: 5 }],
    ["hooks switched off in words", { disableAllHooks: "yes" }],
  ])("%s", (_, settings) => {
    expect(wouldBeDropped(settings as Record<string, unknown>)).toBe(true);
  });
});

describe("settings that the host accepts", () => {
  it.each<[string, object]>([
    [
      "an ordinary file",
      { model: "opus", permissions: { allow: ["Bash(ls)"], defaultMode: "acceptEdits" }, env: { A: 1 } },
    ],
    ["an unknown field of a hook", gate({ ...hook, novel: 1 })],
    ["an empty command", gate({ ...hook, command: "" })],
    ["a failure policy on a prompt hook", gate({ type: "prompt", prompt: "p", onFailure: "anything" })],
    ["both failure policies", gate({ ...hook, onFailure: "continue" })],
    ["an unknown key", { novelty: { a: 1 } }],
    ["an empty group", { hooks: { PreToolUse: [{ hooks: [] }] } }],
    ["a rule that is no text", { permissions: { allow: [5] } }],
    ["nonsense under another event", { hooks: { Stop: 5, Moonrise: [] } }],
  ])("%s", (_, settings) => {
    expect(wouldBeDropped(settings as Record<string, unknown>)).toBe(false);
  });

  it("unknown keys are listed with their type", () => {
    expect(strangeKeys({ model: "x", hooks: {}, novelty: [], other: null, more: 3 })).toEqual([
      "novelty: list",
      "other: null",
      "more: number",
    ]);
  });
});
