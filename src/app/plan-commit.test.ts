/** PB-53 by events, with a real repository. */
import { beforeEach, describe, expect, it } from "vitest";
import { attempt, openPlanStage, PLAN, PLAN_TEXT, type PlanStage } from "../../test/plan-stage.ts";
import { digestsOf } from "../playbook/identity.ts";
import { readPlaybook } from "../playbook/read.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { keepAction } from "./actions/action.ts";
import { send } from "./example-hall.ts";

let stage: PlanStage;
const on: Settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "all" } };

const STEP = digestsOf(readPlaybook(PLAN_TEXT)).steps["1"] ?? "";

beforeEach(() => {
  stage = openPlanStage();
  stage.approve();
});

const bash = (command: string, settings = on) => attempt(stage.hall(settings), stage.project, "Bash", { command });

describe("TS-50 PB-53 coherence before a commit", () => {
  it("a commit on another branch than the plan's is refused, and the refusal names the branch", () => {
    const { exitCode, stderr } = bash("git commit -m x");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("git switch -c feat/button")]);
    for (const command of ["git add -A && git commit -am x", "bash -c 'git commit -m x'", "git -C . commit --amend"])
      expect([command, bash(command).exitCode]).toEqual([command, 2]);
  });

  it("on the plan's branch it passes, also when the line goes there first", () => {
    expect(bash("git switch -c feat/button && git commit -m x").exitCode).toBe(0);
    expect(bash("git checkout -b feat/button; git add -A; git commit -m x").exitCode).toBe(0);
    stage.git("switch", "-qc", "feat/button");
    expect(bash("git commit -m x").exitCode).toBe(0);
    expect(bash("git switch main && git commit -m x").exitCode).toBe(2);
    expect(bash("git checkout -- a.ts && git commit -m x").exitCode).toBe(0);
  });

  it("the branch on which the plan was begun counts before the one in its file", () => {
    const begin = {
      record: "playbook",
      do: "begin",
      root: stage.project,
      path: PLAN,
      base: "",
      branch: "main",
    } as const;
    keepAction(stage.store, { action: "playbook", changes: [begin] }, 600, {});
    expect(bash("git commit -m x").exitCode).toBe(0);
  });

  it("a detached HEAD, a repository without a plan and the setting off pass", () => {
    stage.git("checkout", "-q", "--detach");
    expect(bash("git commit -m x").exitCode).toBe(0);
    stage.git("switch", "-q", "main");
    expect(bash("git commit -m x", defaultSettings).exitCode).toBe(0);
    const other = openPlanStage();
    expect(attempt(stage.hall(on), other.project, "Bash", { command: "git status" }).exitCode).toBe(0);
    expect(bash(`git -C ${other.project} commit -m x`).exitCode).toBe(0);
  });

  it("PB-53 PB-47 a plan that calls a step done without a record is told, and one with a record is not", () => {
    stage.git("switch", "-qc", "feat/button");
    expect(bash("git commit -m x").stdout ?? "").not.toContain("nothing has shown it");
    stage.put(PLAN, PLAN_TEXT.replace("[ ]", "[x]"));
    stage.git("add", "-A");
    const { exitCode, stdout } = bash("git commit -m x");
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`nothing has shown it: ${PLAN} 1`)]);
    const of = { root: stage.project, path: PLAN, record: "playbook" } as const;
    const passed = { agent: "", plan: STEP, files: "f", covered: 1, read: 1, ran: 1, of: "person", step: "1" } as const;
    const changes = [
      { ...of, do: "begin", base: "", branch: "feat/button" } as const,
      { ...of, do: "verdict", verdict: "PASS", ...passed } as const,
    ];
    keepAction(stage.store, { action: "playbook", changes }, 700, {});
    expect(bash("git commit -m x").stdout ?? "").not.toContain("nothing has shown it");
  });
});

describe("PB-78 a commit for each step that has passed", () => {
  const commits: Settings = { ...defaultSettings, plan: { ...defaultSettings.plan, commits: "on" } };
  const stop = (settings: Settings) =>
    send(stage.hall(settings), "Stop", { cwd: stage.project, stop_hook_active: false });

  it("is asked for once, with a command that the gate judges like any other", () => {
    const of = { root: stage.project, path: PLAN, record: "playbook" } as const;
    const said = { agent: "a1", plan: STEP, files: "f", covered: 1, read: 1, ran: 1, of: "critic", step: "1" } as const;
    const begin = { ...of, do: "begin", base: "", branch: "feat/button" } as const;
    stage.put("b.ts", "b\n");
    keepAction(stage.store, { action: "playbook", changes: [begin] }, 700, {});
    expect(stop(commits).stdout).not.toContain("block");
    const verdict = { ...of, do: "verdict", verdict: "PASS", ...said } as const;
    keepAction(stage.store, { action: "playbook", changes: [verdict] }, 800, {});
    expect(stop(defaultSettings).stdout).not.toContain("block");
    expect(JSON.parse(stop(commits).stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining('git commit -m "feat(button): 1 Draw it"'),
    });
    expect(stop(commits).stdout).not.toContain("block");
    // On main the gate refuses that commit, and so it is not made.
    expect(bash('git add -A && git commit -m "feat(button): 1 Draw it"').exitCode).toBe(2);
  });

  it("is not asked for where everything is committed", () => {
    const of = { root: stage.project, path: PLAN, record: "playbook" } as const;
    const said = { agent: "a1", plan: STEP, files: "f", covered: 1, read: 1, ran: 1, of: "critic", step: "1" } as const;
    const begin = { ...of, do: "begin", base: "" } as const;
    const changes = [begin, { ...of, do: "verdict", verdict: "PASS", ...said } as const];
    keepAction(stage.store, { action: "playbook", changes }, 700, {});
    expect(stop(commits).stdout).not.toContain("block");
  });
});
