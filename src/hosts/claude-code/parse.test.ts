import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../kernel/event.ts";
import type { Parsed, RawCall } from "../host.ts";
import { parse } from "./parse.ts";

const PAYLOADS = join(import.meta.dirname, "../../../test/payloads");
const payloads = readdirSync(PAYLOADS).filter((file) => file !== "statusLine.json");
const body = (file: string): string => readFileSync(join(PAYLOADS, file), "utf8");
const from = (text: string, more: Partial<RawCall> = {}): Parsed => parse({ body: text, env: {}, ...more });
const eventIn = (file: string) => {
  const parsed = from(body(file));
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.event;
};

describe("recorded payloads", () => {
  it("HK-1 every recorded payload of the host is parsed, and every event has one", () => {
    const names = payloads.map((file) => eventIn(file).name);
    expect(names.filter((name) => name === "Unknown")).toEqual([]);
    expect(EVENT_NAMES.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(payloads)("HK-1 %s keeps its event name and session", (file) => {
    const raw = JSON.parse(body(file)) as Record<string, string>;
    expect(eventIn(file)).toMatchObject({ name: raw["hook_event_name"], session: raw["session_id"] });
  });

  it("HK-13 a failed tool has its error and interrupt flag, a successful one has no failure fields", () => {
    expect(eventIn("PostToolUseFailure.Bash.json")).toMatchObject({
      error: "Exit code 3\npartial",
      interrupted: false,
    });
    expect(eventIn("PostToolUse.Bash.json")).toMatchObject({ background: false, tool: { kind: "bash" } });
  });

  it("HK-13 a background call is distinguished from a finished one", () => {
    expect(eventIn("PostToolUse.Bash.background.json")).toMatchObject({ background: true });
    expect(eventIn("PostToolUse.Agent.json")).toMatchObject({ background: true });
    expect(eventIn("PostToolUse.Agent.foreground.json")).toMatchObject({ background: false });
  });

  it("HK-9 Stop carries the loop flag, the last message and the number of background tasks", () => {
    expect(eventIn("Stop.background-task.json")).toMatchObject({
      continued: false,
      lastMessage: "waiting",
      backgroundTasks: 1,
    });
    expect(eventIn("Stop.active.json")).toMatchObject({ continued: true });
  });

  it("HK-11 SessionStart carries its source", () => {
    for (const source of ["startup", "resume", "clear", "compact", "fork"]) {
      expect(eventIn(`SessionStart.${source}.json`)).toMatchObject({ source });
    }
  });

  it("HK-19 the subagent tool is recognised by both names", () => {
    expect(eventIn("PreToolUse.Agent.json")).toMatchObject({ tool: { kind: "agent", agentType: "reviewer" } });
    expect(from(body("PreToolUse.Agent.json").replaceAll('"Agent"', '"Task"'))).toMatchObject({
      event: { tool: { kind: "agent" } },
    });
  });

  it("a subagent's event names the subagent", () => {
    expect(eventIn("PreToolUse.Bash.in-subagent.json").agent).toMatchObject({ type: "reviewer" });
    expect(eventIn("PreToolUse.Bash.json").agent).toBeUndefined();
  });

  it("a task notification is not a person's prompt", () => {
    expect(eventIn("UserPromptSubmit.task-notification.json")).toMatchObject({
      notification: { call: "toolu_GM2YbEHTw1eT", status: "failed" },
    });
    expect(eventIn("UserPromptSubmit.json")).not.toHaveProperty("notification");
  });

  it("MD-20 the prompt is in `prompt`, else in the message content, else in its text parts", () => {
    const said = (fields: object): unknown => {
      const parsed = from(JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "s", ...fields }));
      return "event" in parsed && "prompt" in parsed.event ? parsed.event.prompt : parsed;
    };
    const parts = [{ type: "text", text: "fix" }, { type: "image", text: "no" }, { type: "text" }, "x", null];
    const more = [...parts, { type: "text", text: "it" }];
    expect(said({ prompt: "a", message: { content: "b" }, parts: more })).toBe("a");
    expect(said({ prompt: "", message: { content: "b" }, parts: more })).toBe("b");
    expect(said({ message: { content: ["b"] }, parts: more })).toBe("fix it");
    for (const fields of [{}, { prompt: 7, message: "b", parts: "fix" }, { message: null, parts: [] }])
      expect(said(fields)).toBe("");
  });
});

describe("fields that rules use as evidence", () => {
  const told = (file: string, more: object) => {
    const parsed = from(JSON.stringify({ ...JSON.parse(body(file)), ...more }));
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed.event;
  };

  it("GT-4 a skill that was loaded, and one that failed to load", () => {
    expect(eventIn("PostToolUse.Skill.json")).toMatchObject({ tool: { skill: "demo" }, failed: false });
    const failed = { tool_response: { success: false, commandName: "demo" } };
    expect(told("PostToolUse.Skill.json", failed)).toMatchObject({ failed: true });
    expect(told("PostToolUse.Bash.json", failed)).toMatchObject({ failed: false });
  });

  it("a slash command counts as a skill, an MCP prompt does not", () => {
    expect(eventIn("UserPromptExpansion.slash_command.json")).toMatchObject({ command: "greet" });
    expect(eventIn("UserPromptExpansion.mcp_prompt.json")).toMatchObject({ command: "" });
  });

  it("the files of a diff that a subagent was shown whole", () => {
    const stdout = "diff --git a/a b.js b/a b.js\n--- a/a b.js\n+++ b/a b.js\n@@ -1 +1 @@\n+diff --git a/x b/x\n";
    const shown = (command: string, response: object) =>
      told("PostToolUse.Bash.in-subagent.json", { tool_input: { command }, tool_response: { stdout, ...response } });
    expect(shown("git diff", {})).toMatchObject({ diffed: ["a b.js"] });
    for (const cut of [{ persistedOutputPath: "/t/rest.txt" }, { stdout: stdout.padEnd(29_500) }])
      expect(shown("git diff", cut)).not.toHaveProperty("diffed");
    expect(shown("cat a.patch", {})).not.toHaveProperty("diffed");
    expect(told("PostToolUse.Bash.json", { tool_response: { stdout } })).not.toHaveProperty("diffed");
  });

  it("a person's answer is read from the response, not from the model's input", () => {
    const asked = { tool_name: "AskUserQuestion", tool_input: { questions: [], answers: { q: "approve a" } } };
    const answered = { ...asked, tool_response: { answers: { "Go?": "approve b", n: 1 } } };
    expect(told("PostToolUse.Skill.json", answered)).toMatchObject({ answers: ["approve b"] });
    expect(told("PostToolUse.Skill.json", { ...asked, tool_response: {} })).not.toHaveProperty("answers");
    expect(told("PostToolUse.Bash.json", { tool_response: { answers: { q: "approve b" } } })).not.toHaveProperty(
      "answers",
    );
    expect(told("PreToolUse.Skill.json", asked)).toMatchObject({ tool: { answered: true } });
    expect(told("PreToolUse.Skill.json", { ...asked, tool_input: { answers: {} } })).not.toMatchObject({
      tool: { answered: true },
    });
  });

  it.each([
    ["Write", "tool_input.file_path"],
    ["Edit", "tool_input.file_path"],
    ["MultiEdit", "tool_input.file_path"],
    ["NotebookEdit", "tool_input.notebook_path"],
  ])("TS-20 14 GT-13 %s without a path is malformed", (tool, field) => {
    const call = { hook_event_name: "PreToolUse", tool_name: tool, tool_input: { content: "x", new_source: "x" } };
    expect(from(JSON.stringify(call))).toMatchObject({ problem: expect.stringContaining(field), harmless: false });
  });
});

describe("HK-21 tools", () => {
  const tool = (name: string, input: unknown = {}) => {
    const parsed = from(
      JSON.stringify({
        hook_event_name: "PostToolUse",
        session_id: "s",
        cwd: "/p",
        tool_name: name,
        tool_input: input,
      }),
    );
    return "event" in parsed && "tool" in parsed.event ? parsed.event.tool : undefined;
  };

  it("HK-21 known tools are classified explicitly, and unknown tools count as changes", () => {
    expect(tool("MultiEdit", { file_path: "/a", edits: [{ old_string: "a", new_string: "b" }] })).toMatchObject({
      kind: "edit",
    });
    expect(tool("mcp__db__drop")).toMatchObject({ kind: "mcp" });
    expect(tool("BrandNewTool")).toMatchObject({ kind: "unknown" });
    for (const name of [
      "Skill",
      "TodoWrite",
      "TaskCreate",
      "TaskUpdate",
      "TaskList",
      "AskUserQuestion",
      "ExitPlanMode",
      "ToolSearch",
    ]) {
      expect(tool(name)).toMatchObject({ kind: "control" });
    }
  });

  it("tool names are case-insensitive", () => {
    expect(tool("bash", { command: "ls" })).toMatchObject({ kind: "bash", name: "Bash" });
    expect(tool("EDIT", { file_path: "/a", old_string: "", new_string: "" })).toMatchObject({ kind: "edit" });
  });

  it.each([
    ["Bash", { command: ["rm", "-rf"] }, "tool_input.command"],
    ["Bash", {}, "tool_input.command"],
    ["Write", { file_path: 3, content: "" }, "tool_input.file_path"],
    ["Edit", { file_path: "/a", old_string: "x" }, "tool_input.old_string/new_string"],
    ["MultiEdit", { file_path: "/a", edits: [null] }, "tool_input.edits"],
    ["Bash", "text", "tool_input"],
    ["Bash", null, "tool_input"],
  ])("%s with input %j is malformed, and the field is named", (name, input, field) => {
    expect(tool(name, input)).toMatchObject({ kind: "malformed", of: "change", field });
    const before = from(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: name, tool_input: input }));
    expect(before).toMatchObject({ problem: expect.stringContaining(field), harmless: false });
  });
});

describe("unreadable input", () => {
  it.each([
    ["", "empty"],
    ["   \n", "empty"],
    ["{", "not JSON"],
    ['{"hook_event_name":"PreToolUse","tool_na', "not JSON"],
    ["[1]", "not a JSON object"],
    ["null", "not a JSON object"],
    ['"text"', "not a JSON object"],
  ])("EH-2 %j counts as PreToolUse unless the hook is registered for another event", (text, problem) => {
    expect(from(text)).toMatchObject({ problem: expect.stringContaining(problem), name: "PreToolUse" });
    expect(from(text, { registeredFor: "Stop" })).toMatchObject({ name: "Stop" });
  });

  it("EH-2 TR-81 a missing tool name is reported with its field", () => {
    expect(from('{"hook_event_name":"PreToolUse"}')).toMatchObject({ problem: expect.stringContaining("tool_name") });
    expect(from('{"hook_event_name":"PreToolUse","tool_name":7}')).toMatchObject({
      problem: expect.stringContaining("tool_name"),
    });
  });

  it("EH-1 EH-2 a reading tool with malformed input counts as harmless", () => {
    expect(from('{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":5}}')).toMatchObject({
      harmless: true,
    });
  });

  it("truncated input may name its event but cannot declare itself harmless", () => {
    const cut = '{"session_id":"abc","hook_event_name":"Stop","tool_name":"Read","tool_inp';
    expect(from(cut)).toMatchObject({ name: "Stop", session: "abc", harmless: false });
    expect(from(cut, { registeredFor: "PreToolUse" })).toMatchObject({ name: "PreToolUse", harmless: false });
    expect(from(cut, { registeredFor: "PreToolUse", harmless: true })).toMatchObject({ harmless: true });
  });

  it("a byte order mark is accepted", () => {
    expect(from(`\ufeff${body("PreToolUse.Bash.json")}`)).toHaveProperty("event");
  });

  it("an unknown event is accepted by name", () => {
    expect(from('{"hook_event_name":"MoonRise","session_id":"s"}')).toMatchObject({
      event: { name: "Unknown", hostName: "MoonRise" },
    });
  });

  it.each([["../../etc"], [".hidden"], ["__proto__"], ["a".repeat(300)], [""], [null], [17]])(
    "ST-1 ST-2 the session id %j is treated as absent",
    (session) => {
      expect(from(JSON.stringify({ hook_event_name: "Stop", session_id: session }))).toMatchObject({
        event: { session: "unknown" },
      });
    },
  );

  it("never throws on any input", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => from(text) !== undefined));
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_NAMES), fc.dictionary(fc.string(), fc.jsonValue()), (name, fields) => {
        expect(from(JSON.stringify({ ...fields, hook_event_name: name }))).toBeDefined();
      }),
    );
  });
});

describe("whether a person can answer", () => {
  const attended = (env: RawCall["env"], mode = "default") => {
    const parsed = parse({ body: JSON.stringify({ hook_event_name: "Stop", permission_mode: mode }), env });
    return "event" in parsed && parsed.event.attended;
  };
  it("EH-31 is false in headless sessions and in dontAsk mode", () => {
    expect(attended({})).toBe(true);
    expect(attended({ CLAUDE_CODE_SESSION_ATTENDED: "1" })).toBe(true);
    expect(attended({ CLAUDE_CODE_SESSION_ATTENDED: "0" })).toBe(false);
    expect(attended({ CLAUDE_CODE_ENTRYPOINT: "sdk-cli" })).toBe(false);
    expect(attended({}, "dontAsk")).toBe(false);
  });
});

describe("a tool that sends a prompt later", () => {
  const toolOf = (name: string, input: object) => {
    const parsed = from(
      JSON.stringify({ hook_event_name: "PreToolUse", tool_name: name, tool_input: input, tool_use_id: "t" }),
    );
    return "event" in parsed && "tool" in parsed.event ? parsed.event.tool : undefined;
  };

  it("carries the text of the prompt, or an empty text when it is unknown", () => {
    expect(toolOf("CronCreate", { cron: "* * * * *", prompt: "go on" })).toMatchObject({ prompts: "go on" });
    expect(toolOf("SendMessage", { to: "a", message: "look" })).toMatchObject({ prompts: "look" });
    expect(toolOf("ScheduleWakeup", { delaySeconds: 60 })).toMatchObject({ prompts: "" });
  });

  it("a message that is not text carries no prompt", () => {
    const input = { to: "a", message: { type: "shutdown_request" } };
    expect(toolOf("SendMessage", input)).toEqual({ kind: "control", name: "SendMessage" });
  });
});
