import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { verdictOf } from "../describe-policy.ts";
import { exampleMode, using } from "../example.ts";
import { requirePersistent } from "./require-persistent.ts";
import { trackFailures } from "./track-failures.ts";

const inMode = boundSession({ modes: { persistent: exampleMode } });
const bash = (command: string) => ({ kind: "bash", name: "Bash", command, background: false }) as const;
const failing = (command: string, error = "Exit code 1\nError: port 80 in use (took 12ms)", more: object = {}) => ({
  ...using(bash(command), "PostToolUseFailure"),
  error,
  ...more,
});
const passing = (command: string) => using(bash(command), "PostToolUse");

/** The session after these ends, and what the agent was told at each. */
function sessionAfter(...ends: readonly Parameters<typeof verdictOf>[1][]): {
  session: Session;
  told: readonly string[];
} {
  return ends.reduce<{ session: Session; told: readonly string[] }>(
    ({ session, told }, when) => {
      const { changes, notes } = verdictOf(trackFailures, when, { session });
      const next = changes.reduce((one, change) => reduceSession(one, change, 1), session);
      return { session: next, told: [...told, notes[0]?.en ?? ""] };
    },
    { session: inMode, told: [] },
  );
}

describe("equal failures of a command in a mode", () => {
  it("MD-54 the third one tells the agent to find the cause, whatever ran in between", () => {
    const { told } = sessionAfter(
      failing("./deploy.sh"),
      passing("ls"),
      failing("./deploy.sh", "Exit code 1\nError: port 80 in use (took 98ms)"),
      failing("./other.sh"),
      failing("./deploy.sh"),
      failing("./deploy.sh"),
    );
    expect(told.map((words) => words !== "")).toEqual([false, false, false, false, true, false]);
    expect(told[4]).toContain("./deploy.sh: Error: port 80 in use");
  });

  it("MD-54 another error, a success in between, an interruption and a search without a find are not equal failures", () => {
    const command = "npm run e2e";
    const three = (...ends: readonly Parameters<typeof verdictOf>[1][]) => sessionAfter(...ends).told.join("");
    expect(three(failing(command), failing(command), failing(command, "Exit code 1\nError: other"))).toBe("");
    expect(three(failing(command), failing(command), passing(command), failing(command))).toBe("");
    expect(three(failing(command), failing(command), failing(command, undefined, { interrupted: true }))).toBe("");
    const { session } = sessionAfter(failing(command));
    expect(verdictOf(trackFailures, failing(command), { session: boundSession() }).changes).toEqual([]);
    const calls = { "call-1": { tool: "Bash", at: 0, background: false, answers: true as const } };
    const asked = failing("grep x y", "Exit code 1", { exitCode: 1 });
    expect(verdictOf(trackFailures, asked, { session: { ...session, calls } }).changes).toEqual([]);
  });

  it("MD-50 at the end of the turn the agent must name the cause once, and the mode goes on", () => {
    const { session } = sessionAfter(failing("./deploy.sh"), failing("./deploy.sh"), failing("./deploy.sh"));
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const first = verdictOf(requirePersistent, stop, { session });
    expect(first.objections[0]?.what.en).toContain("failed three times (./deploy.sh: Error: port 80 in use");
    const next = first.changes.reduce((one, change) => reduceSession(one, change, 2), session);
    expect(next.modes?.persistent).not.toHaveProperty("analysed");
    const second = verdictOf(requirePersistent, stop, { session: next });
    expect(second.objections[0]?.what.en).not.toContain("failed three times");
  });

  it("secrets are masked", () => {
    const { session } = sessionAfter(failing("deploy --token ghp_0123456789abcdefghijABCDEFGHIJ456789"));
    expect(JSON.stringify(session.modes)).not.toContain("ghp_0123");
  });
});
