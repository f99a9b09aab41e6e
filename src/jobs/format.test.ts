import * as childProcess from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { answer, hallWith } from "../app/example-hall.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import type { JournalRecord } from "../state/record.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { runNow } from "../world/machine/program.ts";

/** The formatter's time limit in these tests; one that hangs uses all of it. */
const TIME_MS = 3000;

interface Written {
  readonly said: string;
  readonly content: string;
  readonly kept: readonly JournalRecord[];
  readonly project: string;
}

/** Writes a file in a project whose formatter is the given shell script, and returns the result. */
function written(script: string, options: { name?: string; timeMs?: number; store?: Store } = {}): Written {
  const { name = "a.txt", timeMs = TIME_MS, store = memoryStore() } = options;
  const project = tempDirectory("format");
  const program = join(project, "formatter");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const path = join(project, name);
  writeFileSync(path, "as written\n");
  const format = { enabled: true, commands: [`txt=${program} {file}`] };
  // Later than all files written by the test, like a real session.
  const now = Date.now() + 1000;
  const hall = hallWith(store, {
    env: { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8", PATH: process.env["PATH"] },
    clock: () => now,
    run: (program) => runNow(program, childProcess),
    deadline: now + 500 + timeMs,
    placesOf: () => ({ ...ordinaryFacts.places, project }),
    settingsOf: () => ({ settings: { ...defaultSettings, format }, problems: [], custom: [] }),
  });
  const body = {
    ...{ session_id: "s-1", cwd: project, hook_event_name: "PostToolUse", tool_use_id: "t-1", tool_name: "Write" },
    tool_input: { file_path: path, content: "as written\n" },
  };
  const { stdout } = answer({ body: JSON.stringify(body), env: hall.env }, hall);
  const kept = [...store.records()].filter(({ kind }) => kind !== "verdict");
  return { said: stdout, content: existsSync(path) ? readFileSync(path, "utf8") : "", kept, project };
}

const TIDY = `printf 'tidy\\n' > "$1"`;

it("MD-82 a reformatted file is reported and recorded, with the length of the note", () => {
  const { said, content, kept, project } = written(TIDY);
  expect(content).toBe("tidy\n");
  const { additionalContext: note } = JSON.parse(said).hookSpecificOutput;
  expect(note).toBe("Sekisho: a.txt was reformatted by formatter after this edit. Read it again before the next edit.");
  const [record] = kept;
  expect(kept).toHaveLength(1);
  expect(record).toMatchObject({
    ...{ kind: "format", session: "s-1", call: "t-1", path: `${project}/a.txt`, by: "formatter" },
    injected: note.length,
  });
});

it.each([`it's "quoted" $(touch x).txt`, "-rf a.txt", "two\nlines `id`.txt", "日本 語;.txt"])(
  "TS-38 a path with spaces and quotes is one argument: %j",
  (name) => {
    const { content, kept, project } = written(`${TIDY}; test $# = 1`, { name });
    expect(content).toBe("tidy\n");
    expect(kept).toMatchObject([{ kind: "format", path: `${project}/${name}` }]);
    expect(existsSync(join(project, "x"))).toBe(false);
  },
);

it.each([
  ["nothing was changed", "exit 0", "as written\n", []],
  ["it failed", "exit 3", "as written\n", [{ problem: "it ended with exit code 3" }]],
  ["it hangs", "exec sleep 600", "as written\n", [{ problem: "it took too long" }]],
  ["it wrote elsewhere", 'printf x > "$1.other"', "as written\n", []],
  ["it emptied the file", ': > "$1"', "as written\n", [{ problem: expect.stringContaining("put back") }]],
  ["it took the file away", 'rm "$1"', "as written\n", [{ problem: expect.stringContaining("put back") }]],
])("MD-82 the file is unchanged and nothing is reported when %s", (_, script, content, problems) => {
  const result = written(script, script.includes("sleep") ? { timeMs: 300 } : {});
  expect(result).toMatchObject({ said: "", content });
  expect(result.kept).toMatchObject(problems.map((problem) => ({ kind: "format", by: "formatter", ...problem })));
});

it("a formatter that changes the file and then fails counts as formatted", () => {
  expect(written(`${TIDY}; exit 1`)).toMatchObject({ content: "tidy\n", said: expect.stringContaining("reformatted") });
});

it("no formatter runs without time left or when the verdict cannot be recorded", () => {
  expect(written(TIDY, { timeMs: 0 })).toMatchObject({ content: "as written\n", kept: [] });
  const full: Store = { ...memoryStore(), append: () => ({ fault: "The disk is full.", code: "full" }) };
  expect(written(TIDY, { store: full })).toMatchObject({ content: "as written\n" });
});
