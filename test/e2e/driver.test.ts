/** The driver answers and records what a real process answers and records. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import type { Answer } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

const PAYLOADS = join(import.meta.dirname, "..", "payloads");

/** Replaces what differs between two runs: paths, ids and times. */
function levelled(value: unknown, { root, journal }: Stage): unknown {
  const changing = [
    "rid",
    "t",
    "ms",
    "at",
    "effect",
    "base",
    "ageSeconds",
    "age",
    "lastSeen",
    "timestamp",
    "id",
    "manifest",
    // Of inputs and transcripts that name the stage's own paths.
    "mark",
    "offset",
  ];
  const text = JSON.stringify(value, (name, inner) => (changing.includes(name) ? undefined : inner));
  return JSON.parse(
    text
      .replaceAll(journal().split("/").at(-1) ?? "", "@key")
      .replaceAll(root.slice(1).replaceAll("/", "+"), "@cut")
      .replaceAll(root, "@root")
      .replace(/(explain|allow|undo) [0-9A-Za-z_-]+/g, "$1 @rid")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "@time"),
  );
}

const recordsOf = ({ journal }: Stage): readonly unknown[] => [...openJournal({ directory: journal() }).records()];

function twoStages(prepare: (stage: Stage) => void = () => undefined): readonly [Stage, Stage] {
  const stages = [openStage(), openStage({ processes: "warm" })] as const;
  for (const stage of stages) {
    prepare(stage);
    stage.send("SessionStart", { source: "startup" });
  }
  return stages;
}

function expectSame(stages: readonly [Stage, Stage], act: (stage: Stage) => readonly Answer[]): void {
  const [driven, real] = stages.map((stage) => levelled(act(stage), stage));
  expect(driven).toEqual(real);
  const [drivenRecords, realRecords] = stages.map((stage) => levelled(recordsOf(stage), stage));
  expect(drivenRecords).toEqual(realRecords);
}

it("for every recorded payload of the host", () => {
  const names = readdirSync(PAYLOADS).filter((name) => !name.startsWith("statusLine"));
  expect(names.length).toBeGreaterThan(100);
  expectSame(twoStages(), ({ sendBytes }) =>
    names.map((name) => {
      const body = readFileSync(join(PAYLOADS, name), "utf8");
      const { hook_event_name: event } = JSON.parse(body) as { hook_event_name: EventName };
      return sendBytes(event, body, { gate: name.includes("Read") ? "harmless" : "change" });
    }),
  );
});

it("for verdicts, bytes that are no UTF-8, other environments, and settings", () => {
  const stages = twoStages((stage) => {
    stage.write(".sekisho/config.yaml", "language: ja\n");
    stage.write("build/new.txt", "x\n");
  });
  expectSame(stages, ({ bash, use, send, sendBytes, project }) => [
    bash("ls"),
    bash("rm -rf ~"),
    bash("git tag -d old"),
    bash("rm -rf build"),
    use("Write", { file_path: join(project, ".claude/settings.local.json"), content: "{}" }),
    use("Read", { file_path: "~/.ssh/id_rsa" }),
    sendBytes("PreToolUse", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x80)),
    send("Stop", {}, { env: { CLAUDE_PID: "1" } }),
    send("UserPromptSubmit", { prompt: "go on" }, { env: { LANG: "ja_JP.UTF-8" } }),
  ]);
});

it("for commands", () => {
  const words = [
    ["status"],
    ["status", "--json"],
    ["audit"],
    ["explain"],
    ["explain", "zzz"],
    ["policies"],
    ["frobnicate"],
    ["help"],
    [],
    ["trust"],
    ["rules"],
    ["config"],
    ["audit", "verify"],
  ];
  expectSame(twoStages(), (stage) => {
    stage.bash("git reset --hard");
    return words.map((args) => withoutTimes(stage.sekisho(...args)));
  });
});

/** Times, ages and ids as the screens show them. */
function withoutTimes({ code, stdout, stderr }: Answer): Answer {
  const level = (text: string): string =>
    text
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?/g, "@time")
      .replace(/\b\d\d:\d\d:\d\d\b/g, "@time")
      .replace(/\b\d+(\.\d+)? ?(ms|s|min)\b/g, "@age")
      .replace(/\bjust now\b|\b\d+ (?:second|minute)s? ago\b/g, "@age")
      .replace(/\bm[0-9a-z]{7,}\b/g, "@id")
      .replace(/"(\w*(At|Seconds|Seen|age|timestamp|at))": ?("[^"]*"|\d+)/g, '"$1": @');
  return { code, stdout: level(stdout), stderr: level(stderr) };
}
