import { describe, expect, it } from "vitest";
import { newSession, reduceSession, type Session } from "../../state/session.ts";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { remindPressure } from "./remind-pressure.ts";

/** A session that goes on: what is told at each event is remembered at the next. */
function story() {
  let session: Session = { ...newSession(0), client: { pid: 7, started: "1" } };
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

describePolicy(remindPressure);

describe("GT-54 how full the context is", () => {
  it("is told once at 60 %, once at 75 %, and not in between", () => {
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

  it("who jumps over the first level hears the second only", () => {
    const { prompt } = story();
    expect(prompt(90)).toContain("compaction is near");
    expect(prompt(65)).toBe("");
  });

  it("after compaction it is told anew, and what was measured before it does not count", () => {
    const { prompt, start, now } = story();
    prompt(80);
    const before = now();
    start("compact");
    expect(prompt(80, before)).toBe("");
    expect(prompt(20, now() + 5)).toBe("");
    expect(prompt(62, now() + 5)).toContain("62 %");
    expect(prompt(63, now() + 5)).toBe("");
  });

  it("a session that only goes on is not emptied", () => {
    const { prompt, start } = story();
    prompt(80);
    start("resume");
    expect(prompt(80)).toBe("");
  });

  it("the levels can be set", () => {
    const context = { ...defaultSettings.context, pressure_info: 30, pressure_urgent: 40 };
    const { prompt } = story();
    expect(prompt(30, 10, { ...defaultSettings, context })).toContain("30 %");
    expect(prompt(40, 10, { ...defaultSettings, context })).toContain("compaction is near");
  });

  it("an end forgets it", () => {
    const { prompt, session } = story();
    prompt(80);
    expect(session().pressure).toMatchObject({ level: "urgent" });
    expect(reduceSession(session(), { record: "session", do: "end" }, 99).pressure).toBeUndefined();
  });
});
