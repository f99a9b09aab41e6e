/** Checks what happens to modes when a session ends and another begins, and that SessionEnd is answered in time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { FactName } from "../kernel/facts.ts";
import type { Known } from "../kernel/policy.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { policies } from "../policies/index.ts";
import { newSession } from "../state/session/session.ts";
import type { State } from "../state/state.ts";
import { memoryStore } from "../store/memory.ts";
import { orphansOf } from "../world/facts/orphans.ts";
import { hallWith, send } from "./example-hall.ts";

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
    "ST-11 reason %s: the modes stay with the session",
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
    "ST-11 a session that begins by %s does not take them, and its agent is told nothing",
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
      // After startup the person may have forgotten the mode; after clear they have not.
      expect(systemMessage.includes("persistent")).toBe(source === "startup");
      send(hall, "UserPromptSubmit", { session_id: "new", prompt: "hello" });
      const used = send(hall, "PreToolUse", { session_id: "new", tool_name: "Read", tool_input: { file_path: "/a" } });
      expect(used.stdout).toBe("");
      send(hall, "Stop", { session_id: "new" });
      expect([modesOf("old"), modesOf("new"), state().modes]).toEqual([before, undefined, undefined]);
    },
  );

  it("ST-11 only a session that continues the conversation can adopt them, and only after the old host has ended", () => {
    const { hall, state } = inModes();
    const scratch = tempDirectory("orphans");
    const transcript = join(scratch, "t.jsonl");
    writeFileSync(transcript, '{"sessionId":"old"}\n');
    const start = (source: string) =>
      orphansOf({ name: "SessionStart", session: "new", source, transcript } as HookEvent, state());
    expect(start("resume")).toEqual([]);
    send(hall, "SessionEnd", { session_id: "old", reason: "other" });
    expect(["startup", "clear", ""].map(start)).toEqual([[], [], []]);
    expect(start("resume")).toEqual(["old"]);
  });

  it("the end of a subagent does not advance a mode", () => {
    const { hall, modesOf } = inModes();
    const before = modesOf("old");
    for (const stop_hook_active of [false, true])
      send(hall, "SubagentStop", { session_id: "old", agent_id: "a", agent_type: "t", stop_hook_active });
    expect(modesOf("old")).toEqual(before);
  });
});

describe("HK-17 SessionEnd within 1.5 seconds", () => {
  /** Facts in memory or in a few small files: no program, directory walk or transcript. */
  const QUICK: readonly FactName[] = ["session", "places", "settings", "now", "caller", "castaway", "hostSettings"];
  const known: Known = {
    ...{ event: { name: "SessionEnd", session: "s-1" } as HookEvent, operation: undefined },
    ...{ settings: ordinaryFacts.settings, session: newSession(0), modes: {} },
  };

  it("HK-17 no policy needs a slow fact at SessionEnd", () => {
    const listening = policies.filter(({ on }) => on.includes("SessionEnd"));
    const slow = listening.flatMap(({ id, needs, needsIf }) =>
      needs
        .filter((fact) => !QUICK.includes(fact) && needsIf?.[fact]?.(known) !== false)
        .map((fact) => `${id} needs ${fact}`),
    );
    expect(listening.length).toBeGreaterThan(0);
    expect(slow).toEqual([]);
  });

  it("HK-17 with no time left SessionEnd is answered silently and the modes are unchanged", () => {
    const { hall, modesOf } = inModes();
    const before = modesOf("old");
    const answer = send({ ...hall, deadline: 0 }, "SessionEnd", { session_id: "old", reason: "other" });
    expect(answer).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(modesOf("old")).toEqual(before);
  });
});
