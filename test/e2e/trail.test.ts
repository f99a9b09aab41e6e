/** `explain` and `audit`: earlier decisions. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../src/store/journal/archive.ts";
import { expectFailure, worked } from "./day.ts";
import { type DrivenEvent, drive } from "./driver.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

describe("explain", () => {
  const idOf = (stage: Stage, command: string): string =>
    stage.audit().find(({ tool_input: input }) => (input as { command?: string } | null)?.command === command)?.id ??
    "";

  it("shows the last objection by default: what, why, instead, and which policies were asked", () => {
    const stage = openStage();
    stage.bash("rm -rf /");
    stage.bash("ls");
    for (const words of [[], ["--last"]]) {
      const { code, stdout } = stage.sekisho("explain", ...words);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^DENY {2}PreToolUse/);
      for (const part of ["rm -rf /", "no-destructive-command", "what", "why", "instead", "Outcome: refused"]) {
        expect(stdout).toContain(part);
      }
    }
  });

  it("finds a verdict by its id or a prefix of it", () => {
    const stage = worked();
    const id = idOf(stage, "git tag -d old");
    for (const word of [id, id.slice(0, -1)]) {
      expect(JSON.parse(stage.sekisho("explain", word, "--json").stdout)).toMatchObject({
        id,
        verdict: "ask",
        rulings: expect.arrayContaining([
          expect.objectContaining({ policy: "no-destructive-command", decision: "ask" }),
        ]),
      });
    }
  });

  it("explains the id that a refusal named", () => {
    const stage = openStage();
    const { stderr } = stage.bash("git reset --hard");
    const [, id = ""] = /sekisho explain (\S+)/.exec(stderr) ?? [];
    expect(stage.sekisho("explain", id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("git reset --hard"),
    });
  });

  it("explains a call that passed, and an error", () => {
    const stage = worked();
    expect(stage.sekisho("explain", idOf(stage, "npm test"))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/PASS.*npm test.*Every policy that was asked let it pass.*Outcome: success/s),
    });
    expect(stage.sekisho("explain")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ERROR.*input: /s) });
  });

  it("refuses an unknown id and an ambiguous prefix", () => {
    const { sekisho } = worked();
    expectFailure(sekisho("explain", "nothing-like-it"), /No verdict "nothing-like-it"/);
    expectFailure(sekisho("explain", "m"), /More than one/);
  });

  it("EH-33 says that there is nothing yet, without an error", () => {
    expect(openStage().sekisho("explain")).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing") });
  });
});

function bodyOf({ project: cwd }: Stage, event: string, fields: object): DrivenEvent {
  const body = { session_id: "s1", cwd, permission_mode: "default", hook_event_name: event, ...fields };
  return { event, harmless: false, body: JSON.stringify(body) };
}

describe("audit", () => {
  it("EH-33 says that there is nothing yet, without an error", () => {
    const { sekisho, state } = openStage();
    expect(sekisho("audit")).toEqual({ code: 0, stdout: "Nothing here yet.\n", stderr: "" });
    expect(sekisho("audit", "--json")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(sekisho("audit", "verify").code).toBe(0);
    expect(fs.existsSync(state)).toBe(false);
  });

  it("AU-3 AU-4 shows every attempt once, with its outcome", () => {
    const { sekisho } = worked();
    const lines = sekisho("audit", "--json").stdout.trimEnd().split("\n");
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["call", "success"],
      ["question", "pending"],
      ["refusal", "refused"],
      ["refusal", "refused"],
      ["error", null],
    ]);
    expect(sekisho("audit").stdout).toMatch(/^5 entries, 1 pending\n/);
  });

  it("AU-2 TS-14 prints all the fields of a line", () => {
    const [line] = worked().audit("--kind", "refusal");
    const fields =
      "timestamp session_id tool_name tool_use_id tool_input domain risk_category complexity decision outcome";
    const more = "trust_score_before autonomy_score trust_score_after recommended_model phase kind agent_type";
    for (const field of `${fields} ${more}`.split(" ")) expect(line).toHaveProperty(field);
    const weighed = { phase: "building", trust_score_before: 0.3, trust_score_after: null };
    expect(line).toMatchObject({ decision: "blocked", outcome: "refused", ...weighed });
    expect(line?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it("TR-104 without options shows the last 20 entries with outcomes and the number pending", async () => {
    const stage = openStage();
    const use = (at: number) => ({ tool_name: "Bash", tool_input: { command: `ls ${at}` }, tool_use_id: `call-${at}` });
    drive(
      stage,
      Array.from({ length: 25 }, (_, at) => bodyOf(stage, "PreToolUse", use(at))),
    );
    drive(stage, [bodyOf(stage, "PostToolUse", { ...use(24), tool_response: {} })]);
    const [head, , ...rows] = stage.sekisho("audit").stdout.trimEnd().split("\n");
    expect(head).toBe("20 entries, 19 pending");
    expect(rows.map((row) => /(\w+) +Bash ls (\d+) /.exec(row)?.slice(1))).toEqual([
      ...Array.from({ length: 19 }, (_, at) => ["pending", String(at + 5)]),
      ["success", "24"],
    ]);
    expect(stage.sekisho("audit", "--tail=3").stdout).toMatch(/^3 entries, 2 pending\n/);
  });

  it("TR-104 filters by count, kind and day", () => {
    const { sekisho, audit } = worked();
    const count = (...words: readonly string[]): number =>
      sekisho("audit", "--json", ...words)
        .stdout.split("\n")
        .filter((line) => line !== "").length;
    expect(count("--tail", "2")).toBe(2);
    expect(count("--tail", "1000")).toBe(5);
    expect(count("--kind", "refusal")).toBe(2);
    expect(count("--kind", "question")).toBe(1);
    expect(count("--kind", "error")).toBe(1);
    expect(count("--kind", "event")).toBe(2);
    expect(count("--kind", "all")).toBe(7);
    const day = audit()[0]?.timestamp.slice(0, 10) ?? "";
    expect(count("--date", day)).toBe(5);
    expect(count("--date", "2001-01-01")).toBe(0);
    expect(count("--date", day, "--kind", "all", "--tail", "3")).toBe(3);
  });

  it.each([
    ["--tail", "0"],
    ["--tail", "-1"],
    ["--tail", "1.5"],
    ["--tail", "many"],
    ["--tail", ""],
    ["--date", "yesterday"],
    ["--date", "2026-1-1"],
    ["--date", "2026-13-40"],
    ["--kind", "frobnication"],
    ["--kind", ""],
  ])("EH-33 TR-104 refuses %s %j and names the option", (option, value) => {
    const answer = openStage().sekisho("audit", `${option}=${value}`);
    expectFailure(answer, new RegExp(option));
  });

  it("EH-33 verify exits with 0 for an intact journal and with 2 for a damaged one", () => {
    const { sekisho, journal } = worked();
    expect(sekisho("audit", "verify")).toMatchObject({ code: 0, stdout: expect.stringContaining("intact: 7 records") });
    const [name = ""] = fs.readdirSync(journal()).filter((file) => file.startsWith("journal."));
    const path = join(journal(), name);
    const bytes = fs.readFileSync(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    fs.writeFileSync(path, bytes);
    expect(sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("damaged") });
    const { code, stdout } = sekisho("audit", "verify", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ integrity: "damaged", segments: [{ integrity: "damaged" }] });
  });

  it.skipIf(forPeople.skip)(`AU-9 prune removes nothing recent${forPeople.why}`, () => {
    const { sekisho, audit } = worked();
    const before = audit().length;
    expect(sekisho("audit", "prune").code).toBe(0);
    // The command itself is recorded.
    expect(audit()).toHaveLength(before + 1);
  });

  it.skipIf(forPeople.skip)(`AU-9 prune removes only what is older than 90 days${forPeople.why}`, async () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    const directory = stage.journal();
    fs.rmSync(directory, { recursive: true });
    const store = openJournal({ directory, limits: { segmentBytes: 3_000 } });
    const DAY_MS = 86_400_000;
    for (const [action, days] of Object.entries({ old: 91, young: 89 }))
      for (let at = 0; at < 60; at++) store.append({ kind: "action", action }, Date.now() - days * DAY_MS);
    store.close();
    // Two snapshots by the pruning program must cover the segments first.
    const looks = Array.from({ length: 60 }, (_, at) =>
      bodyOf(stage, "PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `call-${at}` }),
    );
    drive(stage, looks);
    const count = (wanted: string) => stage.audit().filter(({ event }) => event === wanted).length;
    expect([count("old"), count("young")]).toEqual([60, 60]);
    expect(stage.sekisho("audit", "prune").stdout).toMatch(
      /^[1-9]\d* segment\(s\) beyond 90 days or 512 MB removed\.$/m,
    );
    expect(count("young")).toBe(60);
    // Only the segment with records of both ages keeps old ones.
    expect(count("old")).toBeLessThan(30);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });
});
