/** The text for the host's status line: one line, fast, and never a failure. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "../payloads/statusLine.json"), "utf8")) as object;

function lineOf({ run, project }: Stage, fields: object = {}, raw?: string): string {
  const payload = { ...recorded, session_id: "s1", cwd: project, workspace: { project_dir: project }, ...fields };
  const { code, stdout, stderr } = run(program.node, [program.bundle, "statusline"], {
    input: raw ?? JSON.stringify(payload),
  });
  expect({ code, stderr, lines: stdout.split("\n").length }).toEqual({ code: 0, stderr: "", lines: 2 });
  return stdout.trimEnd();
}

describe("statusline", () => {
  it("shows the verdicts and when each agent was last seen", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    stage.bash("ls");
    stage.bash("rm -rf /");
    stage.bash("ls", { agent_id: "a1", agent_type: "Explore" });
    expect(lineOf(stage)).toMatch(
      /^sekisho ✔ 2 passed 1 refused \| (?:main \d+s PreToolUse|Explore \d+s), (?:main \d+s PreToolUse|Explore \d+s)$/,
    );
    expect(lineOf(stage, { session_id: "never-seen" })).toBe("sekisho ! no hook seen in this session yet");
  });

  it("warns loudly when hooks are missing or disabled", () => {
    const stage = openStage({ registered: false });
    expect(lineOf(stage)).toMatch(/^sekisho ✖ NO HOOKS/);
    stage.write(".claude/settings.json", '{"disableAllHooks": true}');
    expect(lineOf(stage)).toContain("HOOKS OFF: disableAllHooks");
  });

  it("does not warn when the plugin provides the hooks", () => {
    const stage = openStage({ registered: false });
    stage.send("SessionStart", { source: "startup" });
    expect(lineOf(stage)).toMatch(/^sekisho ✔ 0 passed/);
    stage.send("SessionEnd", { reason: "other" });
    expect(lineOf(stage)).toMatch(/^sekisho ✖ NO HOOKS/);
    stage.write(".claude/settings.json", '{"enabledPlugins": {"sekisho@sekisho": true}}');
    expect(lineOf(stage)).not.toContain("NO HOOKS");
    expect(stage.sekisho("status").stdout).toMatch(/^Hooks +by the plugin sekisho@sekisho \(.*settings\.json\)$/m);
  });

  it("says when Sekisho is disabled in the project", () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "enabled: false\n");
    expect(lineOf(stage)).toBe("sekisho - off in this project");
  });

  it.each(["", "{", "[]", "null", '{"session_id": "../../x", "cwd": 7}', '{"workspace": 3}'])("handles %j", (raw) => {
    expect(lineOf(openStage(), {}, raw)).toMatch(/^sekisho [✔!✖-] /);
  });

  it("handles an unusable journal and a missing directory", () => {
    const stage = openStage();
    mkdirSync(stage.state);
    writeFileSync(join(stage.state, "sekisho"), "");
    expect(lineOf(stage)).toMatch(/^sekisho ✖ .*cannot be used/);
    expect(lineOf(openStage(), { cwd: "/gone", workspace: { project_dir: "/gone" } })).toMatch(/^sekisho [!✖] /);
  });
});
