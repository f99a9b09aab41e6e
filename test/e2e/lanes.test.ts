/**
 * Both lanes apply the same policies: the daemon answers and records every event as a separate process would. Compares
 * every recorded payload and every row of the corpus in two identical stages. The plain side runs in one child process
 * for all events, to save time.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { harmlessTools } from "../../src/hosts/claude-code/tools.ts";
import { ensureDoor } from "../../src/store/door.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { RECORD_BYTES_MAX } from "../../src/store/journal/line.ts";
import { corpusNames, filled, type Row, rowsOf } from "../corpus-rows.ts";
import { type DrivenEvent, drive } from "./driver.ts";
import { type House, openHouse } from "./house.ts";
import { program } from "./program.ts";
import { openStage, registeredEvents, type Stage } from "./stage.ts";

const PAYLOADS = join(import.meta.dirname, "..", "payloads");

interface Call extends DrivenEvent {
  readonly name: string;
}

interface Outcome {
  readonly name: string;
  readonly refused: string | undefined;
  readonly said: unknown;
}

async function onPlainLane(stage: Stage, calls: readonly Call[]): Promise<readonly Outcome[]> {
  const answers = drive(stage, calls);
  return answers.map((answer, at) => {
    const name = calls[at]?.name ?? "";
    if (answer.code === 2) return { name, refused: answer.stderr.trimEnd(), said: {} };
    return { name, refused: undefined, said: JSON.parse(answer.stdout || "{}") };
  });
}

async function onFastLane(house: House, calls: readonly Call[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, event, harmless, body } of calls) {
    const { status, text } = await house.postBytes(event, body, {
      path: `/${event}/${harmless ? "harmless" : "any"}/x`,
    });
    expect({ name, status }).toEqual({ name, status: 200 });
    const said = JSON.parse(text);
    const isRefused = said.hookSpecificOutput?.permissionDecision === "deny";
    // With exit code 2 there is no room for a notice.
    if (isRefused) outcomes.push({ name, refused: said.hookSpecificOutput.permissionDecisionReason, said: {} });
    else outcomes.push({ name, refused: undefined, said });
  }
  return outcomes;
}

/** Both stages have the hooks of the fast lane in their settings; in one of them no daemon runs. */
function twoWorlds(prepare: (stage: Stage) => void = () => undefined): { readonly plain: Stage; readonly fast: House } {
  const [plain, other] = [openStage(), openStage()];
  for (const stage of [plain, other]) prepare(stage);
  const ours = withOurs(
    undefined,
    registeredEvents,
    { ...program, door: ensureDoor(join(plain.state, "sekisho")) },
    { lane: "fast" },
  );
  if ("problem" in ours) throw new Error(ours.problem);
  plain.write(".claude/settings.local.json", ours.text);
  plain.send("SessionStart", { source: "startup" });
  const fast = openHouse(other);
  for (const { project } of [plain, other]) mkdirSync(join(project, "src", "deep"), { recursive: true });
  return { plain, fast };
}

/**
 * Removes what differs between the stages: paths (and digests of them), record ids and times. The mark of a command is
 * such a digest: see `marksIn`. The digest of the code before the first change depends on a timeout, which a busy machine
 * may miss: see `basesIn`. The whole of a long input holds paths, and a record close to the limit may need it on one lane only.
 */
function levelled(value: unknown, { root, journal }: Stage): unknown {
  const key = journal().split("/").at(-1) ?? "";
  const text = JSON.stringify(value, (name, inner) => {
    if (inner?.kind === "undo") return { ...inner, id: "@id", manifest: "@manifest" };
    if (name === "mark") return "@mark";
    return ["rid", "t", "ms", "at", "effect", "base", "whole"].includes(name) ? undefined : inner;
  });
  return JSON.parse(
    text
      .replaceAll(key, "@key")
      // A name that was cut inside the key.
      .replaceAll(root.slice(1).replaceAll("/", "+"), "@cut")
      .replaceAll(root, "@root")
      .replace(/(explain|allow|undo) [0-9A-Za-z_-]+/g, "$1 @rid")
      .replace(/refused \d+ min ago \((no-[a-z-]+), \w+\)/g, "refused @when ($1, @rid)"),
  );
}

/** With many objections, or close to the size limit, a record may fit on one lane and not on the other. */
function withoutCuts(records: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const isEitherLong = (at: number): boolean =>
    [records[at], others[at]].some((one) => isLong((one ?? {}) as LongRecord));
  return records.map((record, at) => (isEitherLong(at) ? uncut(record as LongRecord) : record));
}

function isLong(record: LongRecord): boolean {
  if (record["kind"] !== "verdict") return false;
  const json = JSON.stringify(record);
  const isNearLimit = Buffer.byteLength(json) > RECORD_BYTES_MAX - 150;
  return (record.objections ?? []).length > 2 || isNearLimit || json.includes("…[cut");
}

/** The duration is part of a record and affects where a long record is cut. */
function uncut({ input: _, cwd: __, asked: ___, shape: ____, objections = [], ...rest }: LongRecord): object {
  return { ...rest, objections: objections.map(({ policy, decision }) => ({ policy, decision })) };
}

type LongRecord = Readonly<Record<string, unknown>> & {
  readonly objections?: readonly { readonly policy: string; readonly decision: string }[];
};

function recordsOf({ journal }: Stage): readonly unknown[] {
  return [...openJournal({ directory: journal() }).records()];
}

/** Compares answers and records from here on, without those of the set-up. */
async function expectSame(plain: Stage, fast: House, callsIn: (stage: Stage) => readonly Call[]): Promise<void> {
  const [plainBefore, fastBefore] = [plain, fast.stage].map((stage) => recordsOf(stage).length);
  const [plainCalls, fastCalls] = [callsIn(plain), callsIn(fast.stage)];
  const [wanted, found] = [await onPlainLane(plain, plainCalls), await onFastLane(fast, fastCalls)];
  expect(levelled(found, fast.stage)).toEqual(levelled(wanted, plain));
  const [plainKept, fastKept] = [recordsOf(plain).slice(plainBefore), recordsOf(fast.stage).slice(fastBefore)];
  const [fastWhole, plainWhole] = [withoutCuts(fastKept, plainKept), withoutCuts(plainKept, fastKept)];
  expect(levelled(fastWhole, fast.stage)).toEqual(levelled(plainWhole, plain));
  expect(marksIn(fastKept, fastCalls, fast.stage)).toEqual(marksIn(plainKept, plainCalls, plain));
  expect(fastKept.length).toBeGreaterThanOrEqual(wanted.length);
  expect(new Set(basesIn([...plainKept, ...fastKept])).size).toBeLessThanOrEqual(1);
}

/** The digests of the code before the first change, where there was time to compute them. */
function basesIn(records: readonly unknown[]): readonly string[] {
  const changes = (records as readonly { changes?: readonly { base?: string }[] }[]).flatMap(
    ({ changes = [] }) => changes,
  );
  return changes.flatMap(({ base }) => base || []);
}

/** The marks of tool inputs without a path of the stage, which must be the same on both lanes. */
function marksIn(records: readonly unknown[], calls: readonly Call[], { root }: Stage): readonly unknown[] {
  const inputs = calls.map(({ body }) => JSON.parse(String(body)));
  const isAlike = (id: string): boolean =>
    inputs.some((one) => one.tool_use_id === id && !JSON.stringify(one.tool_input ?? {}).includes(root));
  return (records as readonly { changes?: readonly { id?: string; mark?: string }[] }[])
    .flatMap(({ changes = [] }) => changes)
    .flatMap(({ id = "", mark }) => (mark !== undefined && isAlike(id) ? [{ id, mark }] : []));
}

const isHarmless = (tool: unknown): boolean => harmlessTools().includes(String(tool));

it("every recorded payload of the host", async () => {
  const names = readdirSync(PAYLOADS).filter((name) => !name.startsWith("statusLine"));
  expect(names.length).toBeGreaterThan(100);
  const payloads = names.map((name) => [name, JSON.parse(readFileSync(join(PAYLOADS, name), "utf8"))] as const);
  const { plain, fast } = twoWorlds();
  // Without a transcript the fast lane believes the connection, and the plain lane nothing.
  const transcriptOf = (stage: Stage) => ({ transcript_path: join(stage.root, "transcript.jsonl") });
  for (const stage of [plain, fast.stage]) writeFileSync(transcriptOf(stage).transcript_path, "");
  const callsIn = (stage: Stage): readonly Call[] =>
    payloads.map(([name, fields], at) => ({
      name,
      event: String(fields.hook_event_name),
      harmless: fields.hook_event_name === "PreToolUse" && isHarmless(fields.tool_name),
      // A session per payload, so that a SessionEnd does not affect later ones.
      body: JSON.stringify({ ...fields, ...transcriptOf(stage), session_id: `${fields.session_id}-${at}` }),
    }));
  // Opened by processes in both stages, so that what follows is bound to the host.
  const begin = { hook_event_name: "SessionStart", source: "startup" };
  const startsIn = (stage: Stage): readonly Call[] =>
    payloads.map(([name, { session_id: id }], at) => ({
      name,
      event: "SessionStart",
      harmless: false,
      body: JSON.stringify({ session_id: `${id}-${at}`, ...begin, ...transcriptOf(stage) }),
    }));
  // In batches: the journal remembers twenty sessions, and a forgotten one is unbound on the fast lane.
  for (let at = 0; at < payloads.length; at += 15) {
    for (const stage of [plain, fast.stage]) await onPlainLane(stage, startsIn(stage).slice(at, at + 15));
    await expectSame(plain, fast, (stage) => callsIn(stage).slice(at, at + 15));
  }
  const records = recordsOf(fast.stage) as readonly { unbound?: boolean; changes?: readonly object[] }[];
  expect(records.flatMap(({ changes = [] }) => changes).filter((change) => "awaits" in change)).not.toEqual([]);
  expect(records.filter(({ unbound }) => unbound)).toEqual([]);
});

it("every row of the corpus gets the same answer on both lanes", async () => {
  const rows = corpusNames().flatMap(rowsOf);
  expect(rows.length).toBeGreaterThan(300);
  const { plain, fast } = twoWorlds();
  for (const { links = {} } of rows) {
    for (const [name, target] of Object.entries(links)) {
      for (const { project } of [plain, fast.stage]) symlinkSync(target, join(project, name));
    }
  }
  await expectSame(plain, fast, (stage) => rows.map((row) => callOf(row, stage)));
  const records = recordsOf(fast.stage) as readonly { decision?: string; unbound?: boolean }[];
  expect(records.filter(({ decision }) => decision === "deny").length).toBeGreaterThan(150);
  expect(records.filter(({ unbound }) => unbound)).toEqual([]);
  // Over a thousand commands on two lanes; the duration depends on the machine.
});

function callOf({ id, command, tool = "Bash", input = { command }, cwd = "." }: Row, stage: Stage): Call {
  const fields = {
    session_id: "s1",
    cwd: join(stage.project, cwd),
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: JSON.parse(filled(JSON.stringify(input), stage)),
    tool_use_id: id,
  };
  return { name: id, event: "PreToolUse", harmless: isHarmless(tool), body: JSON.stringify(fields) };
}

it("MD-74 facts from git, branches and lists are the same, whether looked up inline or outside the hall", async () => {
  const { plain, fast } = twoWorlds();
  for (const stage of [plain, fast.stage]) {
    const git = (...args: readonly string[]): void => {
      const who = ["-c", "user.name=x", "-c", "user.email=x@x"];
      expect(spawnSync("git", [...who, ...args], { cwd: stage.project, env: stage.env }).status).toBe(0);
    };
    git("init", "-q", "-b", "main");
    stage.write(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\nWARN:RUNBOOK.md\n");
    stage.write(".sekisho/config.yaml", "policies: { no-main-branch-edit: on }\npublish: { share: ask }\n");
    stage.write("a.ts", "a");
    git("add", "a.ts");
    git("commit", "-q", "-m", "x");
    git("branch", "topic");
    for (const name of ["b.ts", "c d.ts", "e.ts"]) stage.write(name, name);
    git("add", "b.ts", "c d.ts", "e.ts");
    stage.send("UserPromptSubmit", { prompt: "go on" });
  }
  const commands = [
    "git merge topic",
    "git merge --abort",
    "cd src && git merge topic",
    "git -C @home merge topic",
    "git -C @project merge topic; git -C @home pull",
    "git push",
    "echo x > CLAUDE.md",
    "sed -i s/a/b/ RUNBOOK.md",
    "npm publish",
    "git commit -m x",
    `git merge topic # ${"x".repeat(10_000)}`,
  ];
  const callsIn = (stage: Stage): readonly Call[] =>
    commands.map((command, at) => callOf({ id: `r${at}`, command, expect: "pass" }, stage));
  await expectSame(plain, fast, callsIn);
  expect(marksIn(recordsOf(fast.stage), callsIn(fast.stage), fast.stage)).not.toEqual([]);
  const told = JSON.stringify(recordsOf(fast.stage));
  for (const words of [
    "3 file(s) are staged: b.ts, c d.ts, e.ts",
    "no-protected-edit",
    "no-main-branch-edit",
    "no-publish",
  ])
    expect(told).toContain(words);
});

it("snapshots before a destructive command are the same on both lanes", async () => {
  const { plain, fast } = twoWorlds();
  for (const stage of [plain, fast.stage]) {
    stage.write(".gitignore", "node_modules\n");
    stage.write("src/committed.ts", "1\n");
    stage.git("add", ".gitignore", "src");
    stage.git("commit", "--quiet", "-m", "first");
    stage.write("src/changed.ts", "never committed\n");
    stage.write("build/.env", "A=1\n");
    stage.write("build/out.js", "x\n");
    for (let at = 0; at < 600; at++) stage.write(`node_modules/${at}.js`, "x");
  }
  const commands = [
    "rm -rf build",
    "rm -rf src",
    "sed -i s/n/m/ src/changed.ts",
    "git checkout -- .",
    "rm -rf node_modules",
  ];
  await expectSame(plain, fast, (stage) =>
    commands.map((command) => callOf({ id: command, command, expect: "pass" }, stage)),
  );
  const kept = (recordsOf(fast.stage) as readonly { kind: string }[]).filter(({ kind }) => kind === "undo");
  expect(kept).toMatchObject([{ files: 1, left: 1 }, { files: 2 }, { files: 1 }]);
});

it("MD-82 formatting after an edit is reported and recorded the same on both lanes", async () => {
  const { plain, fast } = twoWorlds((stage) => {
    stage.write("tidy", `#!/bin/sh\ncase $1 in *bad*) exit 3;; esac\nsed -i 's/  */ /g' "$1"\n`);
    chmodSync(join(stage.project, "tidy"), 0o755);
    stage.write(".sekisho/config.local.yaml", 'format: { enabled: true, commands: ["ts=./tidy {file}"] }\n');
    for (const name of ["a b.ts", "same.ts", "bad.ts"]) stage.write(name, name === "same.ts" ? "x\n" : "x  y\n");
  });
  const callFor = (stage: Stage, event: string, name: string, more: object): Call => {
    const input = { file_path: join(stage.project, name), old_string: "a", new_string: "b" };
    const fields = {
      session_id: "s1",
      cwd: stage.project,
      hook_event_name: event,
      tool_name: "Edit",
      tool_use_id: name,
    };
    return { name, event, harmless: false, body: JSON.stringify({ ...fields, tool_input: input, ...more }) };
  };
  const response = "<tool_use_error>String to replace not found in file.</tool_use_error>";
  await expectSame(plain, fast, (stage) => [
    ...["a b.ts", "same.ts", "bad.ts"].map((name) => callFor(stage, "PostToolUse", name, { tool_response: {} })),
    callFor(stage, "PostToolUseFailure", "a b.ts", { error: "no match", tool_use_id: "t2" }),
    callFor(stage, "PostToolBatch", "a b.ts", {
      tool_calls: [
        { tool_name: "Edit", tool_use_id: "t3", tool_input: { file_path: "a b.ts" }, tool_response: response },
      ],
    }),
  ]);
  const kept = (recordsOf(fast.stage) as readonly { kind: string }[]).filter(({ kind }) => kind === "format");
  expect(kept).toMatchObject([{ by: "tidy" }, { problem: "it ended with exit code 3" }]);
});
