import { describe, expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { MODES, type Mode, type Modes, STALE_MS } from "../../state/session/modes.ts";
import { reduceSession, type Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, edit, exampleMode, read, using, write } from "../example.ts";
import { remindModes } from "./remind-modes.ts";

const bound: Session = boundSession();
const tasks = (open: number) => ({ open, done: 0, shown: [], changedAt: 0 });
const withModes = (more: Partial<Settings["modes"]>): Settings => ({
  ...defaultSettings,
  modes: { ...defaultSettings.modes, ...more },
});

/** A session in which each reminder is remembered for the next tool call. */
function story(modes: Modes = {}, settings = defaultSettings) {
  let session: Session = Object.keys(modes).length === 0 ? bound : { ...bound, modes };
  const apply = (change: Parameters<typeof reduceSession>[1], now = 1_000) => {
    session = reduceSession(session, change, now);
  };
  const use = (open = 0, when: object = bash("ls"), now = 1_000): string => {
    const { decision, notes, changes, trace } = verdictOf(remindModes, when as ReturnType<typeof bash>, {
      session,
      settings,
      now,
      hostTasks: tasks(open),
    });
    expect([decision, trace.flatMap(({ fault }) => fault ?? [])]).toEqual(["pass", []]);
    for (const change of changes) apply(change);
    return notes.map(({ en }) => en).join("\n");
  };
  return { use, apply, session: () => session };
}

const line = (told: string): string => told.replace(/\].*$/s, "]");
const persistent: Mode = { ...exampleMode, count: 3, max: 20 };
const all: Modes = {
  persistent,
  qa: { ...exampleMode, count: 1, max: 10 },
  turbo: { ...exampleMode, by: "mode", with: "persistent", count: 2, max: 30 },
};

describe("MD-45 the reminder line", () => {
  it("MD-45 contains only the active parts, in order", () => {
    expect(line(story(all).use(4))).toBe("[PERSISTENT 3/20 | QA 1/10 | TURBO #2 | Tasks: 4]");
    expect(line(story({ qa: persistent }).use())).toBe("[QA 3/20]");
    expect(line(story({ turbo: persistent }).use(1))).toBe("[TURBO #3 | Tasks: 1]");
    expect(story().use(4)).toBe("");
  });

  it("MD-45 omits a paused or outdated mode and its tasks", () => {
    const { qa } = all;
    expect(line(story({ ...(qa && { qa }), persistent: { ...persistent, paused: "rate_limit" } }).use())).toBe(
      "[QA 1/10]",
    );
    expect(story({ persistent: { ...persistent, paused: "rate_limit" } }).use(3)).toBe("");
    expect(line(story({ persistent }).use(0, bash("ls"), STALE_MS))).toBe("[PERSISTENT 3/20]");
    expect(story({ persistent }).use(2, bash("ls"), STALE_MS + 1)).toBe("");
  });

  it.each([
    ["Bash", bash("npm test"), /side by side.*lint before test/],
    ["Agent", using({ kind: "agent", name: "Agent", agentType: "reviewer" }), /several helpers.*background/],
    ["Task", using({ kind: "agent", name: "Task", agentType: "reviewer" }), /several helpers/],
    ["Edit", edit("/home/dev/project/a.ts"), /lint and tests before/],
    ["Write", write("/home/dev/project/a.ts"), /lint and tests before/],
    ["Read", read("/home/dev/project/a.ts"), /several files at once, and only what/],
    ["Grep", using({ kind: "read", name: "Grep", path: "." }), /searches side by side/],
    ["Glob", using({ kind: "read", name: "Glob", path: "." }), /searches side by side/],
    ["TaskCreate", using({ kind: "control", name: "TaskCreate" }), /status true/],
    ["TaskUpdate", using({ kind: "control", name: "TaskUpdate" }), /status true/],
  ])("MD-45 %s has a tip, and the line has at most 300 characters in both languages", (_, when, tip) => {
    const long = { ...all, persistent: { ...persistent, count: 9_999_999, max: 9_999_999 } };
    const { notes } = verdictOf(remindModes, when, { session: { ...bound, modes: long }, hostTasks: tasks(200) });
    expect(notes).toHaveLength(1);
    expect(notes[0]?.en).toMatch(tip);
    expect(notes[0]?.ja).toMatch(/^\[PERSISTENT .*\] .*[\u3040-\u30ff]/);
    for (const words of Object.values(notes[0] ?? {})) {
      expect(words.length).toBeLessThanOrEqual(300);
      expect(words).not.toContain("\n");
    }
  });

  it.each(["WebFetch", "mcp__db__query", "constructor", "__proto__"])("MD-45 %s has no tip", (name) => {
    expect(story({ persistent }).use(0, using({ kind: "unknown", name, words: [] }))).toBe("[PERSISTENT 3/20]");
  });

  it("MD-45 a subagent gets no reminder, since it has its own task", () => {
    expect(story(all, withModes({ reminder: "always" })).use(4, { ...bash("ls"), agent: { id: "a", type: "t" } })).toBe(
      "",
    );
  });
});

describe("MD-46 tasks without a mode", () => {
  it("MD-46 are shown only if the setting asks for it", () => {
    expect(story({}, withModes({ tasks: true })).use(3)).toMatch(/^\[Tasks: 3\] /);
    expect(story({}, withModes({ tasks: true })).use(0)).toBe("");
    expect(story().use(3)).toBe("");
  });
});

describe("MD-47 frequency", () => {
  it("MD-47 by default only when the line changes, for any tool", () => {
    const { use, apply } = story({ persistent });
    expect(line(use(2))).toBe("[PERSISTENT 3/20 | Tasks: 2]");
    expect(use(2)).toBe("");
    expect(use(2, edit("/home/dev/project/a.ts"))).toBe("");
    expect(line(use(1))).toBe("[PERSISTENT 3/20 | Tasks: 1]");
    apply({ record: "mode", do: "refuse", mode: "persistent" });
    expect(line(use(1))).toBe("[PERSISTENT 4/20 | Tasks: 1]");
    expect(use(1)).toBe("");
  });

  it("MD-47 at every call if set so, and only changes are recorded", () => {
    const { use, session } = story({ persistent }, withModes({ reminder: "always" }));
    expect([use(), use(), use()].map(line)).toEqual(Array(3).fill("[PERSISTENT 3/20]"));
    const settings = withModes({ reminder: "always" });
    expect(verdictOf(remindModes, bash("ls"), { session: session(), settings }).changes).toEqual([]);
  });

  it("MD-47 never if switched off", () => {
    expect(story(all, withModes({ reminder: "off", tasks: true })).use(5)).toBe("");
  });

  it("MD-47 the line is repeated after a compaction", () => {
    const { use, apply, session } = story({ persistent });
    use();
    apply({ record: "session", do: "compact" });
    expect(session()).not.toHaveProperty("reminded");
    expect(line(use())).toBe("[PERSISTENT 3/20]");
    expect(use()).toBe("");
  });

  it("MD-47 a restarted mode is announced again, and the end of a session forgets the line", () => {
    const { use, apply, session } = story();
    const start = { record: "mode", do: "start", mode: "qa", by: "prompt", task: "t", max: 10 } as const;
    apply(start);
    expect(line(use())).toBe("[QA 0/10]");
    apply({ record: "mode", do: "stop", why: "cancelled" });
    expect(use()).toBe("");
    apply(start);
    expect(line(use())).toBe("[QA 0/10]");
    apply({ record: "session", do: "end" });
    expect(session()).not.toHaveProperty("reminded");
  });

  it("MD-47 an unknown fact gives no reminder and blocks nothing", () => {
    for (const fact of ["session", "settings", "now", "hostTasks"]) {
      const given = { session: { ...bound, modes: all }, [fact]: { unknown: "broken" } };
      for (const when of [bash("ls"), read("/home/dev/project/a.ts")])
        expect([fact, verdictOf(remindModes, when, given).decision]).toEqual([fact, "pass"]);
    }
  });

  it("MD-47 without a mode the tasks are not looked up", () => {
    const given = { hostTasks: { unknown: "nobody looks" } };
    expect(verdictOf(remindModes, bash("ls"), given).trace.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  });

  it("the remembered line is bounded, whatever the change contains", () => {
    const { apply, session } = story();
    apply({ record: "session", do: "remind", line: "x".repeat(10_000) });
    expect(session().reminded).toHaveLength(120);
    expect(MODES).toHaveLength(3);
  });
});
