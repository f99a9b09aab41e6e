/** The host's plan mode: nothing changes in it, and leaving it with a plan approves that plan. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { openStage, type Stage } from "./stage.ts";

const PLAN = "# Greeting\n\nContext: it is wrong.\n\n1. edit hello.txt\n2. run the tests\n";
const READ_MS = 1000;

describe("plan mode", () => {
  let stage: Stage;
  const planning = { permission_mode: "plan" };
  const call = (id = "p1") => ({ tool_name: "ExitPlanMode", tool_input: {}, tool_use_id: id });
  const edit = (fields: object = {}) =>
    stage.use("Write", { file_path: join(stage.project, "src/a.ts"), content: "x\n" }, fields);
  const playbooks = () => {
    try {
      return readdirSync(join(stage.project, ".sekisho/playbooks"));
    } catch {
      return [];
    }
  };
  const shown = (id?: string) => {
    stage.send("PreToolUse", { ...call(id), ...planning });
    stage.send("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan: PLAN }, ...planning });
  };
  const left = (plan: unknown = PLAN, fields: object = {}) =>
    stage.send("PostToolUse", { ...call(), tool_response: { plan, isAgent: false, filePath: "/x.md" }, ...fields });

  /** The person reads for a while. */
  const reading = async () => {
    const from = Date.now();
    await until(() => Date.now() > from + READ_MS, "the plan is read");
  };
  const begin = (settings: string) => {
    stage = openStage();
    stage.write(".sekisho/config.yaml", settings);
    stage.send("SessionStart", { source: "startup" });
  };

  beforeEach(() => begin("plan:\n  required: code\n"));

  it("refuses changes by any tool, but not the host's own plan file, looking and testing", () => {
    begin("");
    expect(edit(planning).stderr).toMatch(/Plan mode is on, and this would change the project/);
    for (const command of ["sed -i s/a/b/ README.md", "echo x > a.txt", "git commit -am x", "git stash"])
      expect([command, stage.bash(command, planning).code]).toEqual([command, 2]);
    for (const command of ["git log", "npm test", "ls", "git stash list"])
      expect([command, stage.bash(command, planning).code]).toEqual([command, 0]);
    const file = join(stage.home, ".claude/plans/calm-otter.md");
    expect(stage.use("Write", { file_path: file, content: PLAN }, planning).code).toBe(0);
    expect(edit().code).toBe(0);
  });

  it("a plan that the person chose becomes a playbook, approved as they saw it", async () => {
    expect(edit().code).toBe(2);
    shown();
    await reading();
    expect(left().stdout).toMatch(/Plan approved: \.sekisho\/playbooks\/greeting-[0-9a-f]{6}\.md/);
    const [name = ""] = playbooks();
    const text = stage.read(`.sekisho/playbooks/${name}`) ?? "";
    expect(text).toMatch(/- \[ \] 1\.1 edit hello\.txt\n- \[ \] 1\.2 run the tests/);
    expect(text).toContain(PLAN);
    expect(edit().code).toBe(0);
    stage.write(`.sekisho/playbooks/${name}`, text.replace("- [ ] 1.2 run the tests", "- [ ] 1.2 run nothing"));
    expect(edit().stderr).toMatch(/changed after the person approved it/);
  });

  it("what a program reports in the host's name is not consent", async () => {
    stage.send("PreToolUse", { ...call(), ...planning }, { isForged: true });
    stage.send("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: {}, ...planning }, { isForged: true });
    await reading();
    const response = { plan: PLAN, isAgent: false, filePath: "/x.md" };
    stage.send("PostToolUse", { ...call(), tool_response: response }, { isForged: true });
    expect(edit().code).toBe(2);
  });

  it("nobody chooses where nobody is", async () => {
    const env = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    stage.send("PreToolUse", { ...call(), ...planning }, { env });
    stage.send("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: {}, ...planning }, { env });
    await reading();
    stage.send("PostToolUse", { ...call(), tool_response: { plan: PLAN, isAgent: false } }, { env });
    expect([edit().code, playbooks()]).toEqual([2, []]);
  });

  it("without plans nothing is written into a project", async () => {
    begin("");
    shown();
    await reading();
    left();
    expect(playbooks()).toEqual([]);
  });
});
