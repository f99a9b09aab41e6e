import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import { driveNow } from "../../kernel/drive.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { ordinaryFacts } from "../../policies/describe-policy.ts";
import { newSession } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { newState } from "../../state/state.ts";
import { gather } from "../gather.ts";
import { processAt } from "../machine/caller.ts";
import { transcriptTail } from "./transcript-tail.ts";

const home = tempDirectory("tail");
const file = join(home, "t.jsonl");
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("MD-62 the end of a transcript", () => {
  it("is read line by line, oldest first", () => {
    writeFileSync(file, lines({ at: 1 }, { at: 2 }));
    expect(transcriptTail(file, home)).toEqual([{ at: 1 }, { at: 2 }]);
  });

  it("is the last mebibyte, without a line that was cut", () => {
    const filling = { x: "x".repeat(700_000) };
    writeFileSync(file, lines({ at: 1 }, filling, { at: 2 }, filling, { at: 3 }));
    expect(transcriptTail(file, home)).toEqual([{ at: 2 }, filling, { at: 3 }]);
  });

  it("starts with a whole line when the cut falls between two lines", () => {
    const [first, second] = [lines({ at: 1 }), lines({ at: 2 }, { at: 3 })];
    writeFileSync(file, first + second);
    const from = (bytes: number): readonly unknown[] => transcriptTail(file, home, bytes);
    expect(from(second.length)).toEqual([{ at: 2 }, { at: 3 }]);
    expect(from(second.length - 1)).toEqual([{ at: 3 }]);
    expect(from(second.length + 1)).toEqual([{ at: 2 }, { at: 3 }]);
    expect(from((first + second).length - 1)).toEqual([{ at: 2 }, { at: 3 }]);
    expect(from((first + second).length)).toEqual([{ at: 1 }, { at: 2 }, { at: 3 }]);
  });

  it("a line longer than the limit yields nothing", () => {
    writeFileSync(file, `${JSON.stringify({ x: "x".repeat(5_000) })}`);
    expect(transcriptTail(file, home, 1_000)).toEqual([]);
  });

  it("lines that are not JSON are skipped, also a half-written one", () => {
    writeFileSync(file, `\n{"at":1}\nnonsense\n\u0000\n{"at":2}\r\n{"at":`);
    expect(transcriptTail(file, home)).toEqual([{ at: 1 }, { at: 2 }]);
  });

  it("`~` is resolved to the home directory", () => {
    writeFileSync(file, lines({ at: 1 }));
    expect(transcriptTail("~/t.jsonl", home)).toEqual([{ at: 1 }]);
  });

  it.each([
    ["nothing there", () => join(home, "none.jsonl")],
    ["no path", () => ""],
    ["a relative path", () => "t.jsonl"],
    ["a directory", () => home],
    ["a device", () => "/dev/zero"],
    ["a path with a NUL", () => `${home}/a\u0000b`],
    [
      "a pipe",
      () => {
        execFileSync("mkfifo", [join(home, "pipe")]);
        return join(home, "pipe");
      },
    ],
    [
      "a link",
      () => {
        symlinkSync(file, join(home, "link"));
        return join(home, "link");
      },
    ],
  ])("%s yields no lines", (_, path) => {
    writeFileSync(file, lines({ at: 1 }));
    expect(transcriptTail(path(), home)).toEqual([]);
  });
});

describe("MD-67 the toldResults fact", () => {
  const project = join(home, "project");
  mkdirSync(project);
  const transcript = join(home, "told.jsonl");
  const use = { type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } };
  const result = { type: "tool_result", tool_use_id: "t", content: "All 3 tests passed" };
  writeFileSync(
    transcript,
    lines({ type: "assistant", message: { content: [use] } }, { type: "user", message: { content: [result] } }),
  );

  function fact(modes: Readonly<Record<string, { readonly since: number }>>, more: object = {}): unknown {
    const event = { name: "Stop", session: "s", cwd: project, attended: true, transcript, ...more };
    const steps = gather(["toldResults"], {
      host: hosts[HOST],
      event: event as unknown as HookEvent,
      operation: undefined,
      env: {},
      now: 0,
      parentOf: () => processAt(0),
      places: { ...ordinaryFacts.places, project, home },
      settings: defaultSettings,
      settingsProblems: [],
      state: { ...newState, sessions: { s: { ...newSession(0), modes } } },
      armingOf: () => ({ readable: true, hooks: [], disarms: [], strange: [], runs: [] }),
      deadline: 1,
      clock: () => 0,
    });
    return driveNow(steps, () => undefined).toldResults;
  }

  it("is what the transcript tells at the end of a turn", () => {
    expect(fact({ qa: { since: 0 } })).toEqual({ analyse: "unknown", test: "passed" });
    expect(fact({ qa: { since: 0 } }, { transcript: "~/told.jsonl" })).toEqual({ analyse: "unknown", test: "passed" });
  });

  it("is not looked up when the project has required checks: no transcript is read", () => {
    const manifest = join(project, "package.json");
    writeFileSync(manifest, JSON.stringify({ scripts: { test: "node test.js" } }));
    onTestFinished(() => rmSync(manifest));
    expect(fact({ qa: { since: 0 } })).toBeNull();
  });

  it("is unknown without a transcript", () => {
    expect(fact({ qa: { since: 0 } }, { transcript: "" })).toEqual({ analyse: "unknown", test: "unknown" });
    expect(fact({ qa: { since: 0 } }, { transcript: "/dev/zero" })).toEqual({ analyse: "unknown", test: "unknown" });
  });
});
