import { describe, expect, it } from "vitest";
import { readShell } from "../reading/shell/parse/shell.ts";
import { answersByExitCode } from "./answers.ts";

const answers = (command: string): boolean => answersByExitCode(readShell(command, { cwd: "/p", home: "/h" }));

describe("exit code 1", () => {
  it.each([
    "grep nothing hello.txt",
    "rg -n nothing src",
    "diff a b",
    "cmp a b",
    "[ -e a ]",
    "test -f a",
    "which cargo",
    "cd src && grep -rn main .",
    "cat a | sort | grep x",
    "git grep nothing",
    "git diff --quiet",
    "git diff --exit-code -- src",
    "pgrep node",
  ])("is an answer and not a failure: %s", (command) => {
    expect(answers(command)).toBe(true);
  });

  it.each([
    "npm test && [ 1 ]",
    "make; grep error log",
    "npm test | grep passed",
    "grep x a && make",
    "grep x a; exit 1",
    "git diff",
    "git commit -m x",
    "make",
    "$SEARCH x",
    "grep x $(make)",
    "python3 -c 'exit(1)'; [ 1 ]",
    "",
  ])("is a failure: %s", (command) => {
    expect(answers(command)).toBe(false);
  });
});
