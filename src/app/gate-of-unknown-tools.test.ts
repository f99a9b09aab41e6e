/** Checks what the gate answers when Sekisho itself fails, for tools of every group. */
import { describe, expect, it } from "vitest";
import type { Policy } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { memoryStore } from "../store/memory.ts";
import { type ExampleHall, hallWith, send } from "./example-hall.ts";

const fault = { fault: "The disk is full.", code: "full" } as const;
const broken: Policy = {
  id: "no-x",
  on: ["PreToolUse"],
  needs: [],
  why: text("w", "言"),
  examples: [],
  check: () => {
    throw new Error("a bug of ours");
  },
};

const FAILURES: Readonly<Record<string, ExampleHall>> = {
  "the journal cannot be written": hallWith({ ...memoryStore(), append: () => fault }),
  "a policy throws": hallWith(memoryStore(), { policiesOn: () => [broken] }),
  "the settings cannot be read": hallWith(memoryStore(), {
    settingsOf: () => {
      throw new Error("no settings");
    },
  }),
};

const CHANGING = [
  ["PowerShell", { command: "Remove-Item -Recurse src" }],
  ["powershell", { command: "Get-ChildItem" }],
  ["BrandNewTool", { what: "anything" }],
  ["BrandNewTool", {}],
  ["mcp__db__query", { sql: "select 1" }],
  ["EnterWorktree", {}],
  ["WebFetch", { url: "https://example.com" }],
] as const;

const HARMLESS = [
  ["Read", { file_path: "/a" }],
  ["Skill", { skill: "x" }],
  ["AskUserQuestion", {}],
  ["Task", {}],
  ["Agent", {}],
  ["TodoWrite", {}],
  ["TaskUpdate", {}],
  ["ExitPlanMode", {}],
  ["ToolSearch", {}],
] as const;

describe.each(Object.entries(FAILURES))("HK-21 EH-1 %s", (_, hall) => {
  it.each(CHANGING)("HK-21 %s %j is refused", (tool_name, tool_input) => {
    const reply = send(hall, "PreToolUse", { tool_name, tool_input, tool_use_id: "c" });
    expect(reply).toMatchObject({ exitCode: 2, stdout: "" });
    expect(reply.stderr).toContain("Reading and asking still work");
  });

  it.each(HARMLESS)("HK-21 %s goes on", (tool_name, tool_input) => {
    expect(send(hall, "PreToolUse", { tool_name, tool_input, tool_use_id: "c" }).exitCode).toBe(0);
  });
});

it("without a failure the same tools pass, so it is the failure that refuses them", () => {
  for (const [tool_name, tool_input] of CHANGING)
    expect(send(hallWith(memoryStore()), "PreToolUse", { tool_name, tool_input, tool_use_id: "c" }).exitCode).toBe(0);
});
