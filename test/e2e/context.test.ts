/** Session context on the built program: the start of a session, compaction, and context usage. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, expectValid } from "./answer.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

function guided(settings = "context:\n  guide: true\n"): Stage {
  const stage = openStage();
  stage.write(".sekisho/config.yaml", settings);
  return stage;
}

function contextOf({ stdout }: Answer): string {
  if (stdout === "") return "";
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } };
  return hookSpecificOutput?.additionalContext ?? "";
}

const entries = (count: number): string =>
  Array.from({ length: count }, (_, at) => `## Entry ${count - at}\n\nwords\n\n`).join("");

describe("SessionStart", () => {
  it("GT-50 GT-51 gives the guide once, then the files; both again after compaction, only the files on resume", () => {
    const stage = guided();
    stage.write(".claude/context/progress.md", entries(3));
    const start = (source: string): string => {
      const answer = stage.send("SessionStart", { source });
      expectValid("SessionStart", answer);
      return contextOf(answer);
    };
    const first = start("startup");
    expect(first).toMatch(/^# Getting started\n/);
    expect(first).toMatch(/\n- \.claude\/context\/progress\.md: 3 entries, changed \d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    expect(first).not.toContain("words");
    expect(start("startup")).toBe("");
    expect(start("compact")).toBe(first);
    expect(start("resume")).toMatch(/^Context files /);
  });

  it("GT-50 the guide is the plugin's skill without its front matter", () => {
    const skill = readFileSync(join(import.meta.dirname, "../../plugin/skills/getting-started/SKILL.md"), "utf8");
    const text = skill.replace(/^---\n[\s\S]*?\n---\n\n?/, "").trimEnd();
    expect(contextOf(guided().send("SessionStart", { source: "startup" })).trimEnd()).toBe(text);
  });

  it("follows the configured language within the budget", () => {
    const stage = guided("language: ja\ncontext: { guide: true, budget_chars: 600 }\n");
    const context = contextOf(stage.send("SessionStart", { source: "startup" }));
    expect(context).toMatch(/^# はじめに/);
    expect(context.length).toBeLessThanOrEqual(600);
  });

  it("says nothing by default", () => {
    const stage = openStage();
    stage.write(".claude/context/progress.md", entries(3));
    expect(stage.send("SessionStart", { source: "startup" }).stdout).toBe("");
  });

  it("GT-57 reports an invalid path as a mistake and uses the default", () => {
    const stage = guided("context: { guide: true, global_learnings: learned.md }\n");
    const { stdout } = stage.send("SessionStart", { source: "startup" });
    expect(stdout).toContain("context.global_learnings must be a path");
    expect(stdout).toContain("# Getting started");
  });
});

describe("PreCompact", () => {
  const fields = { trigger: "auto", custom_instructions: null };

  it("GT-53 trims progress into the archive, dates the plan, prints nothing, and records a summary", () => {
    const stage = guided();
    stage.send("SessionStart", { source: "startup" });
    stage.write(".claude/context/progress.md", `# Progress\n\n${entries(12)}`);
    stage.write(".claude/context/task_plan.md", "# Plan\nBuild.\n");
    expect(stage.send("PreCompact", fields)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(stage.read(".claude/context/progress.md")?.match(/^## /gm)).toHaveLength(10);
    expect(stage.read(".claude/context/progress-archive.md")).toMatch(/## Entry 2\n[\s\S]*## Entry 1\n/);
    expect(stage.read(".claude/context/task_plan.md")).toMatch(/^# Plan\nLast compacted: \d{4}-.*Z\nBuild\.\n$/);
    const line = stage.audit().find(({ event }) => event === "trim");
    expect(line?.reason).toBe("12 entries of progress, 2 archived; newest: Entry 12 / Entry 11 / Entry 10");
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });

  it("GT-53 leaves alone what cannot be trimmed, records it, and does not block", () => {
    const stage = guided();
    stage.send("SessionStart", { source: "startup" });
    stage.write("elsewhere.md", entries(12));
    stage.write(".claude/context/task_plan.md", "");
    stage.run("ln", ["-s", "../../elsewhere.md", ".claude/context/progress.md"]);
    expect(stage.send("PreCompact", fields)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(stage.read("elsewhere.md")).toBe(entries(12));
    expect(stage.audit().find(({ event }) => event === "trim")?.reason).toContain("progress.md: is a link");
  });

  it("GT-53 changes nothing by default or in a project with Sekisho disabled", () => {
    for (const settings of ["", "enabled: false\ncontext: { guide: true }\n"]) {
      const stage = guided(settings);
      stage.send("SessionStart", { source: "startup" });
      stage.write(".claude/context/progress.md", entries(12));
      expect(stage.send("PreCompact", fields)).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(stage.read(".claude/context/progress.md")).toBe(entries(12));
    }
  });

  it("GT-53 respects the list of protected files", () => {
    const stage = guided();
    stage.write(".sekisho/protected", "progress.md\n");
    stage.send("SessionStart", { source: "startup" });
    stage.write(".claude/context/progress.md", entries(12));
    expect(stage.send("PreCompact", fields)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(stage.read(".claude/context/progress.md")).toBe(entries(12));
  });

  it("GT-53 headings of any length and kind leave a readable record", () => {
    const stage = guided();
    stage.send("SessionStart", { source: "startup" });
    const long = ["\u65e5".repeat(5000), '"\\'.repeat(5000), "\u{1f600}".repeat(5000)].map((words) => `## ${words}\n`);
    stage.write(".claude/context/progress.md", `${long.join("")}${entries(9)}`);
    expect(stage.send("PreCompact", fields).code).toBe(0);
    const line = stage.audit().find(({ event }) => event === "trim");
    expect(line?.reason).toMatch(/^12 entries of progress, 2 archived; newest: \u65e5+/);
    expect(line?.reason?.length).toBeLessThan(400);
  });

  it("GT-53 an agent that impersonates the host trims nothing", () => {
    const stage = guided();
    stage.send("SessionStart", { source: "startup" });
    stage.write(".claude/context/progress.md", entries(12));
    const body = { session_id: "s1", cwd: stage.project, hook_event_name: "PreCompact", ...fields };
    stage.write("body.json", JSON.stringify(body));
    const words = stage.command("PreCompact").map((word) => `'${word}'`);
    stage.run("sh", ["-c", `${words.join(" ")} < body.json; true`]);
    expect(stage.read(".claude/context/progress.md")).toBe(entries(12));
  });
});

describe("context usage", () => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "../payloads/statusLine.json"), "utf8")) as object;

  function statusline({ run, project }: Stage, used: unknown, session = "s1"): void {
    const payload = { ...recorded, session_id: session, cwd: project, workspace: { project_dir: project } };
    const input = JSON.stringify({ ...payload, context_window: { used_percentage: used } });
    expect(run(program.node, [program.bundle, "statusline"], { input })).toMatchObject({ code: 0, stderr: "" });
  }
  const prompt = (stage: Stage): string => contextOf(stage.send("UserPromptSubmit", { prompt: "go on" }));

  it("GT-54 is read by the status line and told with the next prompt, once per level, and again after compaction", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    statusline(stage, 40);
    expect(prompt(stage)).toBe("");
    statusline(stage, 64);
    expect(prompt(stage)).toContain("64 % of the context is in use");
    expect(prompt(stage)).toBe("");
    statusline(stage, 81);
    expect(prompt(stage)).toContain("compaction is near");
    stage.send("SessionStart", { source: "compact" });
    // The host reports the old value until the model has answered.
    statusline(stage, 81);
    expect(prompt(stage)).toBe("");
    statusline(stage, 66);
    expect(prompt(stage)).toContain("66 %");
  });

  it("GT-54 is not kept for sessions that no hook has seen, and invalid values are ignored", () => {
    const stage = openStage();
    statusline(stage, 80);
    expect(existsSync(join(stage.state, "sekisho", "sessions"))).toBe(false);
    stage.send("SessionStart", { source: "startup" });
    for (const used of [null, "80", {}, [9]]) statusline(stage, used);
    expect(readdirSync(join(stage.state, "sekisho", "sessions"))).toEqual(["s1"]);
    writeFileSync(join(stage.state, "sekisho", "sessions", "s1.context"), "x".repeat(100_000));
    expect(prompt(stage)).toBe("");
  });

  it("GT-54 is removed with the pins of old sessions", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    statusline(stage, 80);
    const sessions = join(stage.state, "sekisho", "sessions");
    for (const name of readdirSync(sessions)) utimesSync(join(sessions, name), 5, 5);
    stage.send("SessionStart", { source: "startup", session_id: "s2" });
    expect(readdirSync(sessions)).toEqual(["s2"]);
  });
});
