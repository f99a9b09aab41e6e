/** The rules that all hooks of a session's life share: which events there are, what our failure means, whose project it is. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hallWith, send } from "./example-hall.ts";
import { slots } from "./hosts/claude-code/hooks.ts";
import type { EventName } from "./kernel/event.ts";
import type { Policy } from "./kernel/policy.ts";
import { text } from "./kernel/text.ts";
import { ordinaryFacts } from "./policies/describe-policy.ts";
import { registeredEvents } from "./policies/index.ts";
import { memoryStore } from "./store/memory.ts";
import { placesOf } from "./world/places.ts";

const LIFE = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SubagentStop",
  "PreCompact",
] as const satisfies readonly EventName[];

it("MD-1 every event of a session's life has a hook of ours, with a time-out of its own", () => {
  const found = slots(registeredEvents, { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs" });
  const seconds = (name: EventName) => found.find(({ event }) => event === name)?.hook.timeout;
  expect(LIFE.filter((name) => seconds(name) === undefined)).toEqual([]);
  expect([seconds("SessionStart"), seconds("Stop"), seconds("SubagentStop")]).toEqual([10, 15, 15]);
  expect(seconds("StopFailure")).toBe(10);
});

describe("MD-2 a failure of ours", () => {
  const failing: Policy = {
    id: "no-x",
    on: LIFE,
    needs: [],
    why: text("w", "言"),
    examples: [],
    bound: 5,
    check: () => {
      throw new Error("boom");
    },
  };
  const tool = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t" });

  it.each(LIFE.filter((name) => name !== "PreToolUse"))(
    "MD-2 blocks nothing at %s; it is told in the journal and not on stderr, where the client would show it",
    (name) => {
      const store = memoryStore();
      const answer = send(hallWith(store, { policies: [failing] }), name, { ...tool("make"), prompt: "go" });
      expect(answer).toEqual({ exitCode: 0, stdout: "", stderr: "", injected: 0 });
      expect([...store.records()].at(-1)).toMatchObject({ kind: "fault", event: name, message: "boom" });
    },
  );

  it("MD-2 is superseded at the gate by our failure law: what could change something is held, reading goes on", () => {
    const hall = hallWith(memoryStore(), { policies: [failing] });
    expect(send(hall, "PreToolUse", tool("make")).exitCode).toBe(2);
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" } }).exitCode).toBe(0);
  });
});

describe("MD-4 one resolver for the project", () => {
  it("MD-4 the project variable, then cwd; with neither the home, and never the directory of our process", () => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-resolver-")));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const [variable, cwd] = [join(scratch, "variable"), join(scratch, "cwd")];
    const projectOf = (more: object, directory: string) => placesOf({ HOME: scratch, ...more }, directory, []).project;
    expect(projectOf({ CLAUDE_PROJECT_DIR: variable }, cwd)).toBe(variable);
    expect(projectOf({}, cwd)).toBe(cwd);
    expect(projectOf({ CLAUDE_PROJECT_DIR: "" }, cwd)).toBe(cwd);
    expect(projectOf({}, "")).toBe(scratch);
  });

  it("MD-4 every event goes through it with its cwd, and a field `directory` is nobody's", () => {
    const asked: string[] = [];
    const placed = (cwd: string) => {
      asked.push(cwd);
      return ordinaryFacts.places;
    };
    const hall = hallWith(memoryStore(), { placesOf: placed });
    const fields = { tool_name: "Read", tool_input: { file_path: "/a" }, prompt: "go", source: "startup" };
    for (const name of registeredEvents) send(hall, name, { ...fields, cwd: "/here", directory: "/elsewhere" });
    expect(asked).toEqual(registeredEvents.map(() => "/here"));
  });
});
