import { describe, expect, it } from "vitest";
import { marksOf } from "../access/tampering/registration.ts";
import { verdictOf } from "../describe-policy.ts";
import { remindOtherHooks } from "./remind-other-hooks.ts";

const path = "/home/dev/project/settings.json";
const now = {
  ...{ readable: true, hooks: ["PreToolUse"], disarms: [], strange: [] },
  runs: ['PreToolUse hook {"type":"command","command":"rewrite"}', 'Stop hook {"command":"bell"}'],
};
const begins = { name: "SessionStart", source: "startup" } as const;
const notices = (given: object): readonly string[] =>
  verdictOf(remindOtherHooks, begins, { hostSettings: [{ path, now, after: now }], ...given }).notices.map(
    ({ en }) => en,
  );

describe("another tool's hook before tools", () => {
  it("is told to the person when it is first seen, and not again", () => {
    expect(notices({})).toEqual([expect.stringContaining("another hook that runs before tools")]);
    expect(notices({ registration: { [path]: marksOf(now) } })).toEqual([]);
  });

  it("is told again when it has changed", () => {
    const before = { ...now, runs: ['PreToolUse hook {"type":"command","command":"other"}'] };
    expect(notices({ registration: { [path]: marksOf(before) } })).toHaveLength(1);
  });
});
