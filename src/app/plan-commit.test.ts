/** PB-53 by events, with a real repository. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { attempt, openPlanStage, PLAN, PLAN_TEXT, type PlanStage } from "../../test/plan-stage.ts";
import { digestsOf } from "../playbook/identity.ts";
import { readPlaybook } from "../playbook/read.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { sha256Hex } from "../store/digest.ts";
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

describe("TS-50 PB-53 PB-60 coherence before a commit: one plan, one branch", () => {
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

describe("PB-78 with plan.commits: auto Sekisho commits the step itself", () => {
  const auto: Settings = { ...defaultSettings, plan: { ...defaultSettings.plan, commits: "auto" } };
  const stop = () => send(stage.hall(auto), "Stop", { cwd: stage.project, stop_hook_active: false });
  const of = () => ({ root: stage.project, path: PLAN, record: "playbook" }) as const;
  const log = () => stage.git("log", "--format=%an %s", "--name-only", "-1").trim().split(/\n+/);

  /** A critic has passed step 1 with these files as they are. */
  function passed(paths: readonly string[], branch = "feat/button", at = 700): void {
    const judged = paths.map((path) =>
      sha256Hex(`${path}\0\n${readFileSync(join(stage.project, path), "latin1")}`).slice(0, 12),
    );
    const said = { agent: "a1", plan: STEP, files: "f", covered: 1, read: 1, ran: 1, of: "critic", step: "1" } as const;
    const changes = [
      { ...of(), do: "begin", base: "", branch } as const,
      { ...of(), do: "verdict", verdict: "PASS", judged, ...said } as const,
    ];
    keepAction(stage.store, { action: "playbook", changes }, at, {});
  }

  beforeEach(() => {
    stage.git("config", "user.name", "Ada");
    stage.git("config", "user.email", "ada@example.invalid");
    stage.git("switch", "-qc", "feat/button");
    stage.put("b.ts", "b\n");
    stage.put("a.ts", "changed\n");
  });

  it("after the critic's PASS, with the person's identity, only the files that it judged, as they were judged", () => {
    stage.put("later.ts", "not judged\n");
    stage.put("staged.ts", "of the person\n");
    stage.git("add", "staged.ts");
    passed(["a.ts", "b.ts"]);
    stage.put("a.ts", "changed again, for the next step\n");
    expect(stop().stdout).not.toContain("block");
    expect(log()).toEqual(["Ada feat(button): 1 Draw it", "b.ts"]);
    expect(stage.git("status", "--porcelain").trim().split("\n").sort()).toEqual([
      "?? later.ts",
      "A  staged.ts",
      "M a.ts",
    ]);
    expect([...stage.store.records()].filter(({ kind }) => kind === "commit")).toMatchObject([
      { plan: PLAN, step: "1", files: 1, commit: expect.stringMatching(/^[0-9a-f]{7,}$/) },
    ]);
    expect(stop().stdout, "nothing is left to ask for").not.toContain("block");
    expect(stage.git("rev-list", "--count", "HEAD").trim()).toBe("2");
  });

  it("at the end of the call that started the critic, and the agent is told", () => {
    passed(["a.ts", "b.ts"]);
    const input = { subagent_type: "sekisho:critic", prompt: "judge" };
    const event = { cwd: stage.project, tool_name: "Agent", tool_use_id: "t-1", tool_input: input, tool_response: {} };
    expect(send(stage.hall(auto), "PostToolUse", event).stdout).toContain("Sekisho committed step 1");
    expect(log()).toEqual(["Ada feat(button): 1 Draw it", "a.ts", "b.ts"]);
  });

  it.each<readonly [string, () => void, RegExp]>([
    ["a protected branch", () => stage.git("switch", "-q", "main"), /main is a protected branch/],
    ["another branch than the plan's", () => stage.git("switch", "-qc", "other"), /the plan is on feat\/button/],
    ["a detached HEAD", () => stage.git("switch", "-q", "--detach"), /no branch is checked out/],
    ["a git hook", () => stage.put(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\n"), /the git hook pre-commit/],
    ["hooks elsewhere", () => stage.git("config", "core.hooksPath", ".husky"), /core\.hooksPath/],
    ["signed commits", () => stage.git("config", "commit.gpgsign", "true"), /commits are signed here/],
    [
      "a filter",
      () => {
        stage.git("config", "filter.lfs.clean", "cat");
        stage.put(".gitattributes", "*.ts filter=lfs\n");
      },
      /a\.ts passes a filter/,
    ],
    ["no identity", () => stage.git("config", "--unset", "user.email"), /git knows no name and address of yours/],
  ])("%s leaves the commit to the agent, which is asked once", (_, arrange, problem) => {
    const before = stage.git("rev-parse", "HEAD");
    passed(["a.ts", "b.ts"]);
    arrange();
    expect(stop().stdout).not.toContain("block");
    expect([...stage.store.records()].filter(({ kind }) => kind === "commit")).toMatchObject([
      { problem: expect.stringMatching(problem) },
    ]);
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
    expect(existsSync(join(stage.project, "ran"))).toBe(false);
    expect(stop().stdout).toContain('git commit -m \\"feat(button): 1 Draw it\\"');
    expect(stop().stdout).not.toContain("block");
  });

  it("without a PASS, or where the setting is off, nothing is committed", () => {
    const before = stage.git("rev-parse", "HEAD");
    stop();
    passed(["a.ts"]);
    send(stage.hall(defaultSettings), "Stop", { cwd: stage.project, stop_hook_active: false });
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
  });
});
