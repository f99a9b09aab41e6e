import { describe, expect, it } from "vitest";
import { newSession } from "../../state/session.ts";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, verdictOf } from "../describe-policy.ts";
import { remindSettings } from "./remind-settings.ts";

describePolicy(remindSettings);

const begins = { name: "SessionStart" as const, source: "startup" };
const problem = [{ key: "language", message: 'must be "auto"' }];

describe("settings that are not what they seem", () => {
  it("EH-6 are told to the person, once in a session, and never to the agent", () => {
    const verdict = verdictOf(remindSettings, begins, { settingsProblems: problem });
    expect(verdict.notices.map(({ en }) => en)).toEqual(['setting language must be "auto"']);
    expect(verdict.notes).toEqual([]);
    const shown = verdict.changes.flatMap((change) => (change.do === "show" ? [change.notice] : []));
    const session = { ...newSession(0), client: { pid: 7, started: "1" }, shown };
    expect(verdictOf(remindSettings, begins, { settingsProblems: problem, session }).notices).toEqual([]);
  });

  it("an opt-out and a policy that is off are named", () => {
    const settings = { ...defaultSettings, enabled: false, policies: { "no-destructive-command": "off" as const } };
    const words = verdictOf(remindSettings, begins, { settings })
      .notices.map(({ en }) => en)
      .join(" ");
    expect(words).toContain("opted out");
    expect(words).toContain("no-destructive-command");
  });

  it("a hostile key cannot draw on the terminal", () => {
    const hostile = [{ key: "\u001b[31mx", message: "y\nz" }];
    expect(verdictOf(remindSettings, begins, { settingsProblems: hostile }).notices[0]?.en).toBe("setting [31mx y z");
  });
});
