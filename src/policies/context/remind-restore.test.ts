import { expect, it } from "vitest";
import type { Handover } from "../../kernel/handover.ts";
import type { CheckName } from "../../state/check-names.ts";
import type { Mode } from "../../state/session/modes.ts";
import { reduceSession } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { remindRestore } from "./remind-restore.ts";

const when = { name: "SessionStart", source: "compact" } as const;
const mode: Mode = { since: 0, by: "prompt", task: "port it", count: 1, max: 20 };
const handover: Handover = {
  version: 1,
  session: "s-1",
  at: 500,
  timestamp: "2026-11-16T09:00:00Z",
  trigger: "auto",
  modes: [{ name: "turbo", task: "ended meanwhile", count: 3, max: 30, errors: ["old"] }],
  tasks: { open: 3, done: 0, shown: [{ subject: "done meanwhile", status: "pending" }] },
  branch: "main",
};
const linesOf = (given: Parameters<typeof verdictOf>[2], language: "en" | "ja" = "en"): readonly string[] =>
  verdictOf(remindRestore, when, given).notes.map((note) => note[language]);

it("MD-92 remembers what was shown: the handover by its time, modes and tasks by their standing", () => {
  const tasks = "tasks 0";
  expect(verdictOf(remindRestore, when, { handover }).changes).toEqual([
    { record: "session", do: "restore", at: 500, as: tasks },
  ]);
  const modesTakenUp = { persistent: mode };
  const { changes, notes } = verdictOf(remindRestore, when, { modesTakenUp });
  expect(changes).toEqual([{ record: "session", do: "restore", as: `persistent 1/20, ${tasks}` }]);
  expect(notes).not.toEqual([]);
  const session = changes.reduce((next, change) => reduceSession(next, change, 1), ordinaryFacts.session);
  expect(linesOf({ modesTakenUp, session })).toEqual([]);
  expect(linesOf({ modesTakenUp: { persistent: { ...mode, count: 2 } }, session })).not.toEqual([]);
  const shorter = reduceSession(session, { record: "session", do: "compact" }, 2);
  expect(linesOf({ modesTakenUp, session: shorter })).not.toEqual([]);
});

it("MD-40 shows the current modes and tasks, not those in the handover", () => {
  const told = linesOf({ handover, modesTakenUp: { persistent: mode } }).join("\n");
  expect(told).toContain("Persistent mode is on (1/20).");
  expect(told).not.toMatch(/Turbo|meanwhile|old/);
});

it("MD-40 an outdated mode is omitted, a paused one is marked", () => {
  expect(linesOf({ now: 25 * 3_600_000, modesTakenUp: { persistent: mode } })).toEqual([]);
  const paused = linesOf({ modesTakenUp: { turbo: { ...mode, paused: "abort" } } }).join("\n");
  expect(paused).toContain("paused until the person speaks again");
});

it("MD-40 for qa only the required checks are listed", () => {
  const check = (name: CheckName) => ({ name, command: `make ${name}`, definition: "", source: "settings" }) as const;
  const tree = (...names: readonly CheckName[]) => [{ root: "/r", checks: names.map(check), definitions: {} }];
  const told = (...names: readonly CheckName[]): string =>
    linesOf({ modesTakenUp: { qa: mode }, checkedTrees: tree(...names) }).join("\n");
  expect(told("lint", "test", "build")).toContain("It ends when these have passed: `make lint`, `make test`.");
  expect(told("build")).toContain("write <promise>QA_COMPLETE</promise> to end it");
});

it("MD-40 for every requested mode the note says that the person may cancel it", () => {
  for (const name of ["persistent", "qa", "turbo"] as const)
    expect([name, linesOf({ modesTakenUp: { [name]: mode } })]).toEqual([
      name,
      expect.arrayContaining(["The person can end it by typing `cancel`."]),
    ]);
});

it("MD-42 everything is in one element with separate sections; without content there is no element", () => {
  const hostTasks = { open: 1, done: 0, shown: [], changedAt: 0 };
  const lines = linesOf({ modesTakenUp: { persistent: mode }, hostTasks });
  expect([lines[0], lines.at(-1)]).toEqual(["<session-restore>", "</session-restore>"]);
  expect(lines.filter((line) => line === "---")).toHaveLength(2);
  expect(linesOf({})).toEqual([]);
});

it("TS-39 MD-92 the default limit is eight thousand characters, and the least important parts are omitted", () => {
  const words = (of: string) => `${of} ${"x".repeat(190)}`;
  const many = (of: string, count: number) => Array.from({ length: count }, () => words(of));
  const long: Handover = {
    ...handover,
    plans: many("plan", 3).map((path) => ({ path, done: 1, total: 2 })),
    commits: many("commit", 5),
    changed: many("changed", 20),
    uncommitted_count: 20,
    cwd: words("cwd"),
    written: many("written", 10),
    user_intents: many("intent", 3),
  };
  const told = linesOf({ handover: long, modesTakenUp: { persistent: { ...mode, errors: many("error", 3) } } }).join(
    "\n",
  );
  expect(told.length).toBeLessThanOrEqual(8000);
  expect(told.length).toBeGreaterThan(7500);
  expect(["error", "commit", "changed"].map((of) => told.includes(words(of).slice(0, 50)))).toEqual([true, true, true]);
  expect(told).not.toContain("intent");
  expect(told).toMatch(/did not fit.*\n<\/session-restore>$/);
});

it("TS-39 within any budget the note has whole lines in both languages, and the element is closed", () => {
  const words = "長い言葉".repeat(60);
  const long = { ...handover, commits: Array.from({ length: 5 }, () => words), changed: Array(20).fill(words) };
  for (const budget of [500, 900, 3000, 8000]) {
    const settings = { ...defaultSettings, context: { ...defaultSettings.context, budget_chars: budget } };
    for (const language of ["en", "ja"] as const) {
      const lines = linesOf({ settings, handover: long, modesTakenUp: { persistent: mode } }, language);
      expect(lines.join("\n").length).toBeLessThanOrEqual(budget);
      expect([lines[0], lines.at(-1)]).toEqual(["<session-restore>", "</session-restore>"]);
      // The host's renderer would cut longer lines.
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(400);
    }
  }
});
