/** The gate at Stop and the one for tasks on the built program: the cases of the originals, and what outlasts a session. */
import { describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

let calls = 0;

function used(stage: Stage, tool: string, input: object, fields: object = {}, run?: () => void): void {
  const call = { ...fields, tool_name: tool, tool_input: input, tool_use_id: `toolu_${++calls}` };
  expect(stage.send("PreToolUse", call).code).toBe(0);
  run?.();
  stage.send("PostToolUse", { ...call, tool_response: { success: true } });
}

function edit(stage: Stage, name: string, content: string, fields: object = {}): void {
  used(stage, "Write", { file_path: `${stage.project}/${name}`, content }, fields, () => stage.write(name, content));
}

const ran = (stage: Stage, command: string, fields: object = {}): void => used(stage, "Bash", { command }, fields);

function stop(stage: Stage, fields: object = {}) {
  return stage.send("Stop", {
    stop_hook_active: false,
    last_assistant_message: "Done.",
    background_tasks: [],
    ...fields,
  });
}

const isHeld = (stage: Stage, fields?: object): boolean => stop(stage, fields).stdout.includes('"decision":"block"');

function project(settings = "", files: Readonly<Record<string, string>> = {}): Stage {
  const stage = openStage();
  stage.write("package.json", JSON.stringify({ scripts: { test: "node test.js" } }));
  for (const [name, text] of Object.entries({ "a.js": "1\n", "test.js": "\n", ...files })) stage.write(name, text);
  if (settings !== "") stage.write(".sekisho/config.yaml", settings);
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

describe("a turn that ends", () => {
  it("GT-1 TS-21 the exit code is 0 whether it is held or not, and what is said is valid", () => {
    const stage = project();
    expect(stop(stage)).toMatchObject({ code: 0, stdout: "" });
    edit(stage, "a.js", "2\n");
    const { code, stdout } = stop(stage);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block", reason: expect.stringContaining("`npm test`") });
  });

  it("TS-21 GT-20 an input that cannot be read holds nobody", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    for (const bytes of ["", "{", "null", '{"hook_event_name":"Stop"']) {
      const { code, stdout } = stage.sendBytes("Stop", bytes);
      expect(code).toBe(0);
      expect(stdout).not.toContain("block");
    }
  });

  it("TS-21 GT-20 a session without an id is held by nothing", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect(isHeld(stage, { session_id: "" })).toBe(false);
    expect(isHeld(stage)).toBe(true);
  });

  it("TS-21 GT-20 with the active flag it is held while there is something to show, and let go when the budget is spent", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect(isHeld(stage, { stop_hook_active: true })).toBe(true);
    expect(isHeld(stage, { stop_hook_active: true })).toBe(false);
  });

  it("TS-22 compaction and resuming keep what is owed, and what was shown", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    stage.send("PreCompact", { trigger: "manual", custom_instructions: "" });
    stage.send("SessionStart", { source: "compact" });
    expect(isHeld(stage)).toBe(true);
    stage.send("UserPromptSubmit", { prompt: "go on" });
    ran(stage, "npm test");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
    expect(isHeld(stage)).toBe(false);
  });

  it("TS-22 resuming does not clear what is owed", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
    expect(isHeld(stage)).toBe(true);
  });

  it("a person's prompt gives the budget back; a notification does not", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect([isHeld(stage), isHeld(stage)]).toEqual([true, false]);
    edit(stage, "a.js", "3\n");
    const notice =
      "<task-notification>\n<tool-use-id>x</tool-use-id>\n<status>completed</status>\n</task-notification>";
    stage.send("UserPromptSubmit", { prompt: notice });
    expect(isHeld(stage)).toBe(true);
    stage.send("UserPromptSubmit", { prompt: "and now?" });
    edit(stage, "a.js", "4\n");
    expect(isHeld(stage)).toBe(true);
  });

  it("what was let go is not asked for again by a conversation", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect([isHeld(stage), isHeld(stage)]).toEqual([true, false]);
    stage.send("UserPromptSubmit", { prompt: "thanks" });
    ran(stage, "ls -la");
    expect(isHeld(stage)).toBe(false);
  });

  it("what is changed back owes nothing", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    edit(stage, "a.js", "1\n");
    expect(isHeld(stage)).toBe(false);
  });

  it("another branch is nobody's change, and what is done on it is", () => {
    const stage = project();
    stage.git("checkout", "-q", "-b", "other");
    stage.write("a.js", "9\n");
    stage.git("commit", "-qam", "other");
    stage.git("checkout", "-q", "main");
    used(
      stage,
      "Bash",
      { command: "git checkout other && git status" },
      {},
      () => void stage.git("checkout", "-q", "other"),
    );
    expect(isHeld(stage)).toBe(false);
    used(
      stage,
      "Bash",
      { command: "git -c core.pager=x checkout main" },
      {},
      () => void stage.git("checkout", "-q", "main"),
    );
    expect(isHeld(stage)).toBe(true);
  });

  it("a run that does not count is told at once, and once", () => {
    const stage = project();
    const told = (command: string): string => {
      const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${++calls}` };
      stage.send("PreToolUse", call);
      return stage.send("PostToolUse", { ...call, tool_response: {} }).stdout;
    };
    expect(told("npm test")).toBe("");
    expect(told("npm test | tail")).toContain("`set -o pipefail; npm test | tail` would.");
    expect(told("npm test | tail")).toBe("");
  });

  it("a subagent's change is the session's", () => {
    const stage = project();
    edit(stage, "a.js", "2\n", { agent_id: "agent-1", agent_type: "general-purpose" });
    expect(isHeld(stage)).toBe(true);
  });

  it("EH-11 a work tree that is gone holds nobody", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    stage.run("rm", ["-rf", `${stage.project}/.git`]);
    expect(stop(stage).code).toBe(0);
  });
});

describe("where a project has no checks", () => {
  const PRAXIS = "verify: { skill: verification-before-completion }\n";
  const SKILL = { ".claude/skills/verification-before-completion/SKILL.md": "---\nname: x\n---\n" };

  function bare(files: Readonly<Record<string, string>> = SKILL): Stage {
    const stage = openStage();
    for (const [name, text] of Object.entries({ "a.js": "1\n", ...files })) stage.write(name, text);
    stage.write(".sekisho/config.yaml", PRAXIS);
    stage.git("add", "--all");
    stage.git("commit", "--quiet", "--message", "begin");
    stage.send("SessionStart", { source: "startup" });
    edit(stage, "a.js", "2\n");
    return stage;
  }

  it("GT-20 the skill is asked for, by its name", () => {
    expect(stop(bare()).stdout).toContain("verification-before-completion");
  });

  it.each(["verification-before-completion", "sekisho:verification-before-completion"])(
    "TS-21 GT-20 it is enough to take it up: %s",
    (skill) => {
      const stage = bare();
      used(stage, "Skill", { skill });
      expect(isHeld(stage)).toBe(false);
    },
  );

  it("TS-21 an unrelated skill is not", () => {
    const stage = bare();
    used(stage, "Skill", { skill: "code-quality-rules" });
    expect(isHeld(stage)).toBe(true);
  });

  it("GT-23 TS-22 nor is one from before the last change", () => {
    const stage = bare();
    used(stage, "Skill", { skill: "verification-before-completion" });
    edit(stage, "a.js", "3\n");
    expect(isHeld(stage)).toBe(true);
  });

  it("a skill that is not there is asked of nobody", () => {
    expect(isHeld(bare({}))).toBe(false);
  });
});

describe("a task", () => {
  const done = (stage: Stage, fields: object = {}) =>
    stage.send("TaskCompleted", { task_id: "1", task_subject: "Write it", ...fields });

  it("TS-23 GT-31 is completed when its code is proven, and not before", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    const { code, stderr } = done(stage);
    expect(code).toBe(2);
    expect(stderr).toContain('"Write it"');
    expect(stderr).toContain("`npm test`");
    ran(stage, "npm test");
    expect(done(stage).code).toBe(0);
  });

  it("TS-23 GT-30 an input that cannot be read, or that names nothing, is let through", () => {
    const stage = project("verify: { tasks: all }\n");
    for (const bytes of ["", "{", "[]"]) expect(stage.sendBytes("TaskCompleted", bytes).code).toBe(0);
    expect(done(stage, { task_subject: "" }).code).toBe(0);
    expect(done(stage, { session_id: "" }).code).toBe(0);
    expect(done(stage).code).toBe(2);
    expect(done(stage).code).toBe(0);
  });
});
