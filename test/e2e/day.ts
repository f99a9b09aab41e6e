/** What the tests of the commands share: a day's work to look back on, and how a command says no. */
import { expect } from "vitest";
import { type Answer, openStage, type Stage } from "./stage.ts";

/** A day's work: one call that went well, one question, two refusals, one error. */
export function worked(): Stage {
  const stage = openStage();
  stage.send("SessionStart", { source: "startup" });
  const tool = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "call-ok" };
  stage.send("PreToolUse", tool);
  stage.send("PostToolUse", { ...tool, tool_response: {} });
  stage.bash("git branch -D old");
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
