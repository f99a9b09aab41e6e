import { describe, expect, it } from "vitest";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { PLACE, using } from "../example.ts";
import { askedBefore, having, resultOf } from "./example-work.ts";
import { remindChecks } from "./remind-checks.ts";

const edited = { ...using({ kind: "write", name: "Write", path: `${PLACE}/src/a.ts`, content: "" }, "PostToolUse") };
const verdict = (session: Session, settings: Settings = defaultSettings, more: object = {}) =>
  verdictOf(remindChecks, { ...edited, ...more }, { session, settings });
const isReminded = (...given: Parameters<typeof verdict>): boolean => verdict(...given).notes.length > 0;

describe("a check that was asked for and did not run", () => {
  it("is asked for once more, by a word after the first change of a later turn", () => {
    const { notes, changes } = verdict(askedBefore);
    expect(notes[0]?.en).toContain("without a passed test");
    const told = changes.reduce((next, change) => reduceSession(next, change, 1_300), askedBefore);
    expect(isReminded(told)).toBe(false);
  });

  it("is not while the turn that was refused goes on", () => {
    const { settled: _, ...work } = askedBefore.work?.[PLACE] ?? { base: "", touchedAt: 0, paths: [] };
    expect(isReminded({ ...askedBefore, work: { [PLACE]: work } })).toBe(false);
  });

  it("is not after it ran, whatever came of it", () => {
    const { checks = {} } = having(resultOf("failed", { endedAt: 1_150 }));
    expect(isReminded({ ...askedBefore, checks })).toBe(false);
  });

  it("is not for a change of something else, by a subagent, or if it failed", () => {
    const { work: _, ...call } = askedBefore.calls["call-1"] ?? { tool: "Bash", at: 0, background: false };
    expect(isReminded({ ...askedBefore, calls: { "call-1": call } })).toBe(false);
    expect(isReminded(askedBefore, defaultSettings, { agent: { id: "a", type: "helper" } })).toBe(false);
    expect(isReminded(askedBefore, defaultSettings, { failed: true })).toBe(false);
  });

  it("is refused again where the setting is `block`, so nobody is reminded", () => {
    const blocking: Settings = { ...defaultSettings, verify: { ...defaultSettings.verify, stop: "block" } };
    expect(isReminded(askedBefore, blocking)).toBe(false);
  });
});
