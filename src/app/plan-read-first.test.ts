/** PB-40 by events: what passes before the approved plan was read, and what counts as reading it. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  attempt as attemptAt,
  done as doneAt,
  openPlanStage,
  PLAN,
  PLAN_TEXT,
  type PlanStage,
} from "../../test/plan-stage.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { type ExampleHall, send } from "./example-hall.ts";

let stage: PlanStage;
let project: string;

beforeEach(() => {
  stage = openPlanStage();
  project = stage.project;
  stage.put("other/button.md", PLAN_TEXT);
  symlinkSync(join(project, PLAN), join(project, "link.md"));
  stage.approve();
});

function hall(more: Partial<Settings> = {}): ExampleHall {
  return stage.hall({ ...defaultSettings, plan: { ...defaultSettings.plan, read_first: "on" as const }, ...more });
}

const start = (at: ExampleHall, source = "startup") => send(at, "SessionStart", { cwd: project, source });
const attempt = (at: ExampleHall, tool: string, input: object) => attemptAt(at, project, tool, input);
const done = (at: ExampleHall, tool: string, input: object) => doneAt(at, project, tool, input);
const edit = (at: ExampleHall) => attempt(at, "Write", { file_path: join(project, "a.ts"), content: "x" }).exitCode;
const bash = (at: ExampleHall, command: string) => attempt(at, "Bash", { command }).exitCode;

describe("TS-50 PB-40 before the approved plan was read", () => {
  it("changes are refused, and the refusal names what remains to be read", () => {
    const at = hall();
    start(at);
    const { exitCode, stderr } = attempt(at, "Write", { file_path: join(project, "a.ts"), content: "x" });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`Still to read: ${PLAN}`)]);
  });

  it("PB-40 what a subagent has read counts for the subagent, what the conversation has read for both", () => {
    const at = hall();
    start(at);
    const agent = { agent_id: "a1", agent_type: "reviewer" };
    const input = { tool_name: "Read", tool_input: { file_path: join(project, PLAN) }, tool_use_id: "r1" };
    send(at, "PreToolUse", { cwd: project, ...agent, ...input });
    send(at, "PostToolUse", { cwd: project, ...agent, ...input, tool_response: {} });
    const write = { tool_name: "Write", tool_input: { file_path: join(project, "a.ts"), content: "x" } };
    const byAgent = (id: string) =>
      send(at, "PreToolUse", { cwd: project, ...agent, agent_id: id, ...write, tool_use_id: `w-${id}` }).exitCode;
    expect([edit(at), byAgent("a1"), byAgent("a2")]).toEqual([2, 0, 2]);
    done(at, "Read", { file_path: join(project, PLAN) });
    expect([edit(at), byAgent("a2")]).toEqual([0, 0]);
  });

  it("reading, control tools, looking git commands and branches pass", () => {
    const at = hall();
    start(at);
    const open = [
      "ls -la",
      "grep -rn x .",
      "git status",
      "git log -3",
      "git diff",
      "git show HEAD",
      "git switch -c t",
      "git stash list",
      "sed -n 1,5p a.ts",
      "sekisho playbook status",
    ];
    expect(open.filter((command) => bash(at, command) !== 0)).toEqual([]);
    expect(
      ["Read", "Grep", "Glob"].map(
        (tool) => attempt(at, tool, { file_path: join(project, "a.ts"), pattern: "x" }).exitCode,
      ),
    ).toEqual([0, 0, 0]);
    expect(["Skill", "AskUserQuestion", "TodoWrite", "Task"].map((tool) => attempt(at, tool, {}).exitCode)).toEqual([
      0, 0, 0, 0,
    ]);
  });

  it("PB-40 `sed -i`, redirections and what hides behind a harmless word are not harmless", () => {
    const at = hall();
    start(at);
    const shut = [
      "sed -i s/a/b/ a.ts",
      "echo x > a.ts",
      "cat a.ts >> b.ts",
      "git status > a.ts",
      "git log --output=a.ts",
      "git diff --output a.ts",
      "grep x a.ts | tee b.ts",
      "echo $(rm a.ts)",
      "find . -name a.ts -delete",
      "find . -name a.ts -exec rm {} +",
      "ls; python3 x.py",
      "cat a.ts | sh",
      "sort -o a.ts a.ts",
      "git -c alias.x='!rm a.ts' x",
      "git commit -am x",
      "npm test",
    ];
    expect(shut.filter((command) => bash(at, command) !== 2)).toEqual([]);
    expect(
      ["Edit", "Write", "MultiEdit", "NotebookEdit"].map(
        (tool) =>
          attempt(at, tool, {
            file_path: join(project, "a.ts"),
            notebook_path: join(project, "a.ipynb"),
            content: "x",
            new_source: "x",
            old_string: "a",
            new_string: "b",
            edits: [{ old_string: "a", new_string: "b" }],
          }).exitCode,
      ),
    ).toEqual([2, 2, 2, 2]);
  });

  it.each([
    ["the Read tool", "Read", { file_path: "PLAN" }],
    ["a link to it", "Read", { file_path: "LINK" }],
    ["cat alone on its line", "Bash", { command: `cat ${PLAN}` }],
    ["cat of a link to it", "Bash", { command: "cat link.md" }],
  ])("%s opens it", (_, tool, input) => {
    const at = hall();
    start(at);
    const named = JSON.parse(
      JSON.stringify(input).replace("PLAN", join(project, PLAN)).replace("LINK", join(project, "link.md")),
    );
    done(at, tool, named);
    expect([edit(at), bash(at, "npm test")]).toEqual([0, 0]);
  });

  it.each([
    ["PB-40 another file of the same name", "Read", { file_path: "other/button.md" }],
    ["a directory of the name", "Grep", { pattern: "x", path: "." }],
    ["cat into nothing", "Bash", { command: `cat ${PLAN} > /dev/null` }],
    ["cat behind a pipe", "Bash", { command: `cat ${PLAN} | head -1` }],
    ["cat after a failure", "Bash", { command: `false && cat ${PLAN}` }],
    ["its name on a line", "Bash", { command: `echo ${PLAN}` }],
  ])("%s does not", (_, tool, input) => {
    const at = hall();
    start(at);
    done(at, tool, input);
    expect(edit(at)).toBe(2);
  });

  it("a call that nobody saw begin, or that failed, shows nothing", () => {
    const at = hall();
    start(at);
    const tool_input = { file_path: join(project, PLAN) };
    send(at, "PostToolUse", { cwd: project, tool_name: "Read", tool_input, tool_use_id: "made-up", tool_response: {} });
    const call = { cwd: project, tool_name: "Read", tool_input, tool_use_id: "failed" };
    send(at, "PreToolUse", call);
    send(at, "PostToolUseFailure", { ...call, error: "no" });
    expect(edit(at)).toBe(2);
  });

  it("a new conversation reads it again, a resumed one need not", () => {
    const at = hall();
    start(at);
    done(at, "Read", { file_path: join(project, PLAN) });
    start(at, "resume");
    expect(edit(at)).toBe(0);
    for (const source of ["compact", "clear", "startup"]) {
      start(at, source);
      expect(edit(at)).toBe(2);
      done(at, "Read", { file_path: join(project, PLAN) });
      expect(edit(at)).toBe(0);
    }
  });

  it.each([
    ["strict", 2],
    ["user", 2],
    ["trusted", 2],
    ["developer", 2],
    ["admin", 0],
  ] as const)("TS-50 PB-54 under security %s", (security, code) => {
    const at = hall({ security });
    start(at);
    expect(edit(at)).toBe(code);
  });

  it("without the setting, or without an approved plan, nothing must be read", () => {
    const off = hall({ plan: defaultSettings.plan });
    start(off);
    expect(edit(off)).toBe(0);
    stage = openPlanStage();
    project = stage.project;
    const none = hall();
    start(none);
    expect(edit(none)).toBe(0);
  });
});
