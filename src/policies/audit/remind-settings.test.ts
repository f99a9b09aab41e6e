import { describe, expect, it } from "vitest";
import { settingsInForce } from "../../kernel/loosening.ts";
import { droppedOf, withDropped } from "../../state/dropped.ts";
import { boundSession, EXAMPLE_PROCESS } from "../../state/session/example-session.ts";
import { newSession, processName, reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
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
    const words = verdictOf(remindSettings, begins, { settings, writtenSettings: settings, session: newSession(0) })
      .notices.map(({ en }) => en)
      .join(" ");
    expect(words).toContain("opted out");
    expect(words).toContain("no-destructive-command");
  });

  /** The session after the policy has seen an event. */
  const sessionAfter = (
    session: Session,
    when: Parameters<typeof verdictOf>[1],
    written: Settings,
    caller = own,
  ): Session => {
    const settings = settingsInForce(written, when.name, session, caller.process);
    const { changes } = verdictOf(remindSettings, when, { settings, writtenSettings: written, session, caller });
    return changes.reduce((one, change) => reduceSession(one, change, 1), session);
  };
  const own = { process: EXAMPLE_PROCESS, isHost: true, insideAgent: false, heldElsewhere: false };
  const said = { name: "UserPromptSubmit" as const, prompt: "go on" };
  const strict = { ...defaultSettings, publish: { ...defaultSettings.publish, share: "deny" as const } };
  const loose = { ...defaultSettings, security: "developer" as const };
  const inForce = (written: Settings, session: Session, process = EXAMPLE_PROCESS): Settings =>
    settingsInForce(written, "PreToolUse", session, process);

  it("a setting stricter than the defaults stays in force when it is taken away, and the person is told", () => {
    const session = boundSession({ pins: [{ by: processName(EXAMPLE_PROCESS), values: {} }] });
    const tightened = sessionAfter(session, said, strict);
    const settings = inForce(defaultSettings, tightened);
    expect(settings.publish.share).toBe("deny");
    const { notices } = verdictOf(remindSettings, said, { settings, session: tightened });
    expect(notices[0]?.en).toContain("not in this session: publish.share: off");
    expect(inForce(defaultSettings, sessionAfter(tightened, said, defaultSettings)).publish.share).toBe("deny");
  });

  it("a setting made looser in a running session is reported, and counts from the next process on", () => {
    const session = boundSession({ pins: [{ by: processName(EXAMPLE_PROCESS), values: {} }] });
    const facts = { settings: defaultSettings, writtenSettings: loose, session };
    expect(verdictOf(remindSettings, said, facts).notices[0]?.en).toContain("security: developer");
    for (const event of [said, begins])
      expect(inForce(loose, sessionAfter(session, event, loose)).security).toBe("strict");
    const [process, caller] = [
      { pid: 8, started: "2" },
      { ...own, process: { pid: 8, started: "2" } },
    ];
    for (const before of [session, { ...session, endedAt: 1 }])
      expect(inForce(loose, sessionAfter(before, begins, loose, caller), process).security).toBe("developer");
  });

  it("looser settings don't count in a session that was pushed out of the state, and the person is told", () => {
    const name = processName(EXAMPLE_PROCESS);
    const dropped = droppedOf(withDropped(undefined, "s", [name]), "s") ?? "";
    const session: Session = { ...newSession(0), dropped };
    for (const event of ["SessionStart", "PreToolUse"] as const)
      expect(settingsInForce(loose, event, session, EXAMPLE_PROCESS).security).toBe(defaultSettings.security);
    const { notices } = verdictOf(remindSettings, said, {
      settings: defaultSettings,
      writtenSettings: loose,
      session,
      caller: own,
    });
    expect(notices.map(({ en }) => en).join()).toMatch(/pushed this one out.*not in this session: security: developer/);
    expect(sessionAfter(session, said, loose).pins).toBeUndefined();
    const another = { pid: EXAMPLE_PROCESS.pid + 1, started: "9" };
    expect(settingsInForce(loose, "SessionStart", session, another).security).toBe("developer");
  });

  it("a process that does not speak for the session pins nothing", () => {
    const caller = { ...own, process: { pid: 8, started: "2" }, insideAgent: true };
    expect(sessionAfter(boundSession(), begins, loose, caller).pins).toBeUndefined();
  });

  it("a hostile key cannot write control codes to the terminal", () => {
    const hostile = [{ key: "\u001b[31mx", message: "y\nz" }];
    expect(verdictOf(remindSettings, begins, { settingsProblems: hostile }).notices[0]?.en).toBe("setting [31mx y z");
  });
});
