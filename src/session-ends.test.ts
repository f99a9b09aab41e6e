/** What the end of a session, and the beginning of another, leave of its modes; and that the end keeps to its time. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hallWith, send } from "./example-hall.ts";
import type { HookEvent } from "./kernel/event.ts";
import type { FactName } from "./kernel/facts.ts";
import { policies } from "./policies/index.ts";
import type { State } from "./state/state.ts";
import { memoryStore } from "./store/memory.ts";
import { orphansOf } from "./world/orphans.ts";
import { scheduledPrompts } from "./world/scheduled-prompts.ts";

/** A session in two modes, one of them started by the other. */
function inModes() {
  const store = memoryStore();
  const hall = hallWith(store);
  send(hall, "SessionStart", { session_id: "old", source: "startup" });
  const start = { record: "mode", do: "start", by: "command", task: "finish it", max: 20 } as const;
  const changes = [
    { ...start, mode: "persistent" as const },
    { ...start, mode: "turbo" as const, with: "persistent" as const },
  ];
  store.append({ kind: "action", action: "mode", session: "old", changes }, 1_000);
  const state = (): State => {
    const read = store.read();
    if ("fault" in read) throw new Error(read.fault);
    return read;
  };
  const modesOf = (session: string) => state().sessions[session]?.modes;
  expect(Object.keys(modesOf("old") ?? {})).toEqual(["persistent", "turbo"]);
  return { hall, state, modesOf };
}

describe("ST-11 modes of a session that ends", () => {
  it.each(["clear", "resume", "logout", "prompt_input_exit", "other"])(
    "ST-11 reason %s: they stay with it",
    (reason) => {
      const { hall, state, modesOf } = inModes();
      const before = modesOf("old");
      send(hall, "SessionEnd", { session_id: "old", reason });
      expect(state().sessions["old"]).toHaveProperty("endedAt");
      expect(modesOf("old")).toEqual(before);
      expect(state().modes).toBeUndefined();
    },
  );

  it.each(["startup", "clear"])(
    "ST-11 a session that begins by %s leaves them, and its agent hears nothing",
    (source) => {
      const { hall, state, modesOf } = inModes();
      const before = modesOf("old");
      send(hall, "SessionEnd", { session_id: "old", reason: source === "clear" ? "clear" : "other" });
      const said = send(hall, "SessionStart", { session_id: "new", source });
      const { systemMessage = "", ...forAgent } = JSON.parse(said.stdout || "{}") as {
        readonly systemMessage?: string;
      };
      expect([said.exitCode, JSON.stringify(forAgent)]).toEqual([
        0,
        expect.not.stringMatching(/persistent|turbo|finish it/i),
      ]);
      // The person may have closed the terminal and forgotten; who clears the conversation has not.
      expect(systemMessage.includes("persistent")).toBe(source === "startup");
      send(hall, "UserPromptSubmit", { session_id: "new", prompt: "hello" });
      const used = send(hall, "PreToolUse", { session_id: "new", tool_name: "Read", tool_input: { file_path: "/a" } });
      expect(used.stdout).toBe("");
      send(hall, "Stop", { session_id: "new" });
      expect([modesOf("old"), modesOf("new"), state().modes]).toEqual([before, undefined, undefined]);
    },
  );

  it("ST-11 only one that goes on with the conversation could take them up, and only when its client is gone", () => {
    const { hall, state } = inModes();
    const scratch = mkdtempSync(join(tmpdir(), "sekisho-orphans-"));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const transcript = join(scratch, "t.jsonl");
    writeFileSync(transcript, '{"sessionId":"old"}\n');
    const start = (source: string) =>
      orphansOf({ name: "SessionStart", session: "new", source, transcript } as HookEvent, state());
    expect(start("resume")).toEqual([]);
    send(hall, "SessionEnd", { session_id: "old", reason: "other" });
    expect(["startup", "clear", ""].map(start)).toEqual([[], [], []]);
    expect(start("resume")).toEqual(["old"]);
  });

  it("the end of a subagent advances no mode", () => {
    const { hall, modesOf } = inModes();
    const before = modesOf("old");
    for (const stop_hook_active of [false, true])
      send(hall, "SubagentStop", { session_id: "old", agent_id: "a", agent_type: "t", stop_hook_active });
    expect(modesOf("old")).toEqual(before);
  });
});

describe("HK-17 SessionEnd within its second and a half", () => {
  /** At hand, or a few small files: nothing that starts a program, walks a tree or reads a transcript. */
  const QUICK: readonly FactName[] = [
    ...(["session", "places", "settings", "now", "caller", "castaway", "hostSettings"] as const),
    // One small file, and only at a prompt: see below.
    "scheduled",
  ];

  it("HK-17 nobody asks for a fact then that takes long", () => {
    const listening = policies.filter(({ on }) => on.includes("SessionEnd"));
    const slow = listening.flatMap(({ id, needs }) =>
      needs.filter((fact) => !QUICK.includes(fact)).map((fact) => `${id} needs ${fact}`),
    );
    expect(listening.length).toBeGreaterThan(0);
    expect(slow).toEqual([]);
  });

  it("HK-17 the file of prompts to come is not opened then", () => {
    const scratch = mkdtempSync(join(tmpdir(), "sekisho-scheduled-"));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    mkdirSync(join(scratch, ".claude"));
    writeFileSync(join(scratch, ".claude/scheduled_tasks.json"), '{"tasks":[{"prompt":"go on"}]}');
    const at = (name: string) => scheduledPrompts({ name } as HookEvent, { env: {}, project: scratch });
    expect(["SessionEnd", "Stop", "SessionStart"].map(at)).toEqual([[], [], []]);
    expect(at("UserPromptSubmit")).toEqual(["go on"]);
  });

  it("HK-17 without any time left it is answered in silence, and the modes are as they were", () => {
    const { hall, modesOf } = inModes();
    const before = modesOf("old");
    const answer = send({ ...hall, deadline: 0 }, "SessionEnd", { session_id: "old", reason: "other" });
    expect(answer).toEqual({ exitCode: 0, stdout: "", stderr: "", injected: 0 });
    expect(modesOf("old")).toEqual(before);
  });
});
