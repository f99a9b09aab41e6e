import { describe, expect, it } from "vitest";
import { readShell } from "../reading/shell/parse/shell.ts";
import { answersByExitCode, mayFail } from "./answers.ts";

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

describe("a failure that costs no trust", () => {
  const spared = (command: string): boolean => mayFail(readShell(command, { cwd: "/p", home: "/h" }));

  it.each([
    "grep nothing a.txt",
    "kill 4711",
    "pkill -f server",
    "git branch -d topic",
    "git commit -m x",
    "git add a && git commit -m x",
    "diff a b | head",
    "cat missing.txt",
    "ls missing",
    "npm test",
    "npm run lint && npm test",
    "cd web && npx vitest run a.test.ts",
    "uv run pytest -x 2>&1 | tail -5",
    "mise run test:ci",
    "cargo clippy && cargo test",
    "gh pr checks 12",
    "which cargo",
    "mise run fmt && mise run lint && mise run test:ci",
    "cargo fmt --check",
    "git checkout topic",
    "gh pr create --title x --body y",
    "gh variable list",
  ])("%s", (command) => expect(spared(command)).toBe(true));

  it.each([
    "git branch -D topic",
    "git push",
    "git commit --amend -m x && git push --force",
    "git worktree add ../x",
    "npm install",
    "npm install && npm test",
    "npm test && ./deploy.sh",
    "rm -r build",
    "python3 migrate.py",
    "gh pr merge 12",
    "git checkout -f topic",
    "mise run deploy",
    "docker rm x",
    "$CHECK",
    "",
  ])("not: %s", (command) => expect(spared(command)).toBe(false));
});
