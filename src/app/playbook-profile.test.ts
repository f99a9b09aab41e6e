/** The profile `playbook`, by events: each thing that the framework asks for, in a real repository. */
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { attempt, done, openPlanStage, PLAN, PLAN_TEXT, type PlanStage } from "../../test/plan-stage.ts";
import { digestOf } from "../playbook/identity.ts";
import { readPlaybook } from "../playbook/read.ts";
import { policies } from "../policies/index.ts";
import { checkSettings } from "../state/settings/setting-rules.ts";
import { keepAction } from "./actions/action.ts";
import { type ExampleHall, send } from "./example-hall.ts";

const IDS = policies.map(({ id }) => id);
const { settings, problems } = checkSettings([{ profile: "playbook" }], IDS);
let stage: PlanStage;
let hall: ExampleHall;

beforeEach(() => {
  stage = openPlanStage();
  hall = stage.hall(settings);
});

const start = () => send(hall, "SessionStart", { cwd: stage.project, source: "startup" });
const write = (path: string) =>
  attempt(hall, stage.project, "Write", { file_path: join(stage.project, path), content: "x" });
const bash = (command: string) => attempt(hall, stage.project, "Bash", { command });

/** Approved, reviewed and begun on its branch, and read by this conversation. */
function atWork(): void {
  stage.git("switch", "-qc", "feat/button");
  stage.approve();
  const of = { record: "playbook", root: stage.project, path: PLAN } as const;
  const plan = digestOf(readPlaybook(PLAN_TEXT));
  const said = { of: "reviewer", verdict: "PASS", agent: "a1", plan, files: "", covered: 0, read: 1, ran: 0 } as const;
  keepAction(stage.store, { action: "playbook", changes: [{ ...of, do: "verdict", ...said }] }, 600, {});
  const begin = { ...of, do: "begin", base: "", branch: "feat/button", step: "1" } as const;
  keepAction(stage.store, { action: "playbook", changes: [begin] }, 700, {});
  start();
  done(hall, stage.project, "Read", { file_path: join(stage.project, PLAN) });
}

describe("TS-50 the profile playbook", () => {
  it("is a valid set of settings, and a shared file cannot make programs run on another machine", () => {
    expect(problems).toEqual([]);
    expect(settings.policies).toEqual({ "no-main-branch-edit": "on" });
    const shared = checkSettings([{ profile: "playbook" }], IDS, [], ["/p/.sekisho/config.yaml"]);
    expect([settings.lint.run, shared.settings.lint.run]).toEqual([true, false]);
    const off = checkSettings([{ profile: "playbook", policies: { "no-main-branch-edit": "off" } }], IDS);
    expect(off.settings.policies).toEqual({ "no-main-branch-edit": "off" });
  });

  it("X15 PB-44 without a plan every change is refused, and the way to a plan is open, also on main", () => {
    start();
    for (const reply of [write("a.ts"), write("notes.md"), bash("python3 x.py"), bash("npm test")])
      expect(reply.exitCode).toBe(2);
    expect(write(".sekisho/playbooks/other.md").exitCode).toBe(2);
    expect(bash("git switch -c feat/button").exitCode).toBe(0);
    stage.git("switch", "-qc", "feat/button");
    expect(write(".sekisho/playbooks/other.md").exitCode).toBe(0);
    expect(bash("sekisho playbook new other").exitCode).toBe(0);
    for (const tool of ["Skill", "AskUserQuestion", "Task", "TodoWrite"])
      expect(attempt(hall, stage.project, tool, {}).exitCode).toBe(0);
  });

  it.each([
    "tee a.txt < b.txt",
    "sed -i s/a/b/ a.txt",
    "mkdir new",
    "touch new.txt",
    "mv a.txt b.txt",
    "cp a.txt b.txt",
    "rm a.txt",
    "echo x > a.txt",
    "git add .",
    "git commit -m x",
    "git push",
    "git pull",
    "git reset --soft HEAD~1",
    "git clean -fd",
    "git rebase main",
    "git cherry-pick x",
    "git revert x",
    "git apply x.patch",
    "git am x.mbox",
    "git tag v1",
    "ls && touch new.txt",
    'git status; python3 -c \'open("a.txt", "w")\'',
    "node x.js",
    "perl -e 1",
    "make",
    "npm run build",
    "a-program-that-nobody-knows",
  ])("PB-24 PB-50 PB-52 without a plan `%s` is refused with exit code 2", (command) => {
    stage.git("switch", "-qc", "feat/button");
    start();
    expect(bash(command).exitCode).toBe(2);
  });

  it.each(["ls -la 2>&1", "grep -r x . > /dev/null", "cat a.txt | head -3", "git log --oneline | wc -l", "git diff"])(
    "PB-50 PB-52 without a plan `%s` passes",
    (command) => {
      stage.git("switch", "-qc", "feat/button");
      start();
      expect(bash(command).exitCode).toBe(0);
    },
  );

  it("PB-50 with a plan at work they pass", () => {
    atWork();
    for (const command of ["mkdir new", "touch new.txt", "git add .", "git tag v1"])
      expect(bash(command).exitCode, command).toBe(0);
  });

  it("PB-41 on main a change is refused although the plan is approved", () => {
    atWork();
    stage.git("switch", "-q", "main");
    expect(write("a.ts").stderr).toContain("main");
    expect(bash("rm -rf src; git status").exitCode).toBe(2);
    stage.git("switch", "-q", "feat/button");
    expect(write("a.ts").exitCode).toBe(0);
  });

  it("PB-42 CLAUDE.md is HARD_BLOCK, settings and state.md are BLOCK, RUNBOOK.md warns", () => {
    atWork();
    expect(write("CLAUDE.md").stderr).toContain("HARD_BLOCK");
    expect(write("docs/CLAUDE.md").stderr).toContain("HARD_BLOCK");
    expect(write("state.md").stderr).toContain("BLOCK");
    expect(write(".claude/settings.json").exitCode).toBe(2);
    const { exitCode, stdout } = write("RUNBOOK.md");
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("WARN")]);
  });

  it("PB-40 a conversation that has not read the plan may only look", () => {
    atWork();
    send(hall, "SessionStart", { cwd: stage.project, source: "clear" });
    expect(write("a.ts").stderr).toContain("Still to read");
    done(hall, stage.project, "Bash", { command: `cat ${PLAN}` });
    expect(write("a.ts").exitCode).toBe(0);
  });

  it("PB-72 PB-80 approval alone is not enough: a reviewer's PASS comes before the work", () => {
    stage.git("switch", "-qc", "feat/button");
    stage.approve();
    start();
    done(hall, stage.project, "Read", { file_path: join(stage.project, PLAN) });
    expect(write("a.ts").stderr).toContain("No reviewer has passed plan button");
  });

  it("PB-21 every prompt says what is missing, or the path and the step", () => {
    start();
    const prompt = (): string => send(hall, "UserPromptSubmit", { cwd: stage.project, prompt: "go on" }).stdout;
    expect([prompt(), prompt()]).toEqual(Array(2).fill(expect.stringContaining("No plan is approved here")));
    atWork();
    expect([prompt(), prompt()]).toEqual(Array(2).fill(expect.stringContaining(`${PLAN}: DECIDED, step 1 of 1`)));
  });

  it("PB-49 a change of what was approved asks the person", () => {
    atWork();
    const edit = { file_path: join(stage.project, PLAN), old_string: "it is drawn", new_string: "it is sketched" };
    const { stdout } = attempt(hall, stage.project, "Edit", edit);
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("ask");
  });

  it("PB-53 a commit stands on the plan's branch", () => {
    atWork();
    expect(bash("git commit -m x").exitCode).toBe(0);
    expect(bash("git switch main && git commit -m x").exitCode).toBe(2);
  });

  it("PB-10 state.md is written", () => {
    atWork();
    expect(stage.git("status", "--porcelain", "--ignored")).toContain("!! state.md");
  });
});
