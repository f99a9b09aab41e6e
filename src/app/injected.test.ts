/** Characters added to the agent's context are counted at every event. */
import { expect, it } from "vitest";
import { EVENT_NAMES } from "../kernel/event.ts";
import type { Policy } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { fold, newState } from "../state/state.ts";
import { memoryStore } from "../store/memory.ts";
import { hallWith, send } from "./example-hall.ts";

const talking: Policy = {
  id: "remind-x",
  on: EVENT_NAMES,
  needs: [],
  why: text("w", "言"),
  examples: [],
  check: () => ({ decision: "pass", notes: [text("n".repeat(390), "言"), text("more", "言")] }),
};

it.each(["C.UTF-8", "ja_JP.UTF-8"])("MD-47 the count at every event equals the added characters (%s)", (LANG) => {
  const store = memoryStore();
  const hall = hallWith(store, { policiesOn: () => [talking], env: { CLAUDE_PID: String(process.ppid), LANG } });
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t-1" };
  const said = EVENT_NAMES.map((name) => {
    const { stdout } = send(hall, name, { ...tool, source: "startup", prompt: "go" });
    const answer = (stdout === "" ? {} : JSON.parse(stdout)) as { hookSpecificOutput?: { additionalContext?: string } };
    return answer.hookSpecificOutput?.additionalContext?.length ?? 0;
  });
  const state = store.read();
  const counted = "fault" in state ? undefined : state.sessions["s-1"]?.injectedChars;
  expect(said.filter((chars) => chars > 0).length).toBeGreaterThanOrEqual(8);
  expect(counted).toBe(said.reduce((sum, chars) => sum + chars, 0));
});

it("notes about failed or empty snapshots are counted too", () => {
  const begun = fold(newState, { kind: "verdict", event: "Stop", session: "s", decision: "pass", rid: "a", t: 1 });
  const fault = { kind: "fault", event: "PreToolUse", session: "s", where: "run-snapshot", message: "m" } as const;
  const failed = fold(begun, { ...fault, injected: 30, rid: "b", t: 2 });
  const nothing = { kind: "undo", do: "nothing", id: "", session: "s", files: 0, bytes: 0, left: 1 } as const;
  const left = fold(failed, { ...nothing, injected: 12, rid: "c", t: 3 });
  expect(left.sessions["s"]?.injectedChars).toBe(42);
  expect(left.faults).toBe(1);
  expect(fold(newState, { ...fault, injected: 30, rid: "d", t: 1 }).sessions).toEqual({});
});
