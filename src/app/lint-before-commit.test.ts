/** PB-53 by events: the project's linter, a real one, runs before files are added or committed. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { attempt, openPlanStage, type PlanStage } from "../../test/plan-stage.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { type ExampleHall, send } from "./example-hall.ts";

const BIOME = join(import.meta.dirname, "../../node_modules/.bin/biome");
let stage: PlanStage;

beforeEach(() => {
  stage = openPlanStage();
  mkdirSync(join(stage.project, "node_modules/.bin"), { recursive: true });
  symlinkSync(BIOME, join(stage.project, "node_modules/.bin/biome"));
  stage.put(".gitignore", "node_modules\n");
  stage.put("biome.json", "{}\n");
  stage.git("add", "-A");
  stage.git("commit", "-qm", "biome");
});

/** On the real clock, because what was changed in a session is told by the times of files. */
function begin(run: boolean): ExampleHall {
  const settings = { ...defaultSettings, lint: { ...defaultSettings.lint, run } };
  const hall = { ...stage.hall(settings), clock: () => Date.now(), deadline: Date.now() + 60_000 };
  send(hall, "SessionStart", { cwd: stage.project, source: "startup" });
  return hall;
}

const told = (hall: ExampleHall, command: string): string => {
  const { exitCode, stdout } = attempt(hall, stage.project, "Bash", { command });
  expect(exitCode).toBe(0);
  return stdout;
};

describe("TS-50 PB-53 linters before git add and git commit", () => {
  it("findings in changed files are told, and the commit passes", () => {
    const hall = begin(true);
    stage.put("bad.js", "debugger;\n");
    for (const command of ["git add -A", "git commit -am x", "npm test; git commit -m x"])
      expect(told(hall, command)).toMatch(/biome objects to files of this commit.*bad\.js/s);
  });

  it("clean files, other files and other commands are silent", () => {
    const hall = begin(true);
    stage.put("good.js", "export const a = 1;\n");
    stage.put("bad.txt", "debugger;\n");
    expect([told(hall, "git add -A"), told(hall, "git commit -m x"), told(hall, "git status")]).toEqual(["", "", ""]);
  });

  it("without the setting no linter runs", () => {
    const hall = begin(false);
    stage.put("bad.js", "debugger;\n");
    expect(told(hall, "git add -A")).toBe("");
  });

  it("a linter whose settings were changed in this session is not run: they may be code of the agent's", () => {
    const hall = begin(true);
    stage.put("bad.js", "debugger;\n");
    stage.put("biome.json", '{ "linter": { "enabled": false } }\n');
    expect(told(hall, "git add -A")).toContain("biome was not run before this commit");
  });

  it("no repository, no changes and a linter that is gone are no fault", () => {
    const hall = begin(true);
    expect(told(hall, "git add -A")).toBe("");
    stage.git("rm", "-q", "a.ts");
    expect(told(hall, "git commit -m x")).toBe("");
  });
});
