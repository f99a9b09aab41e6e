import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import type { OpenCall } from "../../state/session/calls.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { newSession } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { newTrust, newTrustLedger } from "../../state/trust.ts";
import { verdictOf } from "../describe-policy.ts";
import { using } from "../example.ts";
import { remindFailures } from "./remind-failures.ts";

const make = { kind: "bash", name: "Bash", command: "make", background: false } as const;
const failed = { ...using(make, "PostToolUseFailure"), error: "Exit code 2", exitCode: 2, interrupted: false };

/** A session with this many counted failures in a row and one open call. */
function having(failures: number, call: Partial<OpenCall> = {}, score = 0.3): Gathered {
  const open = { tool: "Bash", at: 0, background: false, domain: "shell_exec", ...call };
  const shell_exec = { ...newTrust(score, 0), consecutiveFailures: failures };
  return {
    session: boundSession({ calls: { "call-1": open } }),
    trust: { ...newTrustLedger, domains: { shell_exec } },
  };
}

const notes = (given: Gathered, more: object = {}) =>
  verdictOf(remindFailures, { ...failed, ...more }, given).notes.map(({ en }) => en);

describe("TR-113 failures in a row", () => {
  it("TR-113 are reported to the agent and the person at the third, and at every third after it", () => {
    expect([0, 1, 2, 3, 4, 5].map((before) => notes(having(before)).length)).toEqual([0, 0, 1, 0, 0, 1]);
    const verdict = verdictOf(remindFailures, failed, having(2));
    expect(verdict.notices.map(({ en }) => en)).toEqual([
      "3 failures in a row in shell_exec; recommended model: opus (architect).",
    ]);
    expect(verdict.notes[0]?.ja).toContain("3 回連続の失敗");
  });

  it("TR-113 TR-71 the recommended model is one step above the usual one", () => {
    expect(notes(having(2, {}, 0.9))[0]).toContain("a subagent on opus (architect)");
    expect(notes(having(2, {}, 0.9))[0]).toContain("3 failures in a row in shell_exec");
  });

  it("are reported to the supervisor once in a row, and only by an agent that has one", () => {
    const reports = (failures: number, actor: string | undefined, preset: "lead" | "off" = "lead") => {
      const given = having(failures);
      const calls = { "call-1": { tool: "Bash", at: 0, background: false, domain: "shell_exec" } };
      const session = boundSession({ calls, ...(actor !== undefined && { actor }) });
      const settings = { ...defaultSettings, roles: { preset, own: [] } };
      const { jobs = [] } = verdictOf(remindFailures, failed, { ...given, session, settings });
      return jobs.flatMap((job) => (job.job === "mail" ? job.records : []));
    };
    expect([0, 1, 2, 3, 4, 5].map((before) => reports(before, "worker1").length)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(reports(2, "worker1")).toMatchObject([
      { to: "lead", from: "worker1", note: true, subject: "worker1 failed 3 times in a row in shell_exec" },
    ]);
    expect([reports(2, "lead"), reports(2, undefined), reports(2, "worker1", "off")]).toEqual([[], [], []]);
  });

  it("interruptions and negative answers are not counted as failures", () => {
    expect(notes(having(2), { interrupted: true })).toEqual([]);
    expect(notes(having(2), { failed: false })).toEqual([]);
    expect(notes(having(2, { answers: true }), { exitCode: 1 })).toEqual([]);
    expect(notes(having(2, { answers: true }), { exitCode: 2 })).toHaveLength(1);
    // The call is not open, so its end was counted before.
    expect(notes({ ...having(2), session: newSession(0) })).toEqual([]);
  });
});
