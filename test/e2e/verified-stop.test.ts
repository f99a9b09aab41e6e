/**
 * The gates at Stop and TaskCompleted on the built program: the cases of the original tools, and persistence across
 * sessions.
 */
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

describe("the end of a turn", () => {
  it("GT-1 TS-21 exits with 0 whether it is refused or not, and the output is valid", () => {
    const stage = project();
    expect(stop(stage)).toMatchObject({ code: 0, stdout: "" });
    edit(stage, "a.js", "2\n");
    const { code, stdout } = stop(stage);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block", reason: expect.stringContaining("`npm test`") });
  });

  it("TS-21 GT-20 is not refused for unreadable input", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    for (const bytes of ["", "{", "null", '{"hook_event_name":"Stop"']) {
      const { code, stdout } = stage.sendBytes("Stop", bytes);
      expect(code).toBe(0);
      expect(stdout).not.toContain("block");
    }
  });

  it("TS-21 GT-20 is not refused for a session without an id", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect(isHeld(stage, { session_id: "" })).toBe(false);
    expect(isHeld(stage)).toBe(true);
  });

  it("TS-21 GT-20 with stop_hook_active is refused while checks are owed, and allowed when the budget is spent", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect(isHeld(stage, { stop_hook_active: true })).toBe(true);
    expect(isHeld(stage, { stop_hook_active: true })).toBe(false);
  });

  it("TS-22 keeps owed checks and evidence across compaction and resume", () => {
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

  it("TS-22 still owes the checks after a resume", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
    expect(isHeld(stage)).toBe(true);
  });

  it("a person's prompt resets the budget; a notification does not", () => {
    const stage = project("verify: { stop: block }\n");
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

  it("is refused once for a missing check, and the person knows of it from then on", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect([isHeld(stage), isHeld(stage)]).toEqual([true, false]);
    edit(stage, "a.js", "3\n");
    expect(isHeld(stage)).toBe(false);
  });

  it("is not refused again after a mere conversation, once the budget was spent", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    expect([isHeld(stage), isHeld(stage)]).toEqual([true, false]);
    stage.send("UserPromptSubmit", { prompt: "thanks" });
    ran(stage, "ls -la");
    expect(isHeld(stage)).toBe(false);
  });

  it("is not refused for a change that was reverted", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    edit(stage, "a.js", "1\n");
    expect(isHeld(stage)).toBe(false);
  });

  it("switching branches is no change; changing code on one is", () => {
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

  it("a run that does not count is reported at once, and once", () => {
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

  it("a subagent's change counts for the session", () => {
    const stage = project();
    edit(stage, "a.js", "2\n", { agent_id: "agent-1", agent_type: "general-purpose" });
    expect(isHeld(stage)).toBe(true);
  });

  it("EH-11 is not refused for a missing repository", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    stage.run("rm", ["-rf", `${stage.project}/.git`]);
    expect(stop(stage).code).toBe(0);
  });
});

describe("without checks in the project", () => {
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

  it("GT-20 the skill is required by name", () => {
    expect(stop(bare()).stdout).toContain("verification-before-completion");
  });

  it.each(["verification-before-completion", "sekisho:verification-before-completion"])(
    "TS-21 GT-20 invoking the skill is enough: %s",
    (skill) => {
      const stage = bare();
      used(stage, "Skill", { skill });
      expect(isHeld(stage)).toBe(false);
    },
  );

  it("TS-21 an unrelated skill is not enough", () => {
    const stage = bare();
    used(stage, "Skill", { skill: "code-quality-rules" });
    expect(isHeld(stage)).toBe(true);
  });

  it("GT-23 TS-22 a skill invoked before the last change is not enough", () => {
    const stage = bare();
    used(stage, "Skill", { skill: "verification-before-completion" });
    edit(stage, "a.js", "3\n");
    expect(isHeld(stage)).toBe(true);
  });

  it("a skill that does not exist is not required", () => {
    expect(isHeld(bare({}))).toBe(false);
  });
});

describe("a task", () => {
  const done = (stage: Stage, fields: object = {}) =>
    stage.send("TaskCompleted", { task_id: "1", task_subject: "Write it", ...fields });

  it("TS-23 GT-31 can be completed when its code is verified, and not before", () => {
    const stage = project();
    edit(stage, "a.js", "2\n");
    const { code, stderr } = done(stage);
    expect(code).toBe(2);
    expect(stderr).toContain('"Write it"');
    expect(stderr).toContain("`npm test`");
    ran(stage, "npm test");
    expect(done(stage).code).toBe(0);
  });

  it("TS-23 GT-30 passes for unreadable input, and without a subject or session", () => {
    const stage = project("verify: { tasks: all }\n");
    for (const bytes of ["", "{", "[]"]) expect(stage.sendBytes("TaskCompleted", bytes).code).toBe(0);
    expect(done(stage, { task_subject: "" }).code).toBe(0);
    expect(done(stage, { session_id: "" }).code).toBe(0);
    expect(done(stage).code).toBe(2);
    expect(done(stage).code).toBe(0);
  });
});

describe("MD-3 commands named by the host's variables", () => {
  const named = { CLAUDE_QA_TEST_CMD: "node test.js --all", CLAUDE_QA_ANALYZE_CMD: "node lint.js" };
  const begin = (stage: Stage, session_id: string, env: Readonly<Record<string, string>>): object => {
    stage.send("SessionStart", { source: "startup", session_id }, { env });
    return { session_id };
  };

  it("are the project's lint, test and build in a session that began with them", () => {
    const stage = project();
    const fields = begin(stage, "named", named);
    edit(stage, "a.js", "2\n", fields);
    const { stdout } = stop(stage, fields);
    for (const command of ["`node lint.js`", "`node test.js --all`"]) expect(stdout).toContain(command);
    expect(stdout).not.toContain("`npm test`");
    ran(stage, "node lint.js && node test.js --all", fields);
    expect(isHeld(stage, fields)).toBe(false);
    expect(stage.sekisho("certificate", "--session", "named").stdout).toContain("node test.js --all");
  });

  it("are pinned: what a variable says later counts for nothing", () => {
    const stage = project();
    const fields = begin(stage, "pinned", named);
    stage.send("SessionStart", { source: "resume", ...fields }, { env: { CLAUDE_QA_TEST_CMD: "true" } });
    edit(stage, "a.js", "2\n", fields);
    expect(stop(stage, fields).stdout).toContain("`node test.js --all`");
    const other = begin(stage, "unnamed", {});
    edit(stage, "a.js", "3\n", other);
    expect(stop(stage, other).stdout).toContain("`npm test`");
  });

  it("stand below `verify.commands`, and a command that checks nothing is left out", () => {
    const stage = project("verify:\n  commands: [test=node test.js --configured]\n");
    const fields = begin(stage, "both", { ...named, CLAUDE_QA_ANALYZE_CMD: "true" });
    edit(stage, "a.js", "2\n", fields);
    const { stdout } = stop(stage, fields);
    expect(stdout).toContain("`node test.js --configured`");
    expect(stdout).not.toContain("lint has not run");
  });
});
