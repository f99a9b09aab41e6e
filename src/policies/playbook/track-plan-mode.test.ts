import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { PLACE, using } from "../example.ts";
import { trackPlanMode } from "./track-plan-mode.ts";

const tool = { kind: "control", name: "ExitPlanMode", leavesPlan: true } as const;
const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
const calls = { "call-1": { tool: "ExitPlanMode", at: 100, background: false } };
const session = { ...boundSession(), calls, planAskedAt: 200 };
const facts = { settings, session, now: 1200, plan: { root: PLACE, drafts: [], named: [] } };
const left = { ...using(tool, "PostToolUse"), plan: "# Greeting\n\n1. edit hello.txt\n", failed: false };

const approvedBy = (when: object, given: object = {}) =>
  verdictOf(trackPlanMode, { ...left, ...when }, { ...facts, ...given }).changes.filter(
    ({ record }) => record === "playbook",
  );

describe("a plan with which somebody leaves plan mode", () => {
  it("is approved if the host showed it and a person had time to read it", () => {
    expect(approvedBy({})).toMatchObject([{ do: "approve", by: "plan-mode", root: PLACE }]);
    const { jobs } = verdictOf(trackPlanMode, left, facts);
    expect(jobs).toMatchObject([{ job: "write-plan", file: expect.stringMatching(/\/greeting-[0-9a-f]{6}\.md$/) }]);
  });

  it.each([
    ["an answer at once", {}, { now: 1199 }],
    ["no dialog", {}, { session: { ...boundSession(), calls } }],
    ["the dialog of an earlier call", {}, { session: { ...session, planAskedAt: 99 } }],
    ["a call that was never seen", {}, { session: { ...session, calls: {} } }],
    ["an error", { failed: true }, {}],
    ["no plan, or not in plan mode", { plan: undefined }, {}],
    ["nobody there", { attended: false }, {}],
    ["a session that began without a person", {}, { session: { ...session, headless: true } }],
    ["a subagent", { agent: { id: "a", type: "Plan" } }, {}],
    ["a project without plans", {}, { settings: defaultSettings }],
  ])("%s is not consent", (_, when, given) => {
    expect(approvedBy(when, given)).toEqual([]);
  });
});
