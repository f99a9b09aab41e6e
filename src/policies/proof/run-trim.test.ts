import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { protecting } from "../example.ts";
import { runTrim } from "./run-trim.ts";

describePolicy(runTrim);

const on = { ...defaultSettings, context: { ...defaultSettings.context, guide: true } };

it("GT-53 trims where sessions are guided, and nowhere else", () => {
  expect(verdictOf(runTrim, { name: "PreCompact" }, { settings: on })).toMatchObject({ decision: "pass", trim: true });
  expect(verdictOf(runTrim, { name: "PreCompact" }).trim).toBeUndefined();
});

it("GT-53 an event that is not the client's own trims nothing", () => {
  const caller = { ...ordinaryFacts.caller, client: { pid: 8, started: "2" }, isHost: false, insideAgent: true };
  const verdict = verdictOf(runTrim, { name: "PreCompact" }, { settings: on, caller });
  expect(verdict).toMatchObject({ unbound: true });
  expect(verdict.trim).toBeUndefined();
});

it.each([
  ["progress.md", undefined],
  ["HARD_BLOCK:.claude/", undefined],
  ["BLOCK:.claude/context/*.md", undefined],
  ["WARN:progress.md", true],
  ["BLOCK:docs/", true],
])("GT-53 where the project protects %s, trim is %s", (line, trim) => {
  const verdict = verdictOf(runTrim, { name: "PreCompact" }, { settings: on, ...protecting(line) });
  expect([verdict.trim, verdict.trace[0]?.fault]).toEqual([trim, undefined]);
});
