import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registeredEvents } from "../../policies/index.ts";
import { changes, operationOf } from "../../reading/operation/operation.ts";
import { slots } from "./hooks.ts";
import { classOfTool, harmlessTools, readTool } from "./tools.ts";

const place = { cwd: "/p", home: "/h" };
const path = { file_path: "/p/a.ts" };

/** Every tool that may change something, with an input of its shape. */
const CHANGING: Readonly<Record<string, object>> = {
  Bash: { command: "make" },
  Monitor: { command: "make" },
  PowerShell: { command: "Remove-Item -Recurse src" },
  Write: { ...path, content: "x" },
  Edit: { ...path, old_string: "a", new_string: "b" },
  MultiEdit: { ...path, edits: [{ old_string: "a", new_string: "b" }] },
  NotebookEdit: { notebook_path: "/p/a.ipynb", new_source: "x" },
  WebFetch: { url: "https://example.com" },
  WebSearch: { query: "x" },
  EnterWorktree: {},
  ExitWorktree: {},
  mcp__files__list: {},
  MCP__Files__Write: {},
  BrandNewTool: { command: "rm -rf /" },
  ReadX: path,
  toString: {},
  "Read ": path,
};

/** Written out, so that a tool can join this group only by a change of this list. */
const HARMLESS = [
  ...["BashOutput", "Glob", "Grep", "LS", "LSP", "ListMcpResourcesTool", "NotebookRead", "Read"],
  ...["ReadMcpResourceTool", "Agent", "AskUserQuestion", "CronCreate", "CronDelete", "CronList", "EnterPlanMode"],
  ...["ExitPlanMode", "KillShell", "ListAgents", "ReportFindings", "ScheduleWakeup", "SendMessage", "Skill"],
  ...["SlashCommand", "StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop"],
  ...["TaskUpdate", "TodoRead", "TodoWrite", "ToolSearch", "control"],
];

const program = { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs" };

/** Which of the two registered gates the client sends this tool to. */
function gatesOf(tool: string): readonly string[] {
  return slots(["PreToolUse"], program)
    .filter(({ matcher = "" }) =>
      matcher.startsWith("^") ? new RegExp(matcher).test(tool) : matcher.split("|").includes(tool),
    )
    .map(({ hook }) => (hook.onFailure === "block" ? "fails closed" : "fails open"));
}

describe("HK-21 tools that may change something", () => {
  it.each(Object.entries(CHANGING))(
    "HK-21 %s is a change, and only the gate that fails closed sees it",
    (name, input) => {
      expect(changes(operationOf(readTool(name, input), place))).toBe(true);
      expect(classOfTool(name)).toBe("change");
      expect(gatesOf(name)).toEqual(["fails closed"]);
    },
  );

  it.each(["PowerShell", "powershell", "Bash", "bash", "mcp__a__b", "Novel"])(
    "HK-21 %s is a change whatever its input looks like",
    (name) => {
      for (const input of [undefined, null, "text", [], { command: 3 }, { command: ["ls"] }])
        expect(changes(operationOf(readTool(name, input), place))).toBe(true);
    },
  );

  it("HK-21 a tool that nobody knows is a change, by whatever name", () => {
    const known = new Set([...HARMLESS].map((name) => name.toLowerCase()));
    const novel = fc.oneof(
      fc.string(),
      fc.constantFrom(...HARMLESS).map((name) => `${name}2`),
    );
    fc.assert(
      fc.property(
        novel.filter((name) => !known.has(name.toLowerCase())),
        (name) => {
          expect(classOfTool(name)).toBe("change");
          expect(gatesOf(name)).toEqual(["fails closed"]);
        },
      ),
    );
  });
});

describe("HK-21 tools that only read or only steer", () => {
  it("HK-21 are exactly these", () => expect([...harmlessTools()].sort()).toEqual([...HARMLESS].sort()));

  it.each(HARMLESS)("HK-21 %s changes nothing, and a failure of ours does not stop it", (name) => {
    expect(changes(operationOf(readTool(name, path), place))).toBe(false);
    expect(gatesOf(name)).toEqual(["fails open"]);
  });
});

describe("GT-2 what the skill gate and the gate at the end of a turn listen to", () => {
  const matchers = Object.fromEntries(slots(registeredEvents, program).map(({ event, matcher }) => [event, matcher]));

  it.each(["SessionStart", "PreCompact", "Stop", "TaskCompleted", "UserPromptSubmit"])(
    "GT-2 %s is registered",
    (event) => expect(Object.keys(matchers)).toContain(event),
  );

  it("GT-2 the end of every tool use is heard, of a skill too, and every edit comes to the gate", () => {
    expect(matchers["PostToolUse"]).toBe("*");
    for (const tool of ["Edit", "Write", "MultiEdit"]) expect(gatesOf(tool)).toEqual(["fails closed"]);
  });
});
