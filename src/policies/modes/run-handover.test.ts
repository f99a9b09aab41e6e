import { expect, it } from "vitest";
import { decide } from "../../kernel/decide.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { runTrim } from "../proof/run-trim.ts";
import { runHandover } from "./run-handover.ts";

describePolicy(runHandover);

const when = { name: "PreCompact", trigger: "auto", transcript: "" } as const;

it("MD-51 MD-90 asks for it, and remembers when the conversation was made shorter", () => {
  expect(verdictOf(runHandover, when)).toMatchObject({
    handover: true,
    changes: [{ record: "session", do: "compact" }],
    notes: [],
  });
});

it("neither for a subagent nor for whoever plays the client", () => {
  expect(verdictOf(runHandover, { ...when, agent: { id: "a", type: "helper" } }).handover).toBeUndefined();
  const caller = { client: { pid: 9, started: "2" }, isHost: false, insideAgent: true, heldElsewhere: true };
  const verdict = verdictOf(runHandover, when, { caller });
  expect([verdict.handover, verdict.changes]).toEqual([undefined, []]);
});

it("hides no other job, and no other hides it", () => {
  const event = { ...when, session: "s-1", cwd: "/", attended: true } as HookEvent;
  const settings = { ...defaultSettings, context: { ...defaultSettings.context, guide: true } };
  for (const law of [
    [runTrim, runHandover],
    [runHandover, runTrim],
  ]) {
    const verdict = decide({ event, operation: undefined, facts: { ...ordinaryFacts, settings } }, law);
    expect(verdict).toMatchObject({ trim: true, handover: true });
  }
});
