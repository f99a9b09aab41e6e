import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
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
