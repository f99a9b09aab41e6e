import { expect, it } from "vitest";
import { decide } from "../../kernel/decide.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { runHandover } from "./run-handover.ts";
import { runTrim } from "./run-trim.ts";

const when = { name: "PreCompact", trigger: "auto", transcript: "" } as const;

it("MD-51 MD-90 requests the handover, and records the time of the compaction", () => {
  expect(verdictOf(runHandover, when)).toMatchObject({
    jobs: [{ job: "handover" }],
    changes: [{ record: "session", do: "compact" }],
    notes: [],
  });
});

it("neither for a subagent nor for a process that imitates the host", () => {
  expect(verdictOf(runHandover, { ...when, agent: { id: "a", type: "helper" } }).jobs).toBeUndefined();
  const caller = { process: { pid: 9, started: "2" }, isHost: false, insideAgent: true, heldElsewhere: true };
  const verdict = verdictOf(runHandover, when, { caller });
  expect([verdict.jobs, verdict.changes]).toEqual([undefined, []]);
});

it("works together with other jobs, in any order", () => {
  const event = { ...when, session: "s-1", cwd: "/", attended: true } as HookEvent;
  const settings = { ...defaultSettings, context: { ...defaultSettings.context, guide: true } };
  for (const law of [
    [runTrim, runHandover],
    [runHandover, runTrim],
  ]) {
    const { jobs = [] } = decide({ event, operation: undefined, facts: { ...ordinaryFacts, settings } }, law);
    expect(jobs.map(({ job }) => job).sort()).toEqual(["handover", "trim"]);
  }
});
