import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checkPattern, mayRunChecks } from "./tools.ts";

const CHECKS = [
  "npm test",
  "npm run test:ci",
  "npm --silent run lint",
  "pnpm --filter web exec tsc --noEmit",
  "pnpm -r test",
  "yarn workspace web lint",
  "mise run test:integration",
  "make -j4 check",
  "just lint",
  "task build",
  "uv run pytest tests/",
  "python -m pytest -q",
  "cargo +nightly test --all",
  "cargo clippy -- -D warnings",
  "go vet ./...",
  "./gradlew :app:test",
  "./mvnw -q verify",
  "npx vitest run",
  "npx biome check src",
  "ruff check .",
  "mypy src",
  "dotnet test",
  "mix test",
  "bazel test //...",
  "deno test",
  "tox -e lint",
  "cd web && npm test",
  "CI=1 npm test",
  "timeout 60 npm test",
  "npm run build",
];
const OTHERS = [
  "npm ls",
  "npm install",
  "git log",
  "git diff --check",
  "cat test.js",
  "ls tests",
  "grep -r test .",
  "node script.js",
  "cargo tree",
  "go list ./...",
  "ruff format .",
  "docker ps",
  "rg check src",
  "find . -name '*.test.ts'",
  "pytest-watch",
  "my-jest",
  "curl localhost/test",
];

describe("the pattern for lines that run a check", () => {
  it.each([...CHECKS.map((line) => [line, true] as const), ...OTHERS.map((line) => [line, false] as const)])(
    "%j: %s, and a shell says the same",
    (line, expected) => {
      expect(new RegExp(checkPattern()).test(line)).toBe(expected);
      const { status } = spawnSync("bash", ["-c", "[[ $1 =~ $2 ]]", "bash", line, checkPattern()]);
      expect(status).toBe(expected ? 0 : 1);
    },
  );

  it("knows which lines need not be read", () => {
    for (const line of CHECKS) expect(mayRunChecks(line), line).toBe(true);
    for (const line of [
      "python3.12 -m mypy .",
      "./node_modules/.bin/vue-tsc",
      "$(npm test)",
      "/usr/bin/flake8",
      "py.test",
    ])
      expect(mayRunChecks(line), line).toBe(true);
    for (const line of [
      "git log",
      "ls tests",
      "curl localhost/x",
      "docker ps",
      "cat a.py",
      "vim my-jest.txt",
      "constructor",
    ])
      expect(mayRunChecks(line), line).toBe(false);
  });
});
