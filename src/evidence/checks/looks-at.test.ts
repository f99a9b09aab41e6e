import { expect, it } from "vitest";
import type { Check } from "./check.ts";
import { lookedAt } from "./looks-at.ts";

const check = (definition: string, more: Partial<Check> = {}): Check => ({
  name: "test",
  command: definition,
  definition,
  source: "settings",
  ...more,
});
const FILES = ["web/a.ts", "src-tauri/b.rs", "api/c.py", "web/d.css", "e.go"];
const script = (line: string): Check => check(`# test\n${line}`, { script: "test", source: "package.json" });

it.each([
  ["eslint .", ["web/a.ts"]],
  ["go vet ./...", ["e.go"]],
  ["cargo test", ["src-tauri/b.rs"]],
  ["uv run pytest", ["api/c.py"]],
  ["npx stylelint .", ["web/d.css"]],
  ["eslint . && stylelint .", ["web/a.ts", "web/d.css"]],
])("%s looks at files of its language only", (line, expected) =>
  expect(lookedAt(check(line), FILES)).toEqual(expected),
);

it("tasks of a workspace look at what node's tools look at", () => {
  expect(lookedAt(script("pnpm --parallel -r run test"), FILES)).toEqual(["web/a.ts"]);
  expect(lookedAt(script("turbo run test"), FILES)).toEqual(["web/a.ts"]);
});

it.each(["./check.sh", "eslint . && ./check.sh", "make test", "node test.js"])("%s may look at anything", (line) =>
  expect(lookedAt(check(line), FILES)).toEqual(FILES),
);
