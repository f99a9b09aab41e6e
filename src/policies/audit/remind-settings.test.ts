import { describe, expect, it } from "vitest";
import { settingsInForce } from "../../kernel/loosening.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindSettings } from "./remind-settings.ts";

const begins = { name: "SessionStart" as const, source: "startup" };
const problem = [{ key: "language", message: 'must be "auto"' }];

describe("settings with an unexpected effect", () => {
  it("EH-6 problems are reported to the person once per session, and never to the agent", () => {
    const verdict = verdictOf(remindSettings, begins, { settingsProblems: problem });
    expect(verdict.notices.map(({ en }) => en)).toEqual(['setting language must be "auto"']);
    expect(verdict.notes).toEqual([]);
    const shown = verdict.changes.flatMap((change) => (change.do === "show" ? [change.notice] : []));
    const session = boundSession({ shown });
    expect(verdictOf(remindSettings, begins, { settingsProblems: problem, session }).notices).toEqual([]);
  });

  it("an opt-out and a disabled policy are named", () => {
    const settings = { ...defaultSettings, enabled: false, policies: { "no-destructive-command": "off" as const } };
    const words = verdictOf(remindSettings, begins, { settings })
      .notices.map(({ en }) => en)
      .join(" ");
    expect(words).toContain("opted out");
    expect(words).toContain("no-destructive-command");
  });

  it("a setting stricter than the defaults stays in force until the person is told that it is gone", () => {
    const strict = { ...defaultSettings, publish: { ...defaultSettings.publish, share: "deny" as const } };
    const bound = boundSession();
    const first = verdictOf(remindSettings, begins, { settings: strict, session: bound });
    expect(first.notices).toEqual([]);
    const session = first.changes.reduce((before, change) => reduceSession(before, change, 1), bound as Session);
    expect(settingsInForce(defaultSettings, "PreToolUse", session).publish.share).toBe("deny");
    const next = verdictOf(remindSettings, { name: "UserPromptSubmit", prompt: "go on" }, { session });
    expect(next.notices.map(({ en }) => en)).toEqual(["no longer set here: publish.share: deny."]);
    const after = next.changes.reduce((before, change) => reduceSession(before, change, 2), session);
    expect(settingsInForce(defaultSettings, "PreToolUse", after).publish.share).toBe("off");
  });

  it("a setting looser than the defaults is reported, and takes effect after that", () => {
    const settings = { ...defaultSettings, security: "developer" as const };
    const bound: Session = boundSession();
    expect(settingsInForce(settings, "PreToolUse", bound).security).toBe("strict");
    const prompt = { name: "UserPromptSubmit" as const, prompt: "go on" };
    const { notices, changes } = verdictOf(remindSettings, prompt, { settings, session: bound });
    expect(notices[0]?.en).toContain("security: developer");
    const session = changes.reduce((before, change) => reduceSession(before, change, 1), bound);
    expect(settingsInForce(settings, "PreToolUse", session).security).toBe("developer");
  });

  it.each([
    ["its own process, after compaction or by a forged event", 0, "strict"],
    ["a new process of the host", 1, "developer"],
  ] as const)("a looser setting at a SessionStart of %s", (_, offset, inForce) => {
    const settings = { ...defaultSettings, security: "developer" as const };
    const bound: Session = boundSession();
    const process = { pid: (bound.client?.pid ?? 0) + offset, started: bound.client?.started ?? "" };
    const caller = { process, isHost: true, insideAgent: false, heldElsewhere: false };
    for (const before of [bound, { ...bound, endedAt: 1 }]) {
      const { notices, changes } = verdictOf(remindSettings, begins, { settings, session: before, caller });
      expect(notices[0]?.en).toContain("security: developer");
      const session = changes.reduce((one, change) => reduceSession(one, change, 1), before);
      expect(settingsInForce(settings, "PreToolUse", session).security).toBe(inForce);
    }
  });

  it("a hostile key cannot write control codes to the terminal", () => {
    const hostile = [{ key: "\u001b[31mx", message: "y\nz" }];
    expect(verdictOf(remindSettings, begins, { settingsProblems: hostile }).notices[0]?.en).toBe("setting [31mx y z");
  });
});
