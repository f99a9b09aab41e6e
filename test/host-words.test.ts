/** Fails when a room other than hosts/ names the files, variables or package of a host. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");
const WORDS = /\.claude\b|CLAUDE_|CLAUDECODE|claude-code/;

/** Exceptions by file: texts shown to people, and the name of another harness. */
const FOR_PEOPLE: Readonly<Record<string, readonly string[]>> = {
  "cli/import.ts": ["sekisho import .claude/current-phase.md", "sekisho import .claude/state "],
  "policies/access/tampering/no-tampering.ts": [
    'bash("sed -i s/PreToolUse/x/ .claude/settings.local.json")',
    'bash("sekisho status && cat .claude/settings.local.json")',
    'write("/home/dev/.claude/projects/a/b.jsonl")',
  ],
  "policies/playbook/no-false-judge.ts": ["/.claude/agents/", 'bash("cp -r x/. .claude/")'],
  "store/formats/mode-states.ts": ["oh-my-claude-code"],
};

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("hosts/"));
const linesOf = (file: string): readonly string[] => readFileSync(join(SRC, file), "utf8").split("\n");

it("only hosts/ names a host's files, variables or package", () => {
  const found = files.flatMap((file) =>
    linesOf(file)
      .filter((line) => WORDS.test(line) && !FOR_PEOPLE[file]?.some((words) => line.includes(words)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

it("every exception is still needed", () => {
  const unused = Object.entries(FOR_PEOPLE).flatMap(([file, words]) =>
    words.filter((word) => !linesOf(file).some((line) => line.includes(word))).map((word) => `${file}: ${word}`),
  );
  expect(unused).toEqual([]);
});
