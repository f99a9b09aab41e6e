import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindPressure } from "./remind-pressure.ts";

/** A session whose changes carry over from one event to the next. */
function story() {
  let session: Session = boundSession();
  let now = 10;
  const hear = (when: { name: "UserPromptSubmit" | "SessionStart" }, given: object): string => {
    now += 10;
    const verdict = verdictOf(remindPressure, when, { session, ...given });
    session = verdict.changes.reduce((known, change) => reduceSession(known, change, now), session);
    return verdict.notes.map(({ en }) => en).join("\n");
  };
  return {
    now: () => now,
    prompt: (percent: number | null, at = now, settings = defaultSettings) =>
      hear(
        { name: "UserPromptSubmit", ...{ prompt: "go on" } },
        {
          contextUse: percent === null ? null : { percent, at },
          settings,
        },
      ),
    start: (source: string) => hear({ name: "SessionStart", ...{ source } }, {}),
    session: () => session,
  };
}

describe("GT-54 context usage", () => {
  it("is reported once at 60 %, once at 75 %, and not in between", () => {
    const { prompt } = story();
    expect(prompt(null)).toBe("");
    expect(prompt(59)).toBe("");
    expect(prompt(60)).toMatch(/60 % of the context is in use\. At the next good moment/);
    expect(prompt(61)).toBe("");
    expect(prompt(58)).toBe("");
    expect(prompt(60)).toBe("");
    expect(prompt(75)).toMatch(/75 % .* compaction is near/);
    for (const percent of [76, 70, 75, 99]) expect(prompt(percent)).toBe("");
  });

  it("is reported only as urgent when it jumps over the first level", () => {
    const { prompt } = story();
    expect(prompt(90)).toContain("compaction is near");
    expect(prompt(65)).toBe("");
  });

  it("is reported again after compaction, and measurements from before it do not count", () => {
    const { prompt, start, now } = story();
    prompt(80);
    const before = now();
    start("compact");
    expect(prompt(80, before)).toBe("");
    expect(prompt(20, now() + 5)).toBe("");
    expect(prompt(62, now() + 5)).toContain("62 %");
    expect(prompt(63, now() + 5)).toBe("");
  });

  it("is not reported again after a resume, which does not empty the context", () => {
    const { prompt, start } = story();
    prompt(80);
    start("resume");
    expect(prompt(80)).toBe("");
  });

  it("uses the levels from the settings", () => {
    const context = { ...defaultSettings.context, pressure_info: 30, pressure_urgent: 40 };
    const { prompt } = story();
    expect(prompt(30, 10, { ...defaultSettings, context })).toContain("30 %");
    expect(prompt(40, 10, { ...defaultSettings, context })).toContain("compaction is near");
  });

  it("is forgotten at the end of the session", () => {
    const { prompt, session } = story();
    prompt(80);
    expect(session().pressure).toMatchObject({ level: "urgent" });
    expect(reduceSession(session(), { record: "session", do: "end" }, 99).pressure).toBeUndefined();
  });
});
