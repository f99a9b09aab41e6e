/** The activity hint on the built program: one line when the activity changes, otherwise silence, and never a block. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, expectValid, noticeOf } from "./answer.ts";
import { openStage } from "./stage.ts";

const ON = "activity:\n  hint: true\n";

function opened(project: string | undefined, user?: string, language = "C.UTF-8") {
  const stage = openStage();
  if (project !== undefined) stage.write(".sekisho/config.yaml", project);
  if (user !== undefined) put(join(stage.home, ".config/sekisho/config.yaml"), user);
  const env = { LANG: language };
  stage.send("SessionStart", { source: "startup" }, { env });
  const prompt = (words: string, session = "s1"): Answer =>
    stage.send("UserPromptSubmit", { prompt: words, session_id: session }, { env });
  return { ...stage, prompt };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The additional context for the model; empty when the hook prints nothing. */
function contextOf(answer: Answer): string {
  expectValid("UserPromptSubmit", answer);
  expect(answer.code).toBe(0);
  if (answer.stdout === "") return "";
  const { hookSpecificOutput } = JSON.parse(answer.stdout) as { hookSpecificOutput?: { additionalContext?: string } };
  return hookSpecificOutput?.additionalContext ?? "";
}

describe("GT-40 GT-43 TS-24 the activity hint", () => {
  it("GT-42 prints one line when the activity changes, none while it stays, none for small talk", () => {
    const { prompt, send } = opened(ON);
    const first = contextOf(prompt("undo/redoの実装を調べて"));
    expect(first).toMatch(/reads as research/);
    expect(first).not.toContain("\n");
    expect(contextOf(prompt("Now compare it with what others do"))).toBe("");
    expect(contextOf(prompt("thanks!"))).toBe("");
    expect(contextOf(prompt("Look into the tests as well"))).toBe("");
    expect(contextOf(prompt("Implement it based on the design document"))).toMatch(/reads as implement/);
    send("SessionStart", { source: "compact" });
    expect(contextOf(prompt("add a test for it"))).toBe("");
    expect(contextOf(prompt("add a test for it", "s2"))).toMatch(/reads as implement/);
    send("SessionEnd", { reason: "other" });
    send("SessionStart", { source: "resume" });
    expect(contextOf(prompt("add a test for it"))).toBe("");
  });

  it("is silent by default and at the end of a background task", () => {
    expect(contextOf(opened(undefined).prompt("implement the parser"))).toBe("");
    const { prompt } = opened(ON);
    const done = "<task-notification>\n<status>failed</status>\n<summary>implement it</summary>\n</task-notification>";
    expect(contextOf(prompt(done))).toBe("");
    expect(contextOf(prompt("debug it"))).toMatch(/reads as debug/);
  });

  it("follows the user's language, and names a skill only if it exists", () => {
    const { prompt, write } = opened(ON, undefined, "ja_JP.UTF-8");
    expect(contextOf(prompt("実装して"))).toMatch(/^関所: この依頼は implement と読めます/);
    expect(contextOf(prompt("レビューして"))).not.toContain("code-quality-rules");
    write(".claude/skills/code-quality-rules/SKILL.md", "---\nname: code-quality-rules\n---\n");
    expect(contextOf(prompt("実装して"))).toContain("使えるもの: code-quality-rules。");
  });

  it.each([
    ["empty", ""],
    ["huge", "implement ".repeat(500_000)],
    ["strange", "\u0000\ud800 /debug\u2028"],
  ])("TS-24 never blocks: a prompt that is %s", (_, words) => {
    contextOf(opened(ON).prompt(words));
  });

  it("TS-24 never blocks: an invalid prompt or an unreadable journal", () => {
    const stage = opened(ON);
    expect(contextOf(stage.send("UserPromptSubmit", {}))).toBe("");
    expect(contextOf(stage.send("UserPromptSubmit", { prompt: { a: 1 } }))).toBe("");
    const env = { XDG_STATE_HOME: "/dev/null" };
    expect(contextOf(stage.send("UserPromptSubmit", { prompt: "implement it" }, { env }))).toBe("");
  });
});

describe("GT-44 GT-45 the user's own classifier on the built program", () => {
  const ownFile = (command: string) => `activity:\n  hint: true\n  command: ${JSON.stringify(command)}\n`;

  it("decides the activity, and the person is told that it runs", () => {
    const { prompt, home, send } = opened(undefined, ownFile("cat >prompt.txt; echo review"));
    expect(contextOf(prompt("implement it"))).toMatch(/reads as review/);
    expect(readFileSync(join(home, "prompt.txt"), "utf8")).toBe("implement it");
    expect(noticeOf(send("SessionStart", { session_id: "s2", source: "startup" }))).toContain("activity.command: cat");
    expect(contextOf(prompt("/plan it"))).toMatch(/reads as plan/);
  });

  it.each(["exit 1", "echo 42", "/no/such/classifier", "kill -9 $$"])("on failure the rules decide: %s", (command) => {
    expect(contextOf(opened(undefined, ownFile(command)).prompt("implement it"))).toMatch(/reads as implement/);
  });

  it("a project cannot configure a classifier", () => {
    const stage = opened(ownFile("touch ran; echo review"));
    stage.write(".sekisho/config.local.yaml", ownFile("touch ran; echo review"));
    const answer = stage.prompt("implement it");
    expect(contextOf(answer)).toMatch(/reads as implement/);
    expect(noticeOf(answer)).toContain("activity.command");
    for (const place of [stage.home, stage.project]) expect(existsSync(join(place, "ran"))).toBe(false);
  });
});
