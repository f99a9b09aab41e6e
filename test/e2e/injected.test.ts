/** Context that Sekisho adds for the agent, and how `status` counts it. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, expectValid } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

function contextOf({ stdout }: Answer): string {
  if (stdout === "") return "";
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } };
  return hookSpecificOutput?.additionalContext ?? "";
}

function counted(stage: Stage): number | undefined {
  const { sessions } = JSON.parse(stage.sekisho("status", "--json").stdout) as {
    sessions: readonly { id: string; injectedChars: number }[];
  };
  return sessions.find(({ id }) => id === "s1")?.injectedChars;
}

/** The agent's task list, as the host stores it. */
function withTasks({ home }: Stage, ...statuses: readonly string[]): void {
  const directory = join(home, ".claude", "tasks", "s1");
  mkdirSync(directory, { recursive: true });
  statuses.forEach((status, at) => {
    writeFileSync(join(directory, `${at + 1}.json`), JSON.stringify({ id: String(at + 1), subject: "s", status }));
  });
}

const TALKATIVE = `context: { guide: true }
activity: { hint: true }
modes: { tasks: true }
format: { enabled: true }
lint: { before_commit: warn }
`;

it("MD-47 status counts the context of all policies at all events", () => {
  const stage = openStage();
  stage.write(".sekisho/config.local.yaml", TALKATIVE);
  stage.write("package.json", '{"devDependencies":{"prettier":"3"}}');
  stage.write("node_modules/.bin/prettier", `#!/bin/sh\nfor file; do :; done\nsed -i 's/  */ /g' "$file"\n`);
  chmodSync(join(stage.project, "node_modules/.bin/prettier"), 0o755);
  withTasks(stage, "pending", "in_progress", "completed");
  const heard: string[] = [];
  const hear = (event: Parameters<Stage["send"]>[0], fields: object): string => {
    const answer = stage.send(event, fields);
    expectValid(event, answer);
    heard.push(contextOf(answer));
    return heard.at(-1) ?? "";
  };
  const edit = {
    tool_name: "Edit",
    tool_use_id: "e1",
    tool_input: { file_path: join(stage.project, "a.js"), old_string: "a", new_string: "b" },
  };
  const remove = { tool_name: "Bash", tool_use_id: "r1", tool_input: { command: "rm -r notes" } };
  stage.write("notes/a.txt", "words");
  expect(hear("SessionStart", { source: "startup" })).toContain("Getting started");
  expect(hear("UserPromptSubmit", { prompt: "fix the crash in the parser" })).toContain("reads as debug");
  expect(hear("PreToolUse", edit)).toMatch(/^\[Tasks: 2\] /);
  stage.write("a.js", "let  b;\n");
  expect(hear("PostToolUse", { ...edit, tool_response: { filePath: "a.js" } })).toContain("reformatted");
  expect(hear("PreToolUse", { ...edit, tool_use_id: "e2" })).toBe("");
  const missing = "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>";
  const call = { tool_name: "Edit", tool_use_id: "e2", tool_input: edit.tool_input, tool_response: missing };
  expect(hear("PostToolBatch", { tool_calls: [call] })).not.toBe("");
  withTasks(stage, "completed");
  expect(hear("PreToolUse", remove)).toMatch(/\[Tasks: 1\][\s\S]*sekisho undo/);
  hear("PreToolUse", { ...remove, tool_use_id: "r2", tool_input: { command: "rm -rf /" } });
  hear("Stop", { last_assistant_message: "done", background_tasks: [] });
  expect(heard.filter((words) => words !== "").length).toBe(6);
  expect(counted(stage)).toBe(heard.join("").length);
});

describe("MD-46 MD-47 the task line on the built program", () => {
  it("MD-47 is given on change, in the user's language, and not to subagents", () => {
    const stage = openStage();
    stage.write(".sekisho/config.local.yaml", "language: ja\nmodes: { tasks: true }\n");
    stage.send("SessionStart", { source: "startup" });
    withTasks(stage, "pending", "pending");
    const read = { file_path: join(stage.project, "a") };
    expect(contextOf(stage.use("Read", read, { agent_id: "a1", agent_type: "t" }))).toBe("");
    expect(contextOf(stage.use("Read", read))).toMatch(/^\[Tasks: 2\] 複数のファイルを/);
    expect(contextOf(stage.bash("ls"))).toBe("");
    withTasks(stage, "completed");
    expect(contextOf(stage.bash("ls"))).toMatch(/^\[Tasks: 1\] /);
    withTasks(stage, "completed", "deleted");
    expect(contextOf(stage.bash("ls"))).toBe("");
  });

  it("MD-46 is neither looked up nor given without the setting", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    withTasks(stage, "pending");
    expect(stage.bash("ls").stdout).toBe("");
    expect(counted(stage)).toBe(0);
  });

  it("MD-46 invalid or hostile task files do not block", () => {
    const stage = openStage();
    stage.write(".sekisho/config.local.yaml", "modes: { tasks: true }\n");
    stage.send("SessionStart", { source: "startup" });
    const directory = join(stage.home, ".claude", "tasks", "s1");
    mkdirSync(join(directory, "dir.json"), { recursive: true });
    stage.run("mkfifo", [join(directory, "pipe.json")]);
    writeFileSync(join(directory, "null.json"), "null");
    writeFileSync(join(directory, "cut.json"), '{"status":"pen');
    writeFileSync(join(directory, "huge.json"), JSON.stringify({ status: "pending", subject: "x".repeat(1 << 20) }));
    writeFileSync(join(directory, "ok.json"), JSON.stringify({ status: "pending", subject: 7 }));
    const answer = stage.bash("touch a");
    expect(answer.code).toBe(0);
    expect(contextOf(answer)).toMatch(/^\[Tasks: 1\] /);
  });
});
