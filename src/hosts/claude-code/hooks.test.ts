import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../kernel/event.ts";
import { registeredEvents } from "../../policies/index.ts";
import { ON_PATH } from "../registration.ts";
import { arming } from "./arming.ts";
import { isOurs, slots } from "./hooks.ts";
import { withOurs } from "./install.ts";
import { deadlineMs, inputMs } from "./timeouts.ts";

const program = { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs" };
const events = ["SessionStart", "PreToolUse", "PostToolUse", "Stop", "ConfigChange"] as const;
const registered = (): string => {
  const result = withOurs(undefined, events, program);
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
};
type Wire = { hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>; [key: string]: unknown };
const altered = (change: (settings: Wire) => void): string => {
  const settings = JSON.parse(registered()) as Wire;
  change(settings);
  return JSON.stringify(settings);
};

describe("the registration of our hooks", () => {
  it("HK-17 every hook has a timeout in seconds, and our deadline is shorter", () => {
    for (const { event, hook } of slots(EVENT_NAMES, program)) {
      expect(hook.timeout).toBeGreaterThan(0);
      expect(hook.timeout).toBeLessThanOrEqual(15);
      expect(deadlineMs(event)).toBe(event === "SessionEnd" ? 1000 : hook.timeout * 600);
    }
  });

  it("HK-17 at SessionEnd reading and judging fit into the host's 1.5 seconds", () => {
    const startMs = 200;
    expect(inputMs("SessionEnd") + deadlineMs("SessionEnd") + startMs).toBeLessThan(1500);
  });

  it("TR-4 PreToolUse, PostToolUse, PostToolUseFailure and Stop each start their own process", () => {
    const found = slots(registeredEvents, program);
    for (const name of ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"] as const) {
      const hooks = found.filter(({ event }) => event === name).map(({ hook }) => hook);
      expect(hooks.length).toBeGreaterThan(0);
      for (const { type, args } of hooks) expect([type, args]).toEqual(["command", expect.arrayContaining([name])]);
    }
  });

  it("HK-5 HK-21 the change gate fails closed, the gate for known reading and control tools does not", () => {
    const [change, harmless] = slots(["PreToolUse"], program);
    expect(change?.hook.onFailure).toBe("block");
    expect(harmless?.hook.onFailure).toBeUndefined();
    const atChange = (tool: string): boolean => new RegExp(change?.matcher ?? "x").test(tool);
    const atHarmless = (tool: string): boolean => (harmless?.matcher ?? "").split("|").includes(tool);
    for (const tool of [
      "Bash",
      "Edit",
      "Write",
      "MultiEdit",
      "NotebookEdit",
      "WebFetch",
      "mcp__a__b",
      "Novel",
      "ReadX",
      "bash",
      "EnterWorktree",
    ]) {
      expect([tool, atChange(tool), atHarmless(tool)]).toEqual([tool, true, false]);
    }
    for (const tool of [
      "Read",
      "Glob",
      "Grep",
      "Skill",
      "Agent",
      "Task",
      "TodoWrite",
      "AskUserQuestion",
      "ToolSearch",
    ]) {
      expect([tool, atChange(tool), atHarmless(tool)]).toEqual([tool, false, true]);
    }
  });

  it("HK-20 hooks use the exec form with absolute paths and inherit nothing that loads foreign code", () => {
    for (const { hook } of slots(events, program)) {
      expect(hook.command).toBe("/usr/bin/env");
      expect(hook.args.slice(0, 6)).toEqual([
        "-u",
        "NODE_OPTIONS",
        "NODE_EXTRA_CA_CERTS=",
        program.node,
        "--preserve-symlinks-main",
        program.bundle,
      ]);
    }
  });

  it("HK-20 a shared file contains no path except /usr/bin/env, and no port", () => {
    const shared = slots(EVENT_NAMES, ON_PATH);
    for (const { event, hook } of shared) {
      expect(hook.args.slice(0, 6)).toEqual(["-u", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS=", "sekisho", "hook", event]);
      expect(isOurs(hook)).toBe(true);
    }
    expect(
      JSON.stringify(shared)
        .match(/[^"]*\/[^"]*/g)
        ?.filter((word) => word !== "/usr/bin/env"),
    ).toEqual([]);
    expect(shared.map(({ hook }) => hook.onFailure)).toEqual(
      slots(EVENT_NAMES, program).map(({ hook }) => hook.onFailure),
    );
  });

  it("HK-15 HK-18 each event has one synchronous command hook, PreToolUse has its two gates", () => {
    const all = slots(EVENT_NAMES, program);
    const perEvent = EVENT_NAMES.map((event) => all.filter((slot) => slot.event === event).length);
    expect(perEvent).toEqual(EVENT_NAMES.map((event) => (event === "PreToolUse" ? 2 : 1)));
    for (const { hook } of all) {
      expect(hook.type).toBe("command");
      expect(hook).not.toHaveProperty("async");
    }
  });

  it("HK-16 events without a matcher get none", () => {
    for (const slot of slots(["Stop", "UserPromptSubmit", "SubagentStop", "TaskCompleted"], program))
      expect(slot).not.toHaveProperty("matcher");
  });

  it("recognises our entries of any version and location, and no others", () => {
    for (const { hook } of slots(events, program)) expect(isOurs(hook)).toBe(true);
    expect(isOurs({ type: "command", command: "/old/place/sekisho", args: ["hook", "Stop"] })).toBe(true);
    expect(isOurs({ type: "command", command: "/bin/echo", args: ["sekisho", "hookless"] })).toBe(false);
    expect(isOurs({ type: "command", command: "my-sekisho hook" })).toBe(false);
    expect(isOurs(null)).toBe(false);
  });
});

describe("arming", () => {
  const armed = [
    ...new Set(events.filter((event) => event !== "PreToolUse")),
    "PreToolUse",
    "PreToolUse (harmless)",
  ].sort();

  it("finds all hooks of a file we wrote, also after reordering or reformatting", () => {
    expect([...arming(registered(), program).hooks].sort()).toEqual(armed);
    expect([...arming(JSON.stringify(JSON.parse(registered()), null, 7), program).hooks].sort()).toEqual(armed);
  });

  it("finds the hooks of a shared file and of the fast lane", () => {
    const door = { port: 40_123, token: "t" };
    for (const [who, lane, more] of [
      [ON_PATH, "plain", []],
      [{ ...program, door }, "fast", ["Stop (witness)"]],
    ] as const) {
      const text = withOurs(undefined, events, who, { lane });
      if ("problem" in text) throw new Error(text.problem);
      expect([...arming(text.text, { ...program, door }).hooks].sort()).toEqual([...armed, ...more].sort());
    }
  });

  it("our enabled plugin counts as armed, our disabled plugin disarms, other plugins are ignored", () => {
    const plugins = (value: object): string => JSON.stringify({ enabledPlugins: value });
    expect(arming(plugins({ "sekisho@any": true }), program).hooks).toEqual(["plugin sekisho@any"]);
    expect(arming(plugins({ "sekisho@any": false }), program).disarms).toEqual(["enabledPlugins.sekisho@any"]);
    expect(arming(plugins({ "not-sekisho@any": false, sekisho: false }), program).disarms).toEqual([]);
  });

  it.each<[string, (settings: Wire) => void]>([
    [
      "the command is replaced by true",
      (s) => Object.assign(s.hooks["PreToolUse"]?.[0]?.hooks[0] ?? {}, { command: "/bin/true" }),
    ],
    [
      "another program stands in",
      (s) =>
        Object.assign(s.hooks["PreToolUse"]?.[0]?.hooks[0] ?? {}, {
          args: [
            "-u",
            "NODE_OPTIONS",
            "NODE_EXTRA_CA_CERTS=",
            "/usr/bin/node",
            "/tmp/sekisho.cjs",
            "hook",
            "PreToolUse",
          ],
        }),
    ],
    ["it is made asynchronous", (s) => Object.assign(s.hooks["PreToolUse"]?.[0]?.hooks[0] ?? {}, { async: true })],
    ["it gets a filter", (s) => Object.assign(s.hooks["PreToolUse"]?.[0]?.hooks[0] ?? {}, { if: "Bash(nothing *)" })],
    ["it no longer fails closed", (s) => delete s.hooks["PreToolUse"]?.[0]?.hooks[0]?.["onFailure"]],
    ["the matcher is narrowed", (s) => Object.assign(s.hooks["PreToolUse"]?.[0] ?? {}, { matcher: "Nothing" })],
    [
      "the time-out is too short to answer",
      (s) => Object.assign(s.hooks["PreToolUse"]?.[0]?.hooks[0] ?? {}, { timeout: 0.001 }),
    ],
    ["the entry is gone", (s) => s.hooks["PreToolUse"]?.shift()],
  ])("reports a missing gate when %s", (_, change) => {
    expect(arming(altered(change), program).hooks).not.toContain("PreToolUse");
  });

  it.each([
    ["disableAllHooks", { disableAllHooks: true }],
    ["allowManagedHooksOnly", { allowManagedHooksOnly: true }],
    ["env.HTTPS_PROXY", { env: { HTTPS_PROXY: "http://127.0.0.1:1" } }],
    ["env.http_proxy", { env: { http_proxy: "http://127.0.0.1:1" } }],
    ["env.NO_PROXY", { env: { NO_PROXY: "corp" } }],
    ["env.no_proxy", { env: { no_proxy: "localhost,127.0.0.0/8,127.0.0.1:80" } }],
    ["env.PATH", { env: { PATH: "/tmp" } }],
    ["env.XDG_STATE_HOME", { env: { XDG_STATE_HOME: "/tmp/empty" } }],
    ["env.LD_PRELOAD", { env: { LD_PRELOAD: "/tmp/x.so" } }],
    ["env.CLAUDE_CONFIG_DIR", { env: { CLAUDE_CONFIG_DIR: "/tmp" } }],
  ])("reports the disarming key %s", (key, more) => {
    expect(arming(JSON.stringify(more), program).disarms).toEqual([key]);
  });

  it.each(["127.0.0.1", "corp,127.0.0.1", "corp, 127.0.0.1", "corp 127.0.0.1 x", "*"])(
    "a proxy is harmless when its exceptions include us: %s",
    (value) => {
      for (const name of ["NO_PROXY", "no_proxy"]) {
        const text = JSON.stringify({ env: { [name]: value, HTTPS_PROXY: "http://corp" } });
        expect(arming(text, program).disarms).toEqual([]);
      }
    },
  );

  it("ordinary settings disarm nothing", () => {
    expect(
      arming('{"disableAllHooks": false, "env": {"FOO": "1"}, "permissions": {"allow": ["Bash(ls)"]}}', program),
    ).toEqual({ readable: true, hooks: [], disarms: [], strange: [], runs: [] });
    expect(arming(undefined, program)).toEqual({ readable: true, hooks: [], disarms: [], strange: [], runs: [] });
  });

  it.each([
    ["{"],
    ["[]"],
    ['{"hooks": []}'],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}'],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "nonsense", "command": "x"}]}]}}'],
    ['{"hooks": {"PreToolUse": ["text"]}}'],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": -1}]}]}}'],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}'],
    ['{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "x", "onFailure": "deny"}]}]}}'],
  ])("a file the host would drop is not readable: %s", (text) => {
    expect(arming(text, program).readable).toBe(false);
  });

  it("a bad entry under another event is tolerated, because the host only skips it", () => {
    expect(arming('{"hooks": {"PostToolUse": ["text"]}}', program).readable).toBe(true);
  });
});

describe("commands the host would run by itself", () => {
  const added = (hook: object): readonly string[] =>
    arming(
      altered(({ hooks }) => hooks["Stop"]?.push({ hooks: [{ type: "command", ...hook }] })),
      program,
    ).runs;

  it("do not include our own hooks", () => {
    expect(arming(registered(), program).runs).toEqual([]);
  });

  it.each([
    ["a shell that bears our name", { command: "/bin/sh", args: ["-c", "git reset --hard", "/x/sekisho", "hook"] }],
    ["another program of our name", { command: "/tmp/sekisho.cjs", args: ["hook", "Stop"] }],
    ["a stranger's door", { type: "http", url: "http://127.0.0.1:1/Stop/any/the-sekisho-gatehouse-x" }],
  ])("include %s", (_, hook) => {
    expect(added(hook)).toHaveLength(1);
  });
});
