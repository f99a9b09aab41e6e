/**
 * Attempts to avoid the checks or to run them elsewhere: through the shell's directory, git's view, or the environment
 * of a check.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { noticeOf } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

const PACKAGE = JSON.stringify({ scripts: { test: "node test.js" }, private: true });

/** A project with a test, and a session that has changed nothing yet. */
function begun(): Stage {
  const stage = openStage();
  stage.write("package.json", PACKAGE);
  stage.write("test.js", "process.exit(0);\n");
  stage.write("answer.js", "41\n");
  stage.write(".sekisho/config.yaml", "verify: { require: [test] }\ngates: { code_extensions: [rules] }\n");
  commit(stage, stage.project);
  stage.send("SessionStart", { source: "startup" });
  stage.send("UserPromptSubmit", { prompt: "change the answer" });
  return stage;
}

function commit(stage: Stage, directory: string): void {
  stage.git("-C", directory, "add", "--all");
  stage.git("-C", directory, "commit", "--quiet", "--allow-empty", "--message", "x");
}

function nested(stage: Stage, name: string): string {
  stage.git("init", "--quiet", name);
  commit(stage, `${stage.project}/${name}`);
  return `${stage.project}/${name}`;
}

let calls = 0;

function used(stage: Stage, tool: string, input: object, run?: () => void, cwd = stage.project): void {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++calls}`, cwd };
  if (stage.send("PreToolUse", call).code !== 0) return;
  run?.();
  stage.send("PostToolUse", { ...call, tool_response: {} });
}

/** A tool that names the file it writes. */
function edit(stage: Stage, path: string, content: string, cwd?: string): void {
  const file_path = path.startsWith("/") ? path : `${stage.project}/${path}`;
  const run = () => {
    mkdirSync(dirname(file_path), { recursive: true });
    writeFileSync(file_path, content);
  };
  used(stage, "Write", { file_path, content }, run, cwd);
}

/** A program that does not name it. */
function secretly(stage: Stage, content: string, cwd?: string): void {
  used(stage, "Bash", { command: "node gen" }, () => stage.write("answer.js", content), cwd);
}

const tested = (stage: Stage, cwd?: string) => used(stage, "Bash", { command: "npm test" }, undefined, cwd);

function stopped(stage: Stage, tasks: readonly object[] = []) {
  return stage.send("Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: tasks });
}

const WAYS: Readonly<Record<string, (stage: Stage) => void>> = {
  "the shell stands in a repository within": (stage) => edit(stage, "answer.js", "42\n", nested(stage, "sub")),
  "it stands there, and the turn before owed nothing": (stage) => {
    used(stage, "Bash", { command: "git init sub" }, () => nested(stage, "sub"));
    expect(stopped(stage).stdout).toBe("");
    secretly(stage, "42\n", `${stage.project}/sub`);
  },
  "a repository without a commit keeps git from looking": (stage) => {
    used(stage, "Bash", { command: "git init empty" }, () => stage.git("init", "--quiet", "empty"));
    secretly(stage, "42\n");
  },
  "an encoding keeps git from looking": (stage) => {
    edit(stage, ".gitattributes", "*.js working-tree-encoding=UTF-16\n");
    secretly(stage, "42\n");
  },
  "a keyword hides what changed after the pass": (stage) => {
    edit(stage, ".gitattributes", "*.js ident\n");
    edit(stage, "answer.js", "/* $Id: */ 42; /* $ */\n");
    tested(stage);
    secretly(stage, "/* $Id: */ 43; /* $ */\n");
  },
  "it was changed in the background, and the session taken up again": (stage) => {
    const call = { tool_name: "Bash", tool_input: { command: "node gen" }, tool_use_id: "toolu_background" };
    stage.send("PreToolUse", call);
    stage.send("PostToolUse", { ...call, tool_response: { backgroundTaskId: "b1" } });
    stage.write("answer.js", "42\n");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
  },
  "it was changed by a tool use whose end nobody told": (stage) => {
    stage.send("PreToolUse", { tool_name: "Bash", tool_input: { command: "node gen" }, tool_use_id: "toolu_lost" });
    stage.write("answer.js", "42\n");
    stage.send("SessionEnd", { reason: "other" });
    stage.send("SessionStart", { source: "resume" });
  },
  "an ending that a person has called code": (stage) => edit(stage, "game.rules", "42\n"),
  "another place, where the check was made anew": (stage) => {
    const cwd = `${stage.root}/other`;
    stage.git("worktree", "add", "--quiet", cwd);
    edit(stage, `${cwd}/answer.js`, "42\n", cwd);
    edit(stage, `${cwd}/package.json`, JSON.stringify({ scripts: { test: "node empty.js" } }), cwd);
    tested(stage, cwd);
  },
  "a shim where npm looks for programs above the project": (stage) =>
    shim(stage, `${stage.root}/node_modules/.bin/node`),
  "a shim on the PATH": (stage) => shim(stage, `${stage.home}/.local/bin/npm`),
  // Writing it with a tool is refused.
  "a function in a file that every shell of the host reads, written by a program": (stage) => {
    edit(stage, "answer.js", "42\n");
    const directory = `${stage.home}/.claude/shell-snapshots`;
    used(stage, "Bash", { command: "node gen" }, () => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(`${directory}/snapshot-bash-1.sh`, "npm() { true; }\n");
    });
    tested(stage);
  },
  "a line in the shell's start file": (stage) => shim(stage, `${stage.home}/.bashrc`),
  "npm's own settings of the user, written by a program": (stage) => {
    edit(stage, "answer.js", "42\n");
    const run = () => writeFileSync(`${stage.home}/.npmrc`, "script-shell=/bin/true\n");
    used(stage, "Bash", { command: "node gen" }, run);
    tested(stage);
  },
};

function shim(stage: Stage, path: string): void {
  edit(stage, "answer.js", "42\n");
  edit(stage, path, "#!/bin/sh\nexit 0\n");
  tested(stage);
}

describe("GT-20 ways to owe nothing", () => {
  it.each(Object.keys(WAYS))("%s", (way) => {
    const stage = begun();
    WAYS[way]?.(stage);
    expect(stopped(stage).stdout).toContain('"decision":"block"');
  });
});

it("GT-20 what was seen once, and cannot be looked at any more, counts as changed", () => {
  const stage = begun();
  secretly(stage, "42\n");
  const stop = { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] };
  const { stdout } = stage.send("Stop", stop, { env: { PATH: `${stage.root}/nowhere` } });
  expect(stdout).toContain('"decision":"block"');
});

describe("ordinary cases", () => {
  it("a check of another work tree may run after a cd, and the refusal says so", () => {
    const stage = begun();
    const cwd = `${stage.root}/other`;
    stage.git("worktree", "add", "--quiet", cwd);
    edit(stage, `${cwd}/answer.js`, "42\n");
    expect(stopped(stage).stdout).toContain(`cd ${cwd} && npm test`);
    used(stage, "Bash", { command: `cd ${cwd} && npm test` });
    expect(stopped(stage).stdout).toBe("");
  });

  it("a removed work tree owes nothing", () => {
    const stage = begun();
    const cwd = `${stage.root}/other`;
    stage.git("worktree", "add", "--quiet", cwd);
    edit(stage, `${cwd}/answer.js`, "42\n", cwd);
    used(stage, "Bash", { command: "node gen" }, () => stage.git("worktree", "remove", "--force", cwd));
    expect(stopped(stage).stdout).toBe("");
  });

  it("a scratch file outside the project does not make a pass stale", () => {
    const stage = begun();
    edit(stage, "answer.js", "42\n");
    tested(stage);
    edit(stage, `${stage.root}/tmp/scratch.py`, "1\n");
    expect(stopped(stage).stdout).toBe("");
  });

  it.each(["npm ci && npm test", "npm test && git add -A && git commit -m x"])("%s", (command) => {
    const stage = begun();
    edit(stage, "answer.js", "42\n");
    used(stage, "Bash", { command });
    expect(stopped(stage).stdout).toBe("");
  });

  it("while a command runs in the background the Stop is not refused, and the person is told once", () => {
    const stage = begun();
    edit(stage, "answer.js", "42\n");
    const server = { id: "b1", type: "shell", status: "running" };
    expect(noticeOf(stopped(stage, [server]))).toContain("in the background");
    expect(stopped(stage, [server]).stdout).toBe("");
    expect(stopped(stage, [{ ...server, type: "subagent" }]).stdout).toBe("");
    expect(stopped(stage).stdout).toContain('"decision":"block"');
  });
});
