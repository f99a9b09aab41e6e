import { expect, it } from "vitest";
import { verdictOf } from "../describe-policy.ts";
import { remindOrphan } from "./remind-orphan.ts";

it("PB-27 tells the person, not the agent, which mode is left over, and remembers that", () => {
  const leftBehind = { session: "0a081b04-f011", modes: ["persistent", "turbo"] as const };
  const verdict = verdictOf(remindOrphan, { name: "SessionStart", source: "startup" }, { leftBehind });
  expect(verdict.notes).toEqual([]);
  expect(verdict.notices[0]?.ja).toContain("persistent, turbo");
  expect(verdict.notices[0]?.en).toContain("`claude --resume 0a081b04-f011` goes on with it");
  expect(verdict.changes).toEqual([{ record: "session", do: "tell-orphan", orphan: "0a081b04-f011" }]);
});
