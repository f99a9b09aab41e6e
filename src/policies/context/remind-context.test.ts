import { describe, expect, it } from "vitest";
import type { ContextFile } from "../../kernel/facts.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { guide } from "./guide.ts";
import { remindContext } from "./remind-context.ts";

const files: readonly ContextFile[] = [
  { name: ".claude/context/task_plan.md", modified: "2026-11-16T09:00Z" },
  { name: ".claude/context/progress.md", entries: 3, modified: "2026-11-16T09:01Z" },
  { name: ".claude/context/learnings-feature-spec.md", modified: "2026-11-16T09:02Z", topic: "feature-spec" },
  { name: ".claude/context/learnings-coding.md", topic: "coding" },
];

interface Given {
  readonly context?: Partial<Settings["context"]>;
  readonly shown?: readonly string[];
  readonly activity?: string;
  readonly files?: readonly ContextFile[];
}

function told(source: string, given: Given = {}) {
  const { context, shown = [], activity, files: contextFiles = files } = given;
  const settings = { ...defaultSettings, context: { ...defaultSettings.context, guide: true, ...context } };
  const session = { ...ordinaryFacts.session, shown, ...(activity !== undefined && { activity }) };
  const { notes, changes, trace } = verdictOf(
    remindContext,
    { name: "SessionStart", source },
    { settings, session, contextFiles },
  );
  expect(trace.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  return { notes, changes, text: notes.map(({ en }) => en).join("\n") };
}

describe("context at the start of a session", () => {
  it("GT-50 the guide comes without front matter, followed by the list of context files", () => {
    const { text, changes } = told("startup");
    expect(text).toMatch(/^# Getting started\n[\s\S]*\nContext files /);
    expect(text).not.toContain("---");
    expect(changes).toEqual([{ record: "session", do: "show", notice: "guide" }]);
  });

  it("GT-51 the list shows names, entry counts and times", () => {
    expect(told("startup").text.split("\n").slice(-4)).toEqual([
      "- .claude/context/task_plan.md: changed 2026-11-16T09:00Z",
      "- .claude/context/progress.md: 3 entries, changed 2026-11-16T09:01Z",
      "- .claude/context/learnings-feature-spec.md: changed 2026-11-16T09:02Z",
      "- .claude/context/learnings-coding.md: cannot be read",
    ]);
    expect(told("startup", { files: [] }).text).not.toContain("Context files (");
    const counted = { name: "p", entries: 9, more: true as const, modified: "m" };
    expect(told("resume", { files: [counted] }).text).toContain("- p: 9+ entries, changed m");
  });

  it("GT-52 the guide explains the purpose of each file", () => {
    for (const words of ["deleted when it is done", "newest entry on top", "at most ten", "kept for good"])
      expect(told("startup").text).toContain(words);
  });

  it("GT-50 nothing is shown when the setting is off", () => {
    expect(told("startup", { context: { guide: false } })).toMatchObject({ notes: [], changes: [] });
  });

  it.each([
    ["startup", [], true, true],
    ["startup", ["guide"], false, false],
    ["compact", ["guide"], true, true],
    ["clear", ["guide"], true, true],
    ["resume", [], false, true],
    ["fork", [], false, true],
    ["", [], true, true],
  ])("GT-50 %s after %j: guide %s, files %s", (source, shown, hasGuide, hasFiles) => {
    const { text } = told(source, { shown });
    expect([text.includes("# Getting started"), text.includes("Context files (")]).toEqual([hasGuide, hasFiles]);
  });

  it("GT-55 learnings that do not fit the activity are left out", () => {
    expect(told("compact", { activity: "debug" }).text).not.toContain("feature-spec");
    expect(told("compact", { activity: "debug" }).text).toContain("learnings-coding");
    expect(told("compact", { activity: "research" }).text).toContain("feature-spec");
    expect(told("compact").text).toContain("never apply them silently");
  });

  it("GT-50 the notes stay within the budget in both languages, in whole lines, files before guide", () => {
    for (const budget of [500, 700, 1000, 8000]) {
      const { notes, text } = told("startup", { context: { budget_chars: budget } });
      for (const language of ["en", "ja"] as const)
        expect(notes.map((note) => note[language]).join("\n").length).toBeLessThanOrEqual(budget);
      expect(text).toContain("learnings-coding.md: cannot be read");
      expect(text.includes("did not fit")).toBe(budget < 8000);
    }
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `f${at}`, modified: "m" }));
    expect(told("startup", { context: { budget_chars: 500 }, files: many }).text.length).toBeLessThanOrEqual(500);
  });

  it("no line of the guide is long enough to be cut", () => {
    for (const { en, ja } of guide(ordinaryFacts.host)) expect(Math.max(en.length, ja.length)).toBeLessThanOrEqual(400);
  });
});
