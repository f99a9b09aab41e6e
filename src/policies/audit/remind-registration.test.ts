import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import type { Registration } from "../../state/session/session.ts";
import { ordinaryFacts, PROJECT, verdictOf } from "../describe-policy.ts";
import { remindRegistration } from "./remind-registration.ts";

const begins = { name: "SessionStart" as const, source: "startup" };
const path = `${PROJECT}/.claude/settings.local.json`;
const registration: Registration = { [path]: ["PreToolUse", "ConfigChange"] };
const arming = { readable: true, hooks: ["PreToolUse", "ConfigChange"], disarms: [], strange: [], runs: [] };
const words = (now: object, known = registration): string => {
  const hostSettings = [{ path, now: { ...arming, ...now }, after: { ...arming, ...now } }];
  const { notices, notes } = verdictOf(remindRegistration, begins, { registration: known, hostSettings });
  expect(notes).toHaveLength(notices.length);
  return notices.map(({ en }) => en).join("\n");
};

describe("a session that begins with fewer hooks than earlier ones", () => {
  it.each([
    [{ hooks: ["ConfigChange"] }, /hooks of Sekisho's are gone or altered: PreToolUse/],
    [{ hooks: [] }, /PreToolUse, ConfigChange/],
    [{ readable: false, hooks: [] }, /cannot read it any more/],
    [{ disarms: ["env.HTTP_PROXY"] }, /come to disarm the hooks: env.HTTP_PROXY/],
  ])("%j is reported, with the command that fixes it", (now, expected) => {
    expect(words(now)).toMatch(expected);
    expect(words(now)).toContain("`sekisho init`");
  });

  it("reports a file that never had our hooks and now disarms them", () => {
    expect(words({ disarms: ["disableAllHooks"], hooks: [] }, { "/other.json": ["Stop"] })).toContain(
      "disableAllHooks",
    );
  });

  it("reports it once, and again in the next session", () => {
    const lost = { ...arming, hooks: [] };
    const given = { registration, hostSettings: [{ path, now: lost, after: lost }] };
    const { changes } = verdictOf(remindRegistration, begins, given);
    const shown = changes.flatMap((change) => (change.do === "show" ? [change.notice] : []));
    const session = boundSession({ shown });
    expect(verdictOf(remindRegistration, begins, { ...given, session }).notices).toEqual([]);
  });
});

describe("no message", () => {
  it.each([
    ["of a file that is whole", {}],
    ["of one that has more", { hooks: ["PreToolUse", "ConfigChange", "Stop"] }],
    ["of a key that people may well add", { strange: ["newKey: boolean"] }],
    ["of a flaw that was there before", { disarms: [] }],
  ])("%s", (_, now) => {
    expect(words(now)).toBe("");
  });

  it("in the first session, and after a person has set it up again", () => {
    expect(words({ hooks: [], disarms: ["env.HTTP_PROXY"] }, {})).toBe("");
  });

  it("for files that do not belong to this session", () => {
    const elsewhere = { "/home/dev/gone-worktree/.claude/settings.local.json": ["PreToolUse"] };
    expect(verdictOf(remindRegistration, begins, { ...ordinaryFacts, registration: elsewhere }).notices).toEqual([]);
  });
});
