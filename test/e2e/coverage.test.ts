/** The transcript compared with the gate, the canary, and the registration of earlier sessions. */
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectValid, noticeOf } from "./answer.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

const use = (id: string): string =>
  JSON.stringify({
    type: "assistant",
    timestamp: new Date().toISOString(),
    message: { content: [{ type: "tool_use", id, name: "Bash", input: {} }] },
  });
const result = (id: string, more: object = {}): string =>
  JSON.stringify({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "ok", ...more }] },
  });
const refused = { is_error: true, content: "<tool_use_error>Error: No such tool available: X</tool_use_error>" };

/** A session with a transcript that the test writes; the stage acts as the host. */
function withTranscript(stage: Stage) {
  const path = join(stage.root, "t.jsonl");
  const lines: string[] = [];
  const says = (...more: readonly string[]): void => {
    lines.push(...more);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  };
  const fields = { transcript_path: path };
  stage.send("SessionStart", { source: "startup", ...fields });
  stage.send("UserPromptSubmit", { prompt: "go", ...fields });
  return {
    path,
    says,
    stop: () => stage.send("Stop", { stop_hook_active: false, ...fields }),
    prompt: () => stage.send("UserPromptSubmit", { prompt: "on", ...fields }),
  };
}

describe("a call that bypassed the gate", () => {
  it("is shown once to the person, then to the agent, then in status and audit", () => {
    const stage = openStage();
    const { says, stop, prompt } = withTranscript(stage);
    stage.bash("ls", { tool_use_id: "toolu_seen" });
    says(use("toolu_seen"), result("toolu_seen"), use("toolu_wrong"), result("toolu_wrong", refused));
    expect(stop()).toMatchObject({ code: 0, stdout: "" });
    says(use("toolu_past"), result("toolu_past"));
    const stopped = stop();
    expectValid("Stop", stopped);
    expect(noticeOf(stopped)).toMatch(/1 tool use\(s\) ran without passing the checkpoint: Bash toolu_past\./);
    expect(prompt().stdout).toContain("additionalContext");
    expect(stop().stdout + prompt().stdout).toBe("");
    expect(stage.sekisho("status").stdout).toMatch(
      /transcript +1 tool uses met, 0 not yet\n +gap +1 ran past the gate/,
    );
    expect(stage.audit("--kind", "gap")).toMatchObject([
      { kind: "gap", reason: "1 ran past the gate: Bash toolu_past" },
    ]);
  });

  it("in a subagent is found in the subagent's own transcript", () => {
    const stage = openStage();
    const { path } = withTranscript(stage);
    const agent = { agent_id: "a1", agent_type: "helper", transcript_path: path };
    const own = join(stage.root, "a1.jsonl");
    stage.bash("ls", { tool_use_id: "toolu_a", ...agent });
    writeFileSync(own, [use("toolu_a"), result("toolu_a"), use("toolu_b"), result("toolu_b"), ""].join("\n"));
    const answer = stage.send("SubagentStop", { stop_hook_active: false, agent_transcript_path: own, ...agent });
    expectValid("SubagentStop", answer);
    expect(noticeOf(answer)).toContain("Bash toolu_b");
  });
});

describe("an invalid transcript", () => {
  it.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["an endless device", (path: string) => symlinkSync("/dev/zero", path)],
    ["40 MB without a line", (path: string) => writeFileSync(path, '"tool_'.repeat(7_000_000))],
    [
      "lines of nonsense",
      (path: string) => writeFileSync(path, '{"tool_use":[[[[\n\u0000"tool_result"\n'.repeat(50_000)),
    ],
  ])("%s delays neither Stop nor prompt", (_, make) => {
    const stage = openStage();
    const { path, stop, prompt } = withTranscript(stage);
    const msOfTurn = (): number => {
      const began = performance.now();
      for (const answer of [stop(), prompt(), stop()]) expect(answer).toMatchObject({ code: 0, stderr: "" });
      return performance.now() - began;
    };
    const ordinary = msOfTurn();
    make(path);
    expect(msOfTurn()).toBeLessThan(100 * ordinary);
  });
});

describe("the start of a session", () => {
  it("is silent after the canary was refused, and leaves no trace of it", () => {
    const { send, audit } = openStage();
    expect(send("SessionStart", { source: "startup" })).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(audit().map(({ event }) => event)).toEqual(["SessionStart"]);
  });

  const settings = ".claude/settings.local.json";
  const begin = ({ send }: Stage, session: string) => send("SessionStart", { source: "startup", session_id: session });
  const damage = (stage: Stage): void => {
    const { hooks, ...rest } = JSON.parse(stage.read(settings) ?? "{}") as { hooks: Record<string, unknown> };
    stage.write(settings, JSON.stringify({ ...rest, hooks: { ...hooks, PreToolUse: [] } }));
  };

  it("warns about hooks that an earlier session had, until a person restores them", () => {
    const stage = openStage();
    expect(begin(stage, "s1").stdout).toBe("");
    const whole = stage.read(settings) ?? "";
    damage(stage);
    for (const session of ["s2", "s3"]) {
      const answer = begin(stage, session);
      expectValid("SessionStart", answer);
      expect(noticeOf(answer)).toMatch(/settings\.local\.json is not what earlier sessions began with: .*PreToolUse/);
      expect(answer.stdout).toContain("additionalContext");
    }
    stage.write(settings, whole);
    expect(begin(stage, "s4").stdout).toBe("");
  });

  it.skipIf(forPeople.skip)(`does not warn after a person uninstalled and installed again${forPeople.why}`, () => {
    const stage = openStage();
    begin(stage, "s1");
    expect(stage.sekisho("uninstall").code).toBe(0);
    expect(begin(stage, "s2").stdout).toBe("");
    expect(stage.sekisho("init", "--yes").code).toBe(0);
    expect(begin(stage, "s3").stdout).toBe("");
    expect(stage.audit("--kind", "action").map(({ event }) => event)).toEqual(["uninstall", "init", "stance"]);
  });
});
