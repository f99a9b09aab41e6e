/** The answer of a process, and its meaning to the host. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "vitest";

export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for a process and returns its output. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Answer> {
  child.stdin.on("error", () => undefined);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

/** Events at which the host takes exit code 2 as a refusal. */
const REFUSED_BY_EXIT_CODE: ReadonlySet<string> = new Set([
  "PreToolUse",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "TaskCreated",
  "TaskCompleted",
  "PreCompact",
  "PreModelSwitch",
  "ConfigChange",
]);

/** Checks that the host accepts the answer to this event, with no unknown fields. */
export function expectValid(event: string, { code, stdout, stderr }: Answer): void {
  expect([0, 2]).toContain(code);
  if (code === 2) {
    expect(REFUSED_BY_EXIT_CODE).toContain(event);
    expect(stdout).toBe("");
    expect(stderr).not.toBe("");
    return;
  }
  expect(stderr).toBe("");
  if (stdout === "") return;
  expect(stdout).toMatch(/^\{[\s\S]*\}$/);
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  const known = ["systemMessage", "hookSpecificOutput", "decision", "reason"];
  expect(known).toEqual(expect.arrayContaining(Object.keys(answer)));
  if ("decision" in answer) {
    expect(["Stop", "SubagentStop"]).toContain(event);
    expect(answer).toMatchObject({ decision: "block", reason: expect.stringMatching(/\S/) });
  }
  const specific = answer["hookSpecificOutput"] as Record<string, unknown> | undefined;
  if (specific) expect(specific["hookEventName"]).toBe(event);
  if (specific && "permissionDecision" in specific) {
    expect(event).toBe("PreToolUse");
    expect(specific).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringMatching(/\S/),
    });
  }
}

export type Verdict = "pass" | "ask" | "deny";

/** The payload of a command at its gate, as the host writes it. */
export function whole(command: unknown, more: object = {}): string {
  return JSON.stringify({
    session_id: "s1",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call-1",
    ...more,
  });
}

export function verdictOf({ code, stdout }: Answer): Verdict {
  if (code === 2) return "deny";
  return stdout.includes('"permissionDecision":"ask"') ? "ask" : "pass";
}

/** The message to the person, if any. */
export function noticeOf({ stdout }: Answer): string {
  return stdout === "" ? "" : String((JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? "");
}
