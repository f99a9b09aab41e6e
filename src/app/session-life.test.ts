/**
 * Rules shared by all session lifecycle hooks: the events, the effect of our own failure, and the project directory.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { HOST, hosts, registrations } from "../hosts/index.ts";
import type { EventName } from "../kernel/event.ts";
import type { Policy } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { registeredEvents } from "../policies/index.ts";
import { memoryStore } from "../store/memory.ts";
import { placesOf } from "../world/machine/places.ts";
import { hallWith, send } from "./example-hall.ts";

const LIFE = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SubagentStop",
  "PreCompact",
] as const satisfies readonly EventName[];

it("MD-1 every lifecycle event has a hook with its own timeout", () => {
  const found = registrations[HOST].slots(registeredEvents, {
    node: "/usr/bin/node",
    bundle: "/opt/sekisho/dist/sekisho.cjs",
  });
  const seconds = (name: EventName) => found.find(({ event }) => event === name)?.hook.timeout;
  expect(LIFE.filter((name) => seconds(name) === undefined)).toEqual([]);
  expect([seconds("SessionStart"), seconds("Stop"), seconds("SubagentStop")]).toEqual([10, 15, 15]);
  expect(seconds("StopFailure")).toBe(10);
});

describe("MD-2 a failure of Sekisho", () => {
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
    "MD-2 blocks nothing at %s; it is recorded in the journal and not written to stderr, which the host would show",
    (name) => {
      const store = memoryStore();
      const answer = send(hallWith(store, { policiesOn: () => [failing] }), name, { ...tool("make"), prompt: "go" });
      expect(answer).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect([...store.records()].at(-1)).toMatchObject({ kind: "fault", event: name, message: "boom" });
    },
  );

  it("MD-2 at PreToolUse the fault rule applies instead: changes are denied, reads pass", () => {
    const hall = hallWith(memoryStore(), { policiesOn: () => [failing] });
    expect(send(hall, "PreToolUse", tool("make")).exitCode).toBe(2);
    expect(send(hall, "PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" } }).exitCode).toBe(0);
  });
});

describe("MD-4 one resolver for the project", () => {
  it("MD-4 uses the project variable, then cwd, then the home directory, and never the working directory of the process", () => {
    const scratch = tempDirectory("resolver");
    const [variable, cwd] = [join(scratch, "variable"), join(scratch, "cwd")];
    const projectOf = (more: object, directory: string) =>
      placesOf(hosts[HOST].layout, { HOME: scratch, ...more }, directory, []).project;
    expect(projectOf({ CLAUDE_PROJECT_DIR: variable }, cwd)).toBe(variable);
    expect(projectOf({}, cwd)).toBe(cwd);
    expect(projectOf({ CLAUDE_PROJECT_DIR: "" }, cwd)).toBe(cwd);
    expect(projectOf({}, "")).toBe(scratch);
  });

  it("MD-4 every event resolves the project by its cwd, and a `directory` field is ignored", () => {
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
