import { describe, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import { driveNow } from "../kernel/drive.ts";
import type { HookEvent } from "../kernel/event.ts";
import { type Asked, type FactName, NOT_ASKED } from "../kernel/facts.ts";
import { type Known, type Policy, pass } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { ordinaryFacts, PROJECT } from "../policies/describe-policy.ts";
import { policies } from "../policies/index.ts";
import { operationOf } from "../reading/operation/operation.ts";
import type { Modes } from "../state/session/modes.ts";
import { newSession } from "../state/session/session.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { newState } from "../state/state.ts";
import type { Surroundings } from "../world/gather.ts";
import { processAt } from "../world/machine/caller.ts";
import { judge } from "./judge.ts";

const stop = {
  ...{ name: "Stop", session: "s", cwd: PROJECT, attended: true, transcript: "", continued: false },
  ...{ lastMessage: "", backgroundTasks: 0, mustYield: false },
} as HookEvent;

function around(more: Partial<Surroundings> = {}): Surroundings {
  return {
    event: stop,
    operation: undefined,
    env: {},
    now: 0,
    parentOf: () => processAt(0),
    host: hosts[HOST],
    places: ordinaryFacts.places,
    settings: defaultSettings,
    settingsProblems: [],
    state: newState,
    armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
    deadline: 1,
    clock: () => 0,
    ...more,
  };
}

interface Seen {
  hostTasks?: Asked<unknown>;
}

/** A policy that needs the host's tasks when its condition holds, and what it saw. */
function asking(condition: ((known: Known) => boolean) | undefined, seen: Seen = {}): Policy {
  return {
    id: "track-x",
    on: ["Stop"],
    needs: ["hostTasks"],
    ...(condition && { needsIf: { hostTasks: condition } }),
    why: text("w", "言"),
    examples: [],
    check({ facts }) {
      seen.hostTasks = facts.hostTasks;
      return pass;
    },
  };
}

const verdictOf = (law: readonly Policy[], more?: Partial<Surroundings>) =>
  driveNow(judge(around(more), law), () => undefined).verdict;

describe("a fact that is needed on a condition", () => {
  it("is looked up when the condition holds", () => {
    const seen: Seen = {};
    verdictOf([asking(() => true, seen)]);
    expect(seen.hostTasks).toMatchObject({ open: 0, done: 0 });
  });

  it("is NOT_ASKED, and no empty value, when it does not", () => {
    const seen: Seen = {};
    const { trace } = verdictOf([asking(() => false, seen)]);
    expect(seen.hostTasks).toBe(NOT_ASKED);
    expect(trace[0]?.fault).toBeUndefined();
  });

  it("is looked up for all policies when one of them asks", () => {
    const seen: Seen = {};
    verdictOf([asking(() => false, seen), { ...asking(() => true), id: "track-y" }]);
    expect(seen.hostTasks).not.toBe(NOT_ASKED);
    const plain: Seen = {};
    verdictOf([{ ...asking(undefined), id: "track-y" }, asking(() => false, plain)]);
    expect(plain.hostTasks).not.toBe(NOT_ASKED);
  });

  it("is looked up when the state cannot be read, because no condition can be tested then", () => {
    const seen: Seen = {};
    verdictOf([asking(() => false, seen)], { state: { unknown: "the journal cannot be read" } });
    expect(seen.hostTasks).not.toBe(NOT_ASKED);
  });
});

describe("the conditions of the policies", () => {
  const known = (more: Partial<Known> = {}): Known => ({
    ...{ event: stop, operation: undefined, settings: defaultSettings, session: newSession(0), modes: {} },
    ...more,
  });
  const isAsked = (id: string, fact: FactName, more: Partial<Known> = {}): boolean | undefined =>
    policies.find((policy) => policy.id === id)?.needsIf?.[fact]?.(known(more));
  const inMode = (modes: Modes): Partial<Known> => ({ session: { ...newSession(0), modes }, modes });
  const mode = { since: 0, by: "prompt", task: "x", count: 0, max: 9 } as const;
  const set = (more: Partial<Settings>): Partial<Known> => ({ settings: { ...defaultSettings, ...more } });
  const bash = (command: string): Partial<Known> => ({
    operation: operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd: PROJECT, home: "/h" }),
  });
  const prompt = (words: string): Partial<Known> => ({
    event: { ...stop, name: "UserPromptSubmit", prompt: words } as unknown as HookEvent,
  });
  const start = (source: string): Partial<Known> => ({
    event: { ...stop, name: "SessionStart", source } as unknown as HookEvent,
  });
  const reviewerStop = { ...stop, name: "SubagentStop", agent: { id: "a", type: "reviewer" } } as HookEvent;
  const { modes, context, activity, verify } = defaultSettings;

  it.each<[string, FactName, Partial<Known>, boolean]>([
    ["require-qa", "toldResults", inMode({ qa: mode }), true],
    ["require-qa", "toldResults", inMode({ turbo: mode }), false],
    ["require-persistent", "plans", inMode({ persistent: mode }), true],
    ["require-persistent", "plans", {}, false],
    ["require-persistent", "hostTasks", inMode({ qa: mode }), false],
    ["require-turbo", "hostTasks", inMode({ turbo: mode }), true],
    ["require-turbo", "hostTasks", {}, false],
    ["remind-modes", "hostTasks", inMode({ qa: mode }), true],
    ["remind-modes", "hostTasks", {}, false],
    ["remind-modes", "hostTasks", set({ modes: { ...modes, tasks: true } }), true],
    ["remind-modes", "hostTasks", set({ modes: { ...modes, tasks: true, reminder: "off" } }), false],
    ["remind-restore", "plans", { modes: { persistent: mode } }, true],
    ["remind-restore", "plans", {}, false],
    ["remind-context", "contextFiles", set({ context: { ...context, guide: true } }), true],
    ["remind-context", "contextFiles", {}, false],
    ["remind-context", "handover", start("compact"), true],
    ["remind-context", "handover", start("startup"), false],
    ["track-session", "scheduled", prompt("go on"), true],
    ["track-session", "scheduled", {}, false],
    ["track-modes", "scheduled", prompt("go on"), true],
    ["track-modes", "scheduled", start("startup"), false],
    ["remind-activity", "skills", set({ activity: { ...activity, hint: true } }), true],
    ["remind-activity", "agents", {}, false],
    ["track-modes", "skills", prompt("implement it and don't stop until it is done"), true],
    ["track-modes", "skills", prompt("rename the variable"), false],
    ["require-evidence", "skills", {}, false],
    ["require-verification", "skills", set({ verify: { ...verify, skill: "qa" } }), true],
    ["require-verification", "skills", {}, false],
    ["require-lint", "linters", bash("git commit -m x"), true],
    ["require-lint", "linters", bash("git status"), false],
    ["track-proof", "reviewedFiles", { event: reviewerStop }, true],
    ["track-proof", "reviewedFiles", {}, false],
  ])("%s asks for %s: case %#", (id, fact, more, expected) => {
    expect(isAsked(id, fact, more)).toBe(expected);
  });
});
