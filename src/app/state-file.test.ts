/** `state.md` by events: when it is written, what it says, and what nobody can do with it. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { attempt, openPlanStage, PLAN, PLAN_TEXT, type PlanStage } from "../../test/plan-stage.ts";
import { STATE_MARK } from "../playbook/state-file.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { readStateFile, sectionsIn } from "../store/formats/state-file.ts";
import { keepAction } from "./actions/action.ts";
import { type ExampleHall, send } from "./example-hall.ts";

let stage: PlanStage;
let file: string;
const on: Settings = {
  ...defaultSettings,
  plan: { ...defaultSettings.plan, required: "all", state_file: "on" },
  protect: { minimum: "framework" },
};

beforeEach(() => {
  stage = openPlanStage();
  file = join(stage.project, "state.md");
  stage.approve();
});

const start = (hall: ExampleHall, source = "startup") => send(hall, "SessionStart", { cwd: stage.project, source });
const sections = () => {
  const read = sectionsIn(readFileSync(file, "utf8"));
  return "found" in read ? read.found : read;
};

describe("PB-10 state.md", () => {
  it("PB-10 shows focus, playbook, goal, session and config, each as one block of YAML", () => {
    start(stage.hall(on));
    expect(sections()).toMatchObject({
      focus: { current: "button" },
      playbook: { active: PLAN, branch: "feat/button", last_archived: null, review_pending: false },
      goal: { milestone: "Button", phase: "1", done_criteria: ["it is drawn"], self_complete: false },
      session: { last_end: null },
      config: {
        security: "strict",
        toolstack: "A",
        roles: { orchestrator: "claudecode", worker: "claudecode", reviewer: "claudecode", human: "user" },
      },
    });
  });

  it("PB-11 says that nothing is active once the plan is closed, and names it as the last one", () => {
    const close = { record: "playbook", do: "close", root: stage.project, path: PLAN } as const;
    keepAction(stage.store, { action: "playbook", changes: [close] }, 700, {});
    start(stage.hall(on));
    expect(sections()).toMatchObject({ focus: { current: null }, playbook: { active: null, last_archived: PLAN } });
  });

  it("is written only where the setting is on, and only when something changed", () => {
    start(stage.hall(defaultSettings));
    expect(existsSync(file)).toBe(false);
    const hall = stage.hall(on);
    start(hall);
    const { ino } = statSync(file);
    send(hall, "UserPromptSubmit", { cwd: stage.project, prompt: "go on" });
    send(hall, "UserPromptSubmit", { cwd: stage.project, prompt: "go on" });
    const settled = statSync(file).ino;
    send(hall, "Stop", { cwd: stage.project });
    expect([statSync(file).ino, typeof ino]).toEqual([settled, "number"]);
  });

  it("git does not see it", () => {
    start(stage.hall(on));
    expect(stage.git("status", "--porcelain")).toBe("");
  });

  it("PB-43 agents cannot write it, and what somebody writes into it counts for nothing", () => {
    const hall = stage.hall(on);
    start(hall);
    const write = { file_path: file, content: "x" };
    expect(attempt(hall, stage.project, "Write", write).exitCode).toBe(2);
    expect(attempt(hall, stage.project, "Bash", { command: "sed -i s/null/x/ state.md" }).exitCode).toBe(2);
    chmodSync(file, 0o644);
    writeFileSync(file, readFileSync(file, "utf8").replace("self_complete: false", "self_complete: true"));
    send(hall, "UserPromptSubmit", { cwd: stage.project, prompt: "go on" });
    expect(sections()).toMatchObject({ goal: { self_complete: false } });
  });

  it("somebody's own state.md is left alone, and a link of that name is not followed", () => {
    writeFileSync(file, "# mine\n");
    start(stage.hall(on));
    expect(readFileSync(file, "utf8")).toBe("# mine\n");
    rmSync(file);
    const other = join(stage.project, "other.md");
    writeFileSync(other, `${STATE_MARK}\nold\n`);
    symlinkSync(other, file);
    start(stage.hall(on), "clear");
    expect(readFileSync(other, "utf8")).toBe(`${STATE_MARK}\nold\n`);
  });
});

describe("PB-15 reading a state.md", () => {
  it("PB-12 PB-15 the blocks are parsed, so that no extra line or comment hides a value", () => {
    const text = [
      "## playbook",
      "```yaml",
      "active: plan/playbook-button.md # null",
      "```",
      "## config",
      "Some words.",
      "```yaml",
      ...Array.from({ length: 12 }, (_, at) => `extra_${at}: security`),
      "security: user   # was: admin",
      "toolstack: B",
      "roles: {orchestrator: claudecode, worker: codex}",
      "```",
    ].join("\n");
    expect(readStateFile(text)).toEqual({
      settings: [
        ["security", "user"],
        ["plan.stack", "B"],
        ["plan.roles", "orchestrator=claudecode,worker=codex"],
      ],
      notes: [expect.stringContaining("sekisho playbook adopt plan/playbook-button.md")],
    });
    expect(readStateFile("## config\n```yaml\n- a\n  b: [\n```\n")).toHaveProperty("problem");
    expect(readStateFile(text.replace("plan/playbook-button.md # null", "null"))).toMatchObject({ notes: [] });
  });
});

describe("PB-26 PB-28 after compaction", () => {
  it("one line says where the plan stands, and a closed or cancelled one is not restored", () => {
    const hall = stage.hall(on);
    start(hall);
    const compact = (): string => {
      send(hall, "PreCompact", { cwd: stage.project, trigger: "auto" });
      return start(hall, "compact").stdout;
    };
    expect(compact()).toContain(`The approved plan is ${PLAN}: DECIDED, step 1 of 1, next: it is drawn`);
    const change = { record: "playbook", root: stage.project, path: PLAN } as const;
    keepAction(stage.store, { action: "playbook", changes: [{ ...change, do: "cancel" }] }, 1_500, {});
    expect(compact()).not.toContain("DECIDED");
    stage.approve();
    expect(compact()).toContain("DECIDED");
    keepAction(stage.store, { action: "playbook", changes: [{ ...change, do: "close" }] }, 1_600, {});
    expect(compact()).not.toContain("DECIDED");
  });

  it("PB-21 every prompt gets the path and the step", () => {
    const hall = stage.hall(on);
    start(hall);
    const said = () => send(hall, "UserPromptSubmit", { cwd: stage.project, prompt: "go on" }).stdout;
    expect([said(), said()]).toEqual([
      expect.stringContaining(`${PLAN}: DECIDED, step 1 of 1`),
      expect.stringContaining(`${PLAN}: DECIDED, step 1 of 1`),
    ]);
    stage.put(PLAN, PLAN_TEXT.replace("drawn", "painted"));
    expect(said()).not.toContain("DECIDED");
  });
});
