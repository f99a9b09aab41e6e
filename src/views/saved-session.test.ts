import { describe, expect, it } from "vitest";
import { newSession } from "../state/session/session.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newState, type State } from "../state/state.ts";
import { newTrust, newTrustLedger } from "../state/trust.ts";
import { savedIn, standingNow, withStanding } from "./saved-session.ts";
import { changedSince, reportLines, sessionReport } from "./session-report.ts";

const NOW = Date.UTC(2026, 2, 1, 8);
const domains = {
  file_read: { ...newTrust(0.72, NOW), successes: 30, failures: 2, operations: 32 },
  shell_exec: { ...newTrust(0.4512, NOW), successes: 9, failures: 4, operations: 13, target: 0.6 },
};
const worked: State = { ...newState, trust: { ...newTrustLedger, domains, operations: 45, updatedAt: NOW } };
const standing = (state: State = worked) => standingNow(state, defaultSettings, NOW);

function saved(before: string, state = worked, language: "en" | "ja" = "en"): string {
  const after = withStanding(before, standing(state), NOW, language);
  if ("problem" in after) throw new Error(after.problem);
  return after.text;
}
const SECTION = [
  "<!-- sekisho:trust-state, written by `sekisho save` -->",
  "## Trust State",
  "",
  "- Saved: 2026-03-01T08:00:00Z",
  "- Stance: BUILDING",
  "- Global operations: 45",
  "- file_read=0.72 (30/2)",
  "- shell_exec=0.4512 (9/4) [RECOVERING → 0.6]",
  "<!-- /sekisho:trust-state -->",
  "",
].join("\n");

describe("the section Trust State", () => {
  it("TR-112 contains the operations, every domain with its counts, and the recovery target", () => {
    expect(saved("")).toBe(SECTION);
  });

  it("TR-112 TR-30 includes the loss by absence since the last operation", () => {
    const { domains: later } = standingNow(worked, defaultSettings, NOW + 64 * 86_400_000);
    expect(later.map(({ name, score }) => [name, score])).toEqual([
      ["file_read", 0.6849],
      ["shell_exec", 0.4292],
    ]);
  });

  it.each([
    ["en", "not initialised"],
    ["ja", "未初期化"],
  ] as const)("TR-112 says in %s that there is no ledger yet: %s", (language, words) => {
    expect(saved("", newState, language)).toContain(`- Global operations: ${words}\n<!-- /`);
    const report = sessionReport(newState, standing(newState), "", language);
    expect(reportLines(report)).toEqual(["Phase: BUILDING | next: – | open: –", `Trust: ${words}`]);
  });

  it("is appended after a blank line, and everything before it stays unchanged", () => {
    expect(saved("# Notes")).toBe(`# Notes\n\n${SECTION}`);
    expect(saved("# Notes\n")).toBe(`# Notes\n\n${SECTION}`);
    expect(saved("a\r\nb\r\n")).toBe(`a\r\nb\r\n\r\n${SECTION.replaceAll("\n", "\r\n")}`);
  });

  it("is replaced in place, and everything around it stays unchanged", () => {
    const [before, after] = ["\uFEFF# Mine \t\n\n## Trust State\nof my own\n", "\n\n  tail without an end"];
    const old = saved("", { ...worked, trust: { ...worked.trust, domains: {} } }).trimEnd();
    expect(saved(before + old + after)).toBe(before + SECTION.trimEnd() + after);
  });

  it("is rejected when its markers are not a pair", () => {
    const [begin = "", ...rest] = SECTION.split("\n");
    for (const text of [begin, rest.join("\n"), SECTION + SECTION, `${rest.join("\n")}\n${begin}`]) {
      expect(withStanding(text, standing(), NOW, "en")).toEqual({ problem: expect.stringContaining("marks") });
      expect(savedIn(text)).toBe("broken");
    }
  });

  it("is read back as written, and unreadable lines are skipped", () => {
    expect(savedIn(saved("# Notes\n"))).toEqual({
      at: "2026-03-01T08:00:00Z",
      stance: "building",
      operations: 45,
      isInitialised: true,
      domains: [
        { name: "file_read", score: 0.72, successes: 30, failures: 2 },
        { name: "shell_exec", score: 0.4512, successes: 9, failures: 4, target: 0.6 },
      ],
    });
    expect(savedIn("# Notes\n")).toBeUndefined();
    const spoilt = SECTION.replace("0.72", "9.9").replace("45", "many").replace("2026-03-01T08:00:00Z", "\u001b[31m");
    expect(savedIn(spoilt)).toMatchObject({ at: "", operations: 0, domains: [{ name: "shell_exec" }] });
  });
});

describe("the two report lines", () => {
  const lines = (file: string, state = worked) => reportLines(sessionReport(state, standing(state), file, "en"));

  it("TR-112 show the phase, and each domain with its score and [R] during recovery", () => {
    expect(lines("")).toEqual(["Phase: BUILDING | next: – | open: –", "Trust: file_read=0.72 shell_exec=0.45[R]"]);
  });

  it.each([
    ["Next: fix it", "fix it"],
    ["- **Next:** fix it", "fix it"],
    ["次：直す", "直す"],
    ["## Next steps\n\n- [ ] fix it\n- [ ] more", "fix it"],
    ["# Next\n\n# Other\ntext", "–"],
    ["The next: one", "–"],
    [`Next: ${"x".repeat(200)}`, `${"x".repeat(79)}…`],
    ["Next: a\u001b[31mb", "a [31mb"],
    [SECTION, "–"],
  ])("take the next step from the file: %j", (file, next) => {
    expect(lines(file)[0]).toBe(`Phase: BUILDING | next: ${next} | open: –`);
  });

  it("count background commands, but not the call that asks", () => {
    const call = { tool: "Bash", at: NOW, background: false };
    const calls = { a: call, b: { ...call, background: true }, c: { ...call, background: true } };
    const ended = { ...newSession(NOW), calls, endedAt: NOW };
    const state: State = { ...worked, sessions: { s1: { ...newSession(NOW), calls }, s2: ended } };
    expect(lines("", state)[0]).toBe("Phase: BUILDING | next: – | open: 2 in the background");
    const suggestions = { m1: { shape: "chmod …", cwd: "/p", policies: ["require-trust"], at: NOW, times: 1 } };
    expect(lines("", { ...worked, suggestions })[0]).toMatch(/open: 1 suggestion\(s\) to accept$/);
  });
});

describe("changes since the save", () => {
  const since = (state: State) => {
    const before = savedIn(SECTION);
    return typeof before === "object" ? changedSince(before, standing(state)) : [];
  };

  it("are empty right after saving", () => {
    expect(since(worked)).toEqual([]);
  });

  it("are listed by name", () => {
    const { target: _, ...recovered } = domains.shell_exec;
    const now = { shell_exec: { ...recovered, score: 0.61 }, test_run: newTrust(0.3, NOW) };
    const trust = { ...worked.trust, domains: now, operations: 50 };
    expect(since({ ...worked, trust, stance: "planning" })).toEqual([
      "stance: BUILDING → PLANNING",
      "operations: 45 → 50",
      "shell_exec: 0.4512 → 0.61, recovered",
      "test_run: new, 0.3",
      "file_read: no longer there",
    ]);
  });
});
