/** Events without a session id, and a machine without any state of ours: what still holds, and what is a default. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { PROJECT } from "../policies/describe-policy.ts";
import { policies } from "../policies/index.ts";
import type { EvidenceRule } from "../state/settings/evidence-rules.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { openJournal } from "../store/journal/archive.ts";
import { memoryStore } from "../store/memory.ts";
import { type ExampleHall, hallWith, send } from "./example-hall.ts";

/** A gate that needs the session: somebody must have approved this in it. */
const approval: EvidenceRule = {
  name: "mine",
  when: { event: "PreToolUse", globs: ["src/**"] },
  need: { evidence: "approval", of: "mine", freshness: "session" },
  else: "deny",
};

const gated: Settings = { ...defaultSettings, gates: { ...defaultSettings.gates, rules: [approval] } };
const withAllOff: Settings = {
  ...defaultSettings,
  policies: Object.fromEntries(policies.map(({ id }) => [id, "off" as const])),
};
const under = (settings: Settings): Partial<ExampleHall> => ({
  settingsOf: () => ({ settings, problems: [], custom: settings === defaultSettings ? [] : ["gates.rules"] }),
});

const CODE = { tool_name: "Write", tool_input: { file_path: `${PROJECT}/src/a.ts`, content: "x" } };
const READING = { tool_name: "Read", tool_input: { file_path: `${PROJECT}/src/a.ts` } };
const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
const at = (hall: ExampleHall, use: object, session_id: unknown) =>
  send(hall, "PreToolUse", { ...use, session_id, tool_use_id: "c" });

describe.each([
  ["missing", undefined],
  ["empty", ""],
  ["no text", 7],
  ["a path", "../x"],
])("EH-3 a session id that is %s", (_, id) => {
  it.each([
    ["a gate that needs the session", gated],
    ["the defaults", defaultSettings],
    ["everything switched off", withAllOff],
  ])("EH-3 under %s a change is refused and the reason given; reading and steering pass", (_name, settings) => {
    const hall = hallWith(memoryStore(), under(settings));
    for (const use of [CODE, bash("npm test"), { tool_name: "mcp__a__b", tool_input: {} }])
      expect(at(hall, use, id)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("session_id") });
    expect(at(hall, bash("ls"), id).exitCode).toBe(0);
    expect(at(hall, READING, id).exitCode).toBe(0);
    expect(at(hall, { tool_name: "Skill", tool_input: { skill: "mine" } }, id).exitCode).toBe(0);
  });

  it("EH-3 an approval given under no session id opens nothing", () => {
    const store = memoryStore();
    const hall = hallWith(store, under(gated));
    const changes = [{ record: "proof", do: "approve", name: "mine" }] as const;
    for (const session of ["unknown", "s-1"])
      store.append({ kind: "action", action: "approve", session, changes }, 1_000);
    expect(at(hall, CODE, id).exitCode).toBe(2);
    expect(at(hall, CODE, "s-1").exitCode).toBe(0);
  });

  it("EH-3 danger and tampering are judged as in any session", () => {
    const store = memoryStore();
    const hall = hallWith(store);
    expect(at(hall, bash("rm -rf /"), id)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("delete") });
    expect(at(hall, bash("sekisho uninstall"), id).exitCode).toBe(2);
    expect(at(hall, bash("ls"), id).exitCode).toBe(0);
    const records = [...store.records()].flatMap((record) => (record.kind === "verdict" ? [record] : []));
    expect(records.map(({ session }) => session)).toEqual(["unknown", "unknown", "unknown"]);
  });
});

describe("EH-4 state that is not there", () => {
  function onDisk(settings: Settings = defaultSettings) {
    const root = tempDirectory("stateless");
    const directory = join(root, "not", "there", "yet");
    const hall = (): ExampleHall => hallWith(openJournal({ directory }), under(settings));
    return {
      hall,
      lose: () => rmSync(join(root, "not"), { recursive: true }),
      store: () => openJournal({ directory }),
    };
  }

  /** Nothing is remembered: no mode, no stance set, the first score. */
  function expectDefaults(hall: ExampleHall): void {
    expect(at(hall, bash("ls"), "s-1")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(at(hall, CODE, "s-1")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(at(hall, bash("rm -rf /"), "s-1").exitCode).toBe(2);
    expect(send(hall, "Stop")).toMatchObject({ exitCode: 0, stdout: "" });
  }

  it("EH-4 means the defaults: ordinary work passes, danger is refused, nothing holds the turn", () => {
    const { hall, store } = onDisk();
    expectDefaults(hall());
    const weighed = [...store().records()].flatMap((record) =>
      record.kind === "verdict" ? (record.weighed ?? []) : [],
    );
    expect(weighed[0]).toMatchObject({ score: 0.3, stance: "building" });
  });

  it("EH-4 lost in the middle of a session means the defaults again, and no mode goes on", () => {
    const { hall, lose } = onDisk();
    send(hall(), "SessionStart", { source: "startup" });
    send(hall(), "UserPromptSubmit", { prompt: "/persistent finish it" });
    expect(send(hall(), "Stop").stdout).toContain("Persistent mode");
    lose();
    expectDefaults(hall());
  });

  it("EH-4 where a gate is switched on, missing evidence refuses", () => {
    const { hall } = onDisk(gated);
    expect(at(hall(), CODE, "s-1")).toMatchObject({ exitCode: 2 });
    expect(at(hall(), READING, "s-1").exitCode).toBe(0);
  });
});
