/** Shared by the tests of the commands: a session to look back on, and how a command fails. */
import { expect } from "vitest";
import type { Answer } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

/** A session with one successful call, one question, two refusals and one error. */
export function worked(): Stage {
  const stage = openStage();
  stage.send("SessionStart", { source: "startup" });
  const tool = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "call-ok" };
  stage.send("PreToolUse", tool);
  stage.send("PostToolUse", { ...tool, tool_response: {} });
  stage.bash("git tag -d old");
  stage.bash("rm -rf /");
  stage.bash("sekisho uninstall");
  stage.sendBytes("PreToolUse", "{");
  return stage;
}

export function expectFailure(answer: Answer, words: RegExp): void {
  expect(answer).toMatchObject({ code: 1, stdout: "" });
  expect(answer.stderr).toMatch(words);
  expect(answer.stderr).not.toMatch(/unexpected error|^\s+at /m);
}
