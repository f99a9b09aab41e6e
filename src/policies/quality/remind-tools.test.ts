import { expect, it } from "vitest";
import type { Tool } from "../../reading/tool.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { exampleMode, read, using } from "../example.ts";
import { remindTools } from "./remind-tools.ts";

const helper = (name: string) => using({ kind: "agent", name, agentType: "" } as Tool);
const modes = { turbo: exampleMode };
function hints(when: ReturnType<typeof read>, counts: Record<string, number>, more: object = { modes }) {
  const session = { ...ordinaryFacts.session, tools: { total: 0, last: "", counts }, ...more };
  return verdictOf(remindTools, when, { session });
}

it("MD-83 in a mode, the eleventh read and the sixth subagent get a hint", () => {
  expect(hints(read("/a"), { Read: 9 }).notes).toEqual([]);
  expect(hints(read("/a"), { Read: 10 }).notes).toHaveLength(1);
  expect(hints(helper("Agent"), { Agent: 4 }).notes).toEqual([]);
  expect(hints(helper("Task"), { Agent: 3, Task: 2 }).notes).toHaveLength(1);
});

it("MD-83 each hint is given once, and none outside a mode", () => {
  const { changes } = hints(read("/a"), { Read: 10 });
  expect(changes).toEqual([{ record: "session", do: "show", notice: "tools:Read" }]);
  expect(hints(read("/a"), { Read: 11 }, { modes, shown: ["tools:Read"] }).notes).toEqual([]);
  expect(hints(helper("Agent"), { Agent: 5 }, { modes, shown: ["tools:Read"] }).notes).toHaveLength(1);
  for (const more of [{}, { modes: {} }]) expect(hints(read("/a"), { Read: 99 }, more).notes).toEqual([]);
});
