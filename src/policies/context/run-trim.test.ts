import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { protecting } from "../example.ts";
import { runTrim } from "./run-trim.ts";

const TRIM = [{ job: "trim" }];
const on = { ...defaultSettings, context: { ...defaultSettings.context, guide: true } };

it("GT-53 trims only where the guide is switched on", () => {
  expect(verdictOf(runTrim, { name: "PreCompact" }, { settings: on })).toMatchObject({ decision: "pass", jobs: TRIM });
  expect(verdictOf(runTrim, { name: "PreCompact" }).jobs).toBeUndefined();
});

it("GT-53 an event that is not from the host trims nothing", () => {
  const caller = { ...ordinaryFacts.caller, process: { pid: 8, started: "2" }, isHost: false, insideAgent: true };
  const verdict = verdictOf(runTrim, { name: "PreCompact" }, { settings: on, caller });
  expect(verdict).toMatchObject({ unbound: true });
  expect(verdict.jobs).toBeUndefined();
});

it.each([
  ["progress.md", undefined],
  ["HARD_BLOCK:.claude/", undefined],
  ["BLOCK:.claude/context/*.md", undefined],
  ["WARN:progress.md", TRIM],
  ["BLOCK:docs/", TRIM],
])("GT-53 where the project protects %s, the job is %j", (line, jobs) => {
  const verdict = verdictOf(runTrim, { name: "PreCompact" }, { settings: on, ...protecting(line) });
  expect([verdict.jobs, verdict.trace[0]?.fault]).toEqual([jobs, undefined]);
});
