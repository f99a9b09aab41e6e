import { describe, expect, it } from "vitest";
import { newSession, type Session } from "../state/session/session.ts";
import { type StatuslineInput, statusline } from "./statusline.ts";

const now = 1_000_000;
const session: Session = {
  ...newSession(now),
  verdicts: { pass: 12, ask: 0, deny: 2 },
  actors: {
    main: { type: "main", at: now - 3000, event: "PreToolUse" },
    a1: { type: "Explore", at: now - 62_000, event: "PostToolUse" },
    a2: { type: "Plan", at: now - 9000, event: "SubagentStop" },
  },
};
const input: StatuslineInput = {
  now,
  enabled: true,
  registered: 1,
  disarms: [],
  session,
  gatehouse: undefined,
  inForce: [],
  gaps: 0,
};

describe("the status line", () => {
  it.each<[string, Partial<StatuslineInput>, string]>([
    ["all is well", {}, "sekisho ✔ 12 passed 2 refused | main 3s PreToolUse, Explore 1m"],
    [
      "with the gatehouse",
      { gatehouse: "up" },
      "sekisho ✔ 12 passed 2 refused | main 3s PreToolUse, Explore 1m | gatehouse up",
    ],
    ["no hooks", { registered: 0 }, "sekisho ✖ NO HOOKS | 12 passed 2 refused | main 3s PreToolUse, Explore 1m"],
    [
      "hooks off",
      { disarms: ["disableAllHooks"], session: undefined },
      "sekisho ✖ HOOKS OFF: disableAllHooks | no hook seen in this session yet",
    ],
    [
      "a stranger",
      { gatehouse: "stranger", session: undefined },
      "sekisho ✖ GATEHOUSE STRANGER | no hook seen in this session yet",
    ],
    ["a gap", { gaps: 2 }, "sekisho ✖ 2 NOT SEEN | 12 passed 2 refused | main 3s PreToolUse, Explore 1m"],
    [
      "a pause",
      { inForce: ["paused 4m"] },
      "sekisho ! paused 4m | 12 passed 2 refused | main 3s PreToolUse, Explore 1m",
    ],
    ["never seen", { session: undefined }, "sekisho ! no hook seen in this session yet"],
    ["opted out", { enabled: false }, "sekisho - off in this project"],
  ])("%s", (_, fields, line) => {
    expect(statusline({ ...input, ...fields })).toBe(line);
  });

  it("stays short with many agents", () => {
    const actors = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `a${at}`,
        { type: `helper${at}`, at: now - at * 1000, event: "PreToolUse" },
      ]),
    );
    const line = statusline({ ...input, session: { ...session, actors } });
    expect(line).toMatch(/helper0 0s, helper1 1s, helper2 2s, \+37$/);
    expect(line.length).toBeLessThan(100);
  });
});
