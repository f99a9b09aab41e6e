/** A pipe, an endless device or a huge file in place of a file that a gate reads: every event is still answered. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { openStage, type Stage } from "./stage.ts";

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "a huge file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 36);
  },
};

/** `~` is the home directory; everything else is in the project. */
const PLACES: Readonly<Record<string, string>> = {
  "what checks and linters are found by":
    "pyproject.toml setup.cfg tox.ini pytest.ini requirements.txt mypy.ini package.json .npmrc tsconfig.json .prettierrc biome.json deno.json composer.json Makefile GNUmakefile justfile pnpm-workspace.yaml .yarnrc .cargo/config.toml .rspec",
  "our settings": ".sekisho/config.yaml .sekisho/config.local.yaml ~/.config/sekisho/config.yaml",
  "the host's settings": ".claude/settings.json .claude/settings.local.json ~/.claude/settings.json .mcp.json",
  "plans, notes, skills and lists":
    ".claude/protected-files.txt .claude/scheduled_tasks.json .claude/context/task_plan.md .claude/context/progress.md .tmp/plans/a.md PLAN.md ~/.claude/learnings/global-learnings.md .claude/skills/a/SKILL.md ~/.claude/plugins/installed_plugins.json ~/.claude/tasks/s1/1.json",
  "git's files": ".git/info/exclude .git/packed-refs .git/commondir .git/HEAD",
  "what shells read": "~/.bashrc ~/.zshenv ~/.profile ~/.npmrc ~/.claude/shell-snapshots/snapshot-bash-1.sh",
  "files that tools name": "answer.js run.sh transcript.jsonl node_modules/.bin/runner .venv/bin/pytest",
};

const MS_MAX = 40_000;

function events(stage: Stage): readonly (readonly [EventName, object])[] {
  const transcript_path = `${stage.project}/transcript.jsonl`;
  const answer = { file_path: `${stage.project}/answer.js` };
  const use = (tool_name: string, tool_input: object, tool_use_id: string) => ({
    transcript_path,
    tool_name,
    tool_input,
    tool_use_id,
  });
  const test = use("Bash", { command: "npm test && sh run.sh && make test" }, "t1");
  const edit = use("Edit", { ...answer, old_string: "41", new_string: "42" }, "t2");
  return [
    ["SessionStart", { source: "startup", transcript_path }],
    ["PreToolUse", test],
    ["PostToolUse", { ...test, tool_response: {} }],
    ["PreToolUse", edit],
    ["PostToolUse", { ...edit, tool_response: {} }],
    ["PreToolUse", use("Bash", { command: "git commit -m x && git push" }, "t3")],
    ["PreCompact", { trigger: "auto", transcript_path }],
    ["Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [], transcript_path }],
  ];
}

describe("GT-20 no file hangs a gate", () => {
  it.each(Object.keys(KINDS).flatMap((kind) => Object.keys(PLACES).map((places) => [kind, places] as const)))(
    "%s in place of %s",
    (kind, places) => {
      const stage = openStage();
      stage.write("answer.js", "41\n");
      stage.git("add", "--all");
      stage.git("commit", "--quiet", "--message", "begin");
      for (const place of (PLACES[places] ?? "").split(" ")) {
        const path = place.startsWith("~") ? stage.home + place.slice(1) : `${stage.project}/${place}`;
        mkdirSync(dirname(path), { recursive: true });
        rmSync(path, { force: true });
        KINDS[kind]?.(path);
      }
      for (const [event, fields] of events(stage)) {
        const [program, ...args] = stage.command(event);
        const input = JSON.stringify({ session_id: "s1", cwd: stage.project, hook_event_name: event, ...fields });
        // Throws if it hangs; the program's own time limit is far shorter.
        const { code } = stage.run(program, args, { input, timeout: MS_MAX });
        expect([event, 0, 2]).toContain(code);
      }
    },
  );
});
