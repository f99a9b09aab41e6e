/** The end of a turn, and of a task, in a real work tree: what the agent changed there is what it owes. */
import * as childProcess from "node:child_process";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { memoryStore } from "../store/memory.ts";
import { runNow } from "../world/machine/program.ts";
import { hallWith, send } from "./example-hall.ts";

function working(isRepository: boolean, verify: Partial<Settings["verify"]> = {}) {
  const root = tempDirectory("documents");
  const project = join(root, "project");
  mkdirSync(join(project, "docs"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(project, "a.ts"), "1\n");
  if (isRepository) execFileSync("git", ["init", "-q"], { cwd: project });
  const settings = { ...defaultSettings, verify: { ...defaultSettings.verify, ...verify } };
  const hall = hallWith(memoryStore(), {
    placesOf: () => ({ ...ordinaryFacts.places, project, home: root, journal: join(root, "journal") }),
    env: { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8", PATH: process.env["PATH"] },
    digest: (text) => createHash("sha256").update(text).digest("hex"),
    run: (program) => runNow(program, childProcess),
    settingsOf: () => ({ settings, problems: [], custom: ["verify.tasks"] }),
  });
  send(hall, "SessionStart", { cwd: project, source: "startup" });
  let calls = 0;
  return {
    writes(name: string, content: string): void {
      const file_path = join(project, name);
      const call = { cwd: project, tool_name: "Write", tool_input: { file_path, content }, tool_use_id: `c${++calls}` };
      send(hall, "PreToolUse", call);
      writeFileSync(file_path, content);
      send(hall, "PostToolUse", { ...call, tool_response: {} });
    },
    stop: (): string => send(hall, "Stop", { cwd: project, background_tasks: [] }).stdout,
    task: (fields: object): number | null => send(hall, "TaskCompleted", { cwd: project, ...fields }).exitCode,
  };
}

describe.each([
  ["a repository", true],
  ["a folder without git", false],
])("GT-24 in %s", (_, isRepository) => {
  it("GT-24 a session that changed only documents may end, one that changed code may not", () => {
    const { writes, stop } = working(isRepository);
    writes("README.md", "# new\n");
    writes("docs/plan.md", "- [ ] one\n");
    expect(stop()).toBe("");
    writes("a.ts", "2\n");
    expect(stop()).toContain("npm test");
  });
});

describe("EH-14 a task that is completed", () => {
  it("EH-14 passes if the host does not say which task, or in which session", () => {
    const { task } = working(true, { tasks: "all" });
    expect(task({})).toBe(0);
    expect(task({ task_id: "1" })).toBe(0);
    expect(task({ task_id: "1", task_subject: 5 })).toBe(0);
    expect(task({ task_id: "1", task_subject: "Write it", session_id: "" })).toBe(0);
    expect(task({ task_subject: "Write it" })).toBe(2);
  });
});
