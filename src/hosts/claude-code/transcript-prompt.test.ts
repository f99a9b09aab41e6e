import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readPrompt } from "./transcript-prompt.ts";

const recorded = (file: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, "../../../test/transcripts", file), "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => readPrompt(line) ?? []);

it("PB-28 returns only the person's prompts from a real transcript, none of its subagents", () => {
  expect(recorded("plain/4940.jsonl")).toEqual(["Play the story."]);
  expect(recorded("plain/agent-1.jsonl")).toEqual([]);
  expect(recorded("interrupt/fc07.jsonl").filter((words) => words.includes("interrupted"))).toEqual([]);
});

it("never throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (line) => {
        readPrompt(line);
      },
    ),
  );
  for (const message of [null, 1, { content: null }, { content: [null, 1, { text: 5 }] }])
    expect(readPrompt(JSON.stringify({ type: "user", message }))).toBeUndefined();
});
