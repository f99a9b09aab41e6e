/** Which records are on the disk before the hook answers. A power cut must not take back what the host was told. */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { watchOrder } from "../write-order.ts";
import { type Answer, verdictOf } from "./answer.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

interface Watched {
  readonly stage: Stage;
  /** Sends an event and returns its answer, and its steps at the journal. */
  send(event: EventName, fields?: object): Answer & { readonly steps: readonly string[] };
  bash(command: string): Answer & { readonly steps: readonly string[] };
}

const COMMON = { session_id: "s1", permission_mode: "default" };

/** A session that has begun. */
function watched({ begun = true } = {}): Watched {
  const stage = openStage();
  const order = watchOrder(join(stage.root, "order.log"));
  let calls = 0;
  const send: Watched["send"] = (event, fields) => {
    order.clear();
    // The registered command drops NODE_OPTIONS, so the option is added to its words.
    const [name, ...args] = stage
      .command(event)
      .flatMap((word) => (word === program.node ? [word, "--require", order.preload] : [word])) as [
      string,
      ...string[],
    ];
    const input = JSON.stringify({ ...COMMON, cwd: stage.project, hook_event_name: event, ...fields });
    const env = { ...stage.env, ...order.env };
    const { status, stdout, stderr } = spawnSync(name, args, { cwd: stage.project, env, input, encoding: "utf8" });
    const steps = order.steps(realpathSync(stage.journal())).map(({ what }) => what);
    return { code: status, stdout, stderr, steps };
  };
  if (begun) stage.send("SessionStart", { source: "startup" });
  const bash: Watched["bash"] = (command) =>
    send("PreToolUse", { tool_name: "Bash", tool_input: { command }, tool_use_id: `call-${++calls}` });
  return { stage, send, bash };
}

/** The verdict is written, then flushed, and only then the answer is given. */
function expectFlushed(steps: readonly string[]): void {
  const about = steps.filter((step) => /^(write verdict|flush \d|answer)/.test(step));
  expect(about.slice(0, 3)).toEqual(["write verdict 1", "flush 1", "answer"]);
}

function expectNotFlushed(steps: readonly string[]): void {
  expect(steps).toContain("write verdict 1");
  expect(steps).toContain("answer");
  expect(steps.filter((step) => step.startsWith("flush"))).toEqual([]);
}

describe("the hook flushes before it answers", () => {
  it("a denial", () => {
    const { steps, ...answer } = watched().bash("git reset --hard");
    expect(verdictOf(answer)).toBe("deny");
    expectFlushed(steps);
  });

  it("a question", () => {
    const { steps, ...answer } = watched().bash("chmod 666 run.sh");
    expect(verdictOf(answer)).toBe("ask");
    expectFlushed(steps);
  });

  it.skipIf(forPeople.skip)(`a used grant${forPeople.why}`, () => {
    const { stage, bash } = watched();
    const [, id = ""] = /For the person: sekisho explain (\S+)/.exec(bash("git push --force").stderr) ?? [];
    expect(stage.sekisho("allow", id, "--once").code).toBe(0);
    const { steps, ...answer } = bash("git push --force");
    expect(verdictOf(answer)).toBe("pass");
    expectFlushed(steps);
  });

  it.each([
    ["SessionStart", { source: "startup" }],
    ["UserPromptSubmit", { prompt: "go on" }],
    ["Stop", { stop_hook_active: false }],
    ["SessionEnd", { reason: "other" }],
  ] as const)("%s", (event, fields) => {
    const { steps, code } = watched().send(event, fields);
    expect(code).toBe(0);
    expectFlushed(steps);
  });

  it("the name of a new journal, also for a pass", () => {
    const { steps } = watched({ begun: false }).bash("ls");
    expect(steps).toContain("create 1");
    expect(steps.indexOf("flush directory")).toBeGreaterThan(steps.indexOf("create 1"));
    expect(steps.indexOf("flush directory")).toBeLessThan(steps.indexOf("write verdict 1"));
  });
});

describe("the hook does not flush", () => {
  it.each(["ls", "touch made"])("an ordinary pass: %s", (command) => {
    const { steps, ...answer } = watched().bash(command);
    expect(verdictOf(answer)).toBe("pass");
    expectNotFlushed(steps);
  });

  it("an outcome", () => {
    const { send, bash } = watched();
    bash("ls");
    const { steps } = send("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "call-1",
      tool_response: { stdout: "", stderr: "" },
    });
    expectNotFlushed(steps);
  });
});
