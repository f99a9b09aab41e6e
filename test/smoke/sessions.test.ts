/** The course of a session, one process per event: checks, modes, evidence, trust, undo, compaction. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, expectValid, verdictOf } from "../e2e/answer.ts";
import { forPeople } from "../e2e/machine.ts";
import { openStage, type Stage } from "../e2e/stage.ts";

let calls = 0;

function begun(files: Readonly<Record<string, string>> = {}): Stage {
  const stage = openStage({ processes: "warm" });
  for (const [name, text] of Object.entries({ "a.js": "1\n", ...files })) stage.write(name, text);
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  expect(stage.send("SessionStart", { source: "startup" })).toMatchObject({ code: 0, stderr: "" });
  return stage;
}

/** A tool call from its gate to its end. */
function used(stage: Stage, tool: string, input: object, run?: () => void): void {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++calls}` };
  expect(stage.send("PreToolUse", call).code).toBe(0);
  run?.();
  stage.send("PostToolUse", { ...call, tool_response: { success: true } });
}

function edit(stage: Stage, name: string, content: string): void {
  used(stage, "Write", { file_path: join(stage.project, name), content }, () => stage.write(name, content));
}

function stop(stage: Stage): Answer {
  const answer = stage.send("Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] });
  expectValid("Stop", answer);
  return answer;
}

const isBlocked = (stage: Stage): boolean => stop(stage).stdout.includes('"decision":"block"');
const PACKAGE = { "package.json": JSON.stringify({ scripts: { test: "node test.js" } }), "test.js": "\n" };

describe("the end of a turn", () => {
  it("is refused while changed code is untested, and allowed after a test that passed", () => {
    const stage = begun(PACKAGE);
    expect(isBlocked(stage)).toBe(false);
    edit(stage, "a.js", "2\n");
    expect(stop(stage).stdout).toContain("npm test");
    used(stage, "Bash", { command: "npm test" });
    expect(isBlocked(stage)).toBe(false);
  });

  it("is not allowed by a test whose failure is hidden", () => {
    const stage = begun(PACKAGE);
    edit(stage, "a.js", "2\n");
    used(stage, "Bash", { command: "npm test || true" });
    expect(isBlocked(stage)).toBe(true);
  });

  it("is refused only a limited number of times", () => {
    const stage = begun(PACKAGE);
    edit(stage, "a.js", "2\n");
    const refusals = Array.from({ length: 8 }, () => isBlocked(stage));
    expect(refusals[0]).toBe(true);
    expect(refusals.at(-1)).toBe(false);
  });

  it("is refused in persistent mode until the plan is done", () => {
    const stage = begun();
    stage.send("UserPromptSubmit", { prompt: "Implement the login page and don't stop until it is done" });
    stage.write(".tmp/plans/login.md", "- [x] form\n- [ ] session\n");
    expect(stop(stage).stdout).toContain("Persistent mode 1/20");
    stage.write(".tmp/plans/login.md", "- [x] form\n- [x] session\n");
    expect(isBlocked(stage)).toBe(false);
  });

  it.skipIf(forPeople.skip)(`is free after a person cancels the mode${forPeople.why}`, () => {
    const stage = begun();
    expect(stage.sekisho("mode", "start", "qa", "the login page").code).toBe(0);
    expect(JSON.parse(stage.sekisho("mode", "list", "--json").stdout)).toMatchObject([{ mode: "qa" }]);
    expect(stage.sekisho("cancel").code).toBe(0);
    expect(JSON.parse(stage.sekisho("mode", "list", "--json").stdout)).toEqual([]);
  });
});

describe("the gate", () => {
  it("knows scripts that the session wrote", () => {
    const stage = begun();
    edit(stage, "clean.sh", "rm -rf ~\n");
    const { code, stderr } = stage.bash("sh clean.sh");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("clean.sh") });
  });

  it("protects its own settings, state and registration", () => {
    const stage = begun();
    for (const file of [".claude/settings.local.json", ".sekisho/config.yaml"])
      expect(stage.use("Write", { file_path: join(stage.project, file), content: "{}" }).code).toBe(2);
    expect(stage.bash(`rm -rf ${stage.state}`).code).toBe(2);
  });

  it("refuses another way to the same effect after a refusal", () => {
    const stage = begun({ ".sekisho/protected": "HARD_BLOCK:CLAUDE.md\n", "CLAUDE.md": "x\n" });
    const input = { file_path: join(stage.project, "CLAUDE.md"), content: "y" };
    expect(stage.use("Write", input).code).toBe(2);
    expect(stage.bash(`python3 -c "open('CLAUDE.md','w').write('y')"`).code).toBe(2);
  });

  it("does not follow settings that were loosened in the middle of a session", () => {
    const stage = begun({ ".sekisho/config.yaml": "stance: { default: planning }\n" });
    const write = (): number | null =>
      stage.use("Write", { file_path: join(stage.project, "src/a.ts"), content: "" }).code;
    expect(write()).toBe(2);
    stage.write(".sekisho/config.yaml", "stance: { default: building }\n");
    expect(write()).toBe(2);
  });

  it("is closed to code until the required skill was invoked", () => {
    const skill = ".claude/skills/code-quality-rules/SKILL.md";
    const stage = begun({ ".sekisho/config.yaml": "rules: { code_skill: code-quality-rules }\n", [skill]: "x\n" });
    const write = () => verdictOf(stage.use("Write", { file_path: join(stage.project, "a.ts"), content: "x" }));
    expect(write()).toBe("deny");
    used(stage, "Skill", { skill: "code-quality-rules" });
    expect(write()).toBe("pass");
  });

  it("guards tests where a setting says so", () => {
    const stage = begun({ ".sekisho/config.yaml": "quality: { tests: deny }\n", "a.test.ts": "expect(1).toBe(1);\n" });
    expect(verdictOf(stage.bash("rm a.test.ts"))).toBe("deny");
    expect(verdictOf(stage.bash("npx vitest run a.test.ts"))).toBe("pass");
  });

  it("does nothing in a project that has opted out", () => {
    const stage = begun({ ".sekisho/config.yaml": "enabled: false\n" });
    expect(stage.bash("git push --force").code).toBe(0);
  });
});

describe("what is kept", () => {
  it("undo brings back what a command destroyed", () => {
    const stage = begun();
    stage.write("build/out.txt", "never committed\n");
    expect(stage.bash("rm -rf build").stdout).toContain("sekisho undo");
    rmSync(join(stage.project, "build"), { recursive: true });
    expect(stage.sekisho("undo").code).toBe(0);
    expect(stage.read("build/out.txt")).toBe("never committed\n");
  });

  it("trust grows with successes and falls with a failure", () => {
    const stage = begun();
    const score = (): number =>
      (JSON.parse(stage.sekisho("trust", "--json").stdout) as { domains: Record<string, { score: number }> }).domains[
        "shell_exec"
      ]?.score ?? 0;
    used(stage, "Bash", { command: "make" });
    used(stage, "Bash", { command: "make" });
    const before = score();
    expect(before).toBeGreaterThan(0.3);
    const call = { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "failed" };
    stage.send("PreToolUse", call);
    stage.send("PostToolUseFailure", { ...call, error: "Exit code 2" });
    expect(score()).toBeLessThan(before);
  });

  it("a handover is written before compaction and told afterwards", () => {
    const stage = begun();
    edit(stage, "a.js", "2\n");
    expect(stage.send("PreCompact", { trigger: "auto", custom_instructions: null })).toMatchObject({ code: 0 });
    expect(stage.send("SessionStart", { source: "compact" }).stdout).toContain("session-restore");
  });
});
