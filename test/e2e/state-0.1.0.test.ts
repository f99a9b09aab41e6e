/**
 * Runs this version on a state directory written by version 0.1.0 (commit 4f5844a). The fixture holds every kind of
 * record and change; `scripts/state-fixture.mjs` lists them and made the fixture.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Client } from "../../scripts/state-fixture/client.mjs";
import * as place from "../../scripts/state-fixture/place.mjs";
import { askAll, dataIn, queriesSince, type Told } from "../../scripts/state-fixture/queries.mjs";
import { expectValid, verdictOf } from "./answer.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import type { AuditLine } from "./stage.ts";

interface Frozen {
  readonly begin: number;
  /** The time at which 0.1.0 printed the answers. */
  readonly now: number;
  readonly answers: Readonly<Record<string, Told>>;
}

interface Status {
  readonly verdicts: Readonly<Record<"pass" | "ask" | "deny", number>>;
  readonly grants: readonly { readonly id: string; readonly once: boolean }[];
  readonly waitingModes: readonly object[];
  readonly sessions: readonly {
    readonly id: string;
    readonly pending: number;
    readonly outcomes: Readonly<Record<string, number>>;
  }[];
}

interface ModeLine {
  readonly mode: string;
  readonly session: string | null;
  readonly count: number;
}

const { begin, now, answers } = JSON.parse(gunzipSync(readFileSync(place.OUTPUTS)).toString()) as Frozen;
const queries = queriesSince(begin);
const names = Object.keys(queries);
const HALF_AN_HOUR = 1_800_000;
/** Long, because another process may hold the lock of the fixture. */
const PATIENCE_MS = 600_000;
const LAST = { session_id: "s-last" };
const reason = place.whyNotHere();

/** The output of 0.1.0. */
const said = <T>(name: string): T => answers[name]?.value as T;

/** The output of this version. */
function ask<T>(name: string, at = now): T {
  const query = queries[name];
  if (!query) throw new Error(`There is no query "${name}".`);
  return askAll({ [name]: query }, at)[name]?.value as T;
}

/** This version may print more than 0.1.0, but nothing different. */
function expectSame(told: Told | undefined, name: string): void {
  const old = answers[name];
  expect(told?.error).toBeUndefined();
  expect({ code: told?.code, filler: told?.filler }).toEqual({ code: old?.code, filler: old?.filler });
  expect({ value: dataIn(told?.value) }).toMatchObject({ value: dataIn(MEANT[name]?.(old?.value) ?? old?.value) });
}

/** Defaults that were changed on purpose. */
const MEANT: Readonly<Record<string, (old: unknown) => unknown>> = {
  rules: (old) => JSON.parse(JSON.stringify(old).replaceAll('"stop":"block"', '"stop":"once"')),
};

/** The segments of a journal with their sizes. */
function segmentsOf(project: string): Readonly<Record<string, number>> {
  const directory = place.journalOf(project);
  const segments = readdirSync(directory).filter((name) => name.startsWith("journal."));
  return Object.fromEntries(segments.map((name) => [name, statSync(join(directory, name)).size]));
}

/** Checksums of the first bytes of each segment. */
function sumsOf(project: string, sizes: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(sizes).map(([name, size]) => {
    const bytes = readFileSync(join(place.journalOf(project), name));
    return createHash("sha256").update(bytes.subarray(0, size)).digest("hex");
  });
}

const sessionIn = ({ sessions }: Status, id: string) => sessions.find((one) => one.id === id);

const title = `a state directory of 0.1.0${reason === undefined ? "" : ` (skipped: ${reason})`}`;

describe.skipIf(reason !== undefined)(title, { timeout: PATIENCE_MS }, () => {
  beforeAll(place.claimPlace, PATIENCE_MS);
  afterAll(place.releasePlace, PATIENCE_MS);

  const open = (): void => {
    place.emptyPlace();
    place.unpackPlace(program.bundle);
  };

  describe("reading", () => {
    let told: Readonly<Record<string, Told>> = {};
    let sums: readonly string[] = [];

    beforeAll(() => {
      open();
      sums = sumsOf(place.PROJECT, segmentsOf(place.PROJECT));
      told = askAll(queries, now);
    }, PATIENCE_MS);

    it.each(names)("prints the same as 0.1.0: %s", (name) => expectSame(told[name], name));

    it("does not change the journal", () => {
      expect(sumsOf(place.PROJECT, segmentsOf(place.PROJECT))).toEqual(sums);
    });
  });

  describe("reading without snapshots", () => {
    it("computes the same state from the first record on", () => {
      open();
      const directory = place.journalOf(place.PROJECT);
      for (const name of readdirSync(directory)) if (name.startsWith("snap.")) rmSync(join(directory, name));
      for (const name of ["status", "trust", "modes", "habits", "stance", "evidence s-checks", "evidence s-last"]) {
        expectSame({ ...answers[name], code: answers[name]?.code ?? null, value: ask(name) }, name);
      }
      expect(ask("verify")).toMatchObject({ integrity: "intact" });
    });
  });

  describe("appending", () => {
    let client = new Client(now);

    beforeEach(() => {
      open();
      client = new Client(now + HALF_AN_HOUR);
      expect(client.send("SessionStart", { ...LAST, source: "resume" })).toMatchObject({ code: 0, stderr: "" });
    }, PATIENCE_MS);

    it("adds records after the old bytes and keeps the journal intact", () => {
      open();
      const old = segmentsOf(place.PROJECT);
      const sums = sumsOf(place.PROJECT, old);
      client.bash("ls", { fields: LAST });
      expect(sumsOf(place.PROJECT, old)).toEqual(sums);
      expect(place.recordsOf(place.PROJECT).at(-1)).toMatchObject({ event: "PostToolUse", session: "s-last" });
      const { records } = said<{ readonly records: number }>("verify");
      expect(ask("verify", client.now)).toMatchObject({ integrity: "intact", records: records + 2 });
    });

    it("lists the new events in the audit after the unchanged old ones", () => {
      client.bash("ls", { fields: LAST });
      const old = said<readonly AuditLine[]>("audit all");
      const lines = ask<readonly AuditLine[]>("audit all", client.now);
      expect(dataIn(lines.slice(0, old.length))).toMatchObject(dataIn(old) as object[]);
      expect(lines.slice(old.length)).toMatchObject([
        { event: "SessionStart", session_id: "s-last" },
        { event: "PreToolUse", kind: "call", verdict: "pass", outcome: "success" },
        { event: "PostToolUse" },
      ]);
    });

    it("adds to the old counts of verdicts and to the old trust scores", () => {
      const { verdicts } = said<Status>("status");
      client.bash("make", { fields: LAST });
      expect(verdictOf(client.gate("Bash", { command: "rm -rf /" }, LAST).answer)).toBe("deny");
      expect(place.recordsOf(place.PROJECT).slice(-3)).toMatchObject([
        {
          event: "PreToolUse",
          changes: expect.arrayContaining([
            expect.objectContaining({ record: "call", do: "open" }),
            expect.objectContaining({ record: "work", do: "begin" }),
          ]),
        },
        { event: "PostToolUse", changes: [{ record: "call", do: "close", outcome: "success" }] },
        { event: "PreToolUse", decision: "deny" },
      ]);
      const after = ask<Status>("status", client.now);
      expect(after.verdicts).toEqual({ ...verdicts, pass: verdicts.pass + 1, deny: verdicts.deny + 1 });
      const scores = (name: string, at?: number) =>
        (at === undefined ? said<Scores>(name) : ask<Scores>(name, at)).domains["shell_exec"];
      const [old, fresh] = [scores("trust"), scores("trust", client.now)];
      expect(fresh?.total_operations).toBe((old?.total_operations ?? 0) + 1);
      expect(fresh?.score).toBeGreaterThan(old?.score ?? 1);
    });

    it("records the result of a command that was started under 0.1.0", () => {
      const old = sessionIn(said<Status>("status"), "s-last");
      const done = `<task-notification>\n<task-id>b9</task-id>\n<tool-use-id>toolu_running</tool-use-id>\n<status>completed</status>\n<summary>done</summary>\n</task-notification>`;
      client.prompt(done, LAST);
      const session = sessionIn(ask<Status>("status", client.now), "s-last");
      expect(session?.pending).toBe((old?.pending ?? 0) - 1);
      expect(session?.outcomes["success"]).toBe((old?.outcomes["success"] ?? 0) + 1);
      const lines = ask<readonly AuditLine[]>("audit call", client.now);
      expect(lines.find((line) => line.tool_use_id === "toolu_running")).toMatchObject({ outcome: "success" });
    });

    it("honours grants and accepted commands, and uses a one-time grant once", () => {
      const gate = (command: string) => verdictOf(client.gate("Bash", { command }, LAST).answer);
      expect(said<Status>("status").grants).toMatchObject([{ once: false }, { once: true }]);
      expect([gate("git reset --hard"), gate("git reset --hard")]).toEqual(["pass", "ask"]);
      expect([gate("git branch -D other"), gate("git branch -D other")]).toEqual(["pass", "pass"]);
      expect([gate("chmod +x third.sh"), gate("chmod 777 third.sh")]).toEqual(["pass", "ask"]);
      expect(ask<Status>("status", client.now).grants).toMatchObject([{ once: false }]);
    });

    it("continues a mode, and gives a waiting mode to the next session", () => {
      const count = (mode: string, session: string, modes: readonly ModeLine[]) =>
        modes.find((one) => one.mode === mode && one.session === session)?.count;
      client.bash("ls", { fields: LAST });
      const held = client.stop(LAST);
      expectValid("Stop", held);
      expect(JSON.parse(held.stdout)).toMatchObject({ decision: "block" });
      const old = said<readonly ModeLine[]>("modes");
      expect(count("persistent", "s-last", old)).toBe(1);
      client.send("SessionStart", { session_id: "s-new", source: "startup" });
      client.prompt("go on", { session_id: "s-new" });
      const modes = ask<readonly ModeLine[]>("modes", client.now);
      expect(count("persistent", "s-last", modes)).toBe(2);
      expect(said<Status>("status").waitingModes).toMatchObject([{ mode: "qa" }]);
      expect(count("qa", "s-new", modes)).toBe(1);
      expect(ask<Status>("status", client.now).waitingModes).toEqual([]);
    });

    it("keeps a session in its project when its client reports another directory", () => {
      open();
      const sizes = () => [place.PROJECT, place.PRUNED].map((project) => place.recordsOf(project).length);
      const [project = 0, pruned = 0] = sizes();
      const moved = new Client(client.now, place.PRUNED);
      moved.gate("Bash", { command: "ls" }, { session_id: "s-covered" });
      expect(sizes()).toEqual([project + 1, pruned]);
    });

    it("restores the notes that 0.1.0 saved before a compaction", () => {
      const { at } = said<{ readonly at: number }>("handover");
      const answer = client.send("SessionStart", { session_id: "s-long", source: "compact" });
      expectValid("SessionStart", answer);
      expect(answer.stdout).toContain("src/long.js");
      expect(place.recordsOf(place.PROJECT).at(-1)).toMatchObject({
        changes: expect.arrayContaining([expect.objectContaining({ record: "session", do: "restore", at })]),
      });
    });

    it("adds to counts whose records were pruned", () => {
      const other = new Client(now + HALF_AN_HOUR, place.PRUNED);
      const { verdicts } = said<Status>("pruned status");
      other.send("SessionStart", { session_id: "p-new", source: "resume" });
      other.bash("make", { fields: { session_id: "p-new" } });
      const after = ask<Status>("pruned status", other.now);
      expect(after.verdicts).toEqual({ ...verdicts, pass: verdicts.pass + 1 });
      expect(ask("pruned verify", other.now)).toMatchObject({ integrity: "intact" });
    });
  });

  describe("undo", () => {
    it("restores copied files, committed files, directories and links", () => {
      open();
      const build = join(place.PROJECT, "build");
      expect(lstatSync(build, { throwIfNoEntry: false })).toBeUndefined();
      const { code, stdout, stderr } = place.runProgram(["undo", "--json"], { now });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect((JSON.parse(stdout) as { restored: string[] }).restored.sort()).toEqual([
        "build/deep/one.bin",
        "build/link",
        "build/mine.txt",
        "build/old.txt",
      ]);
      const read = (name: string): string => readFileSync(join(build, name), "utf8");
      expect([read("deep/one.bin"), read("mine.txt"), read("old.txt")]).toEqual([
        "\u0000\u0001bytes\n",
        "first\n",
        "committed\n",
      ]);
      expect(readlinkSync(join(build, "link"))).toBe("old.txt");
      const [newest] = ask<readonly { readonly id: string; readonly state: string }[]>("undo");
      expect(newest).toEqual({ ...said<readonly object[]>("undo")[0], state: "undone" });
    });
  });

  describe.skipIf(forPeople.skip)(`commands for people${forPeople.why}`, () => {
    const DAYS_91 = 91 * 86_400_000;

    it("prunes segments sealed by 0.1.0 without losing their counts", () => {
      open();
      // Prune needs two snapshots of this version that are newer than the segments.
      const client = new Client(now + DAYS_91);
      for (let count = 0; count < 60; count++) client.send("Notification", { session_id: "s-late" });
      client.person(["audit", "prune"]);
      expect(Object.keys(segmentsOf(place.PROJECT))).toEqual(["journal.00000003.jsonl"]);
      expect(ask("verify", client.now)).toMatchObject({ integrity: "intact" });
      expect(ask<Status>("status", client.now).verdicts).toEqual(said<Status>("status").verdicts);
    });

    it("revokes a grant and removes the hooks", () => {
      open();
      const client = new Client(now);
      const [lasting] = said<Status>("status").grants;
      client.person(["deny", lasting?.id ?? ""]);
      expect(ask<Status>("status").grants).toMatchObject([{ once: true }]);
      client.person(["uninstall", "--yes"]);
      expect(lstatSync(join(place.PROJECT, ".claude/settings.local.json"), { throwIfNoEntry: false })).toBeUndefined();
    });
  });
});

interface Scores {
  readonly domains: Readonly<Record<string, { readonly score: number; readonly total_operations: number } | undefined>>;
}
