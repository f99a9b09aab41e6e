import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hallWith, send } from "../../app/example-hall.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { memoryStore } from "../../store/memory.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { exampleMode, using } from "../example.ts";
import { trackInterruptions } from "./track-interruptions.ts";

const PAYLOADS = join(import.meta.dirname, "../../../test/payloads");
const failures = readdirSync(PAYLOADS).filter((file) => file.startsWith("StopFailure."));

const bound: Session = boundSession();
const session: Session = {
  ...bound,
  modes: { persistent: exampleMode, turbo: { ...exampleMode, with: "persistent" } },
};
const make = using({ kind: "bash", name: "Bash", command: "make", background: false }, "PostToolUseFailure");
const failed = (error: string) => ({ name: "StopFailure", error }) as const;
const heard = (when: Parameters<typeof verdictOf>[1], known = session, more = {}) => {
  const { decision, changes, notices, notes } = verdictOf(trackInterruptions, when, { session: known, ...more });
  expect([decision, notes]).toEqual(["pass", []]);
  return { changes, told: notices.map(({ en }) => en).join("\n") };
};
const quiet = { changes: [], told: "" };

describe("MD-69 errors of the model service", () => {
  it.each(failures)("MD-69 MD-51 %s pauses the modes of its session, as the host sends it", (file) => {
    const store = memoryStore();
    const hall = hallWith(store);
    const payload = JSON.parse(readFileSync(join(PAYLOADS, file), "utf8")) as Record<string, string>;
    const { session_id } = payload;
    send(hall, "SessionStart", { session_id, source: "startup" });
    const start = { record: "mode", do: "start", mode: "qa", by: "command", task: "t", max: 10 } as const;
    store.append({ kind: "action", action: "mode", session: session_id ?? "", changes: [start] }, 1_000);
    const modes = () => {
      const state = store.read();
      return "fault" in state ? undefined : state.sessions[session_id ?? ""]?.modes;
    };
    expect(modes()).toMatchObject({ qa: { count: 0 } });
    const { exitCode, stdout, stderr } = send(hall, "StopFailure", payload);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining(`Paused: qa (${payload["error"]})`) });
    expect(modes()).toMatchObject({ qa: { count: 0, paused: payload["error"] } });
    send(hall, "UserPromptSubmit", { session_id, prompt: "go on" });
    expect(modes()).toMatchObject({ qa: { count: 0 } });
    expect(modes()?.qa).not.toHaveProperty("paused");
  });

  it("MD-69 there is a payload for every error that the host is known to send", () => {
    const kinds = ["authentication_failed", "billing_error", "invalid_request", "max_output_tokens", "model_not_found"];
    const all = [...kinds, "rate_limit", "server_error"];
    expect(failures.map((file) => file.split(".")[1])).toEqual(all);
  });

  it("MD-69 an unknown error pauses too, and its text is short and harmless", () => {
    const pause = { record: "mode", do: "pause" };
    expect(heard(failed("")).changes).toEqual([{ ...pause, why: "error" }]);
    const [change] = heard(failed(`\u001b[31m${"x".repeat(9_000)}`)).changes;
    expect(change).toMatchObject(pause);
    expect(JSON.stringify(change).length).toBeLessThan(120);
    expect(JSON.stringify(change)).not.toContain("\\u001b");
  });

  it("without a mode, or with a paused or outdated one, there is no message and no change", () => {
    expect(heard(failed("rate_limit"), bound)).toEqual(quiet);
    const paused = reduceSession(session, { record: "mode", do: "pause", why: "rate_limit" }, 1_000);
    expect(heard(failed("rate_limit"), paused)).toEqual(quiet);
    expect(heard(failed("rate_limit"), session, { now: 10 * 86_400_000 })).toEqual(quiet);
  });
});

describe("MD-52 the person interrupts", () => {
  it("MD-52 an interrupted tool pauses the modes, since the host fires no Stop then", () => {
    const { changes, told } = heard({ ...make, interrupted: true });
    expect(changes).toEqual([{ record: "mode", do: "pause", why: "interrupted" }]);
    expect(told).toMatch(/^Paused: persistent, turbo \(interrupted\)\. .*next prompt.*`cancel`/);
  });

  it("MD-52 a tool that failed by itself does not pause, and neither does an interruption inside a subagent", () => {
    expect(heard({ ...make, interrupted: false })).toEqual(quiet);
    const agent = { id: "a-1", type: "reviewer" };
    expect(heard({ ...make, interrupted: true, agent })).toEqual(quiet);
    expect(heard({ ...failed("rate_limit"), agent })).toEqual(quiet);
  });

  it("an unknown fact blocks nothing", () => {
    for (const fact of ["session", "now"] as const) {
      const verdict = verdictOf(trackInterruptions, failed("rate_limit"), {
        ...ordinaryFacts,
        [fact]: { unknown: "x" },
      });
      expect(verdict.decision).toBe("pass");
    }
  });
});
