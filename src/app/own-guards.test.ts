/** The project's own guards, with real scripts: what they refuse, what happens when they are not as trusted, and limits. */
import * as childProcess from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import type { ProgramRun } from "../kernel/effect.ts";
import { runBeside } from "../lanes/gatehouse/programs.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { GUARDS_MAX } from "../state/guards.ts";
import { sha256Hex } from "../store/digest.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { guardDigest, guardPath } from "../world/machine/guard-file.ts";
import { runNow } from "../world/machine/program.ts";
import { keepAction } from "./actions/action.ts";
import { type ExampleHall, hallWith, send } from "./example-hall.ts";
import type { Person } from "./person.ts";

let root: string;
let project: string;
let store: Store;
let hall: ExampleHall;
let runs: ProgramRun[];

beforeEach(() => {
  root = tempDirectory("own-guards");
  project = join(root, "project");
  mkdirSync(join(project, ".sekisho/guards"), { recursive: true });
  store = memoryStore();
  runs = [];
  const places = { ...ordinaryFacts.places, project, home: join(root, "home"), journal: join(root, "journal") };
  const env = {
    CLAUDE_PID: String(process.ppid),
    PATH: `${join(root, "home/bin")}:${join(project, "bin")}:/usr/bin:/bin`,
    API_TOKEN: "sesame",
    BASH_ENV: join(project, "evil.sh"),
  };
  const run: ExampleHall["run"] = (program) => {
    if (program.judges) runs.push(program);
    return runNow(program, childProcess);
  };
  hall = hallWith(store, { placesOf: () => places, env, run, digest: sha256Hex });
});

const person: Person = { from: "test" };

function put(name: string, body: string): void {
  writeFileSync(guardPath(project, name), `#!/bin/sh\n${body}\n`);
  chmodSync(guardPath(project, name), 0o755);
}

function trust(name: string, on: "changes" | "all" = "changes"): void {
  const digest = guardDigest(guardPath(project, name), sha256Hex) ?? "";
  const changes = [{ record: "guard", do: "trust", name, digest, on } as const];
  keepAction(store, { action: "guard", changes }, 1_000, person);
}

let calls = 0;

function tool(tool_name: string, tool_input: object) {
  return send(hall, "PreToolUse", { cwd: project, tool_name, tool_input, tool_use_id: `t-${++calls}` });
}

const write = (file = "a.md") => tool("Write", { file_path: join(project, file), content: "x" });
const read = () => tool("Read", { file_path: join(project, "a.md") });
const bash = (command: string) => tool("Bash", { command });

it("PB-82 a project without trusted guards runs and looks up nothing, whatever lies in the directory", () => {
  put("refuse", "exit 1");
  expect([write().exitCode, runs.length]).toEqual([0, 0]);
});

it("PB-82 a trusted guard that exits with 0 lets the change pass, and one that exits with 1 or 2 refuses it", () => {
  for (const [code, exit] of [
    [0, 0],
    [1, 2],
    [2, 2],
  ] as const) {
    put("judge", `echo "reason ${code}" >&2; exit ${code}`);
    trust("judge");
    const reply = write();
    expect(reply.exitCode).toBe(exit);
    if (exit === 2) expect(reply.stderr).toContain(`guard judge refuses this: reason ${code}`);
  }
});

it("PB-82 every way to change something is judged, and reading is not, unless all is", () => {
  put("judge", "exit 1");
  trust("judge");
  expect(
    [write(), bash("echo x > a.md"), bash("python3 x.py"), tool("mcp__x__write", {})].map((one) => one.exitCode),
  ).toEqual([2, 2, 2, 2]);
  expect([read(), bash("ls"), tool("TodoWrite", {}), tool("AskUserQuestion", {})].map((one) => one.exitCode)).toEqual([
    0, 0, 0, 0,
  ]);
  trust("judge", "all");
  expect([read().exitCode, bash("ls").exitCode]).toEqual([2, 2]);
});

it("PB-82 a guard can only tighten: its yes lifts no other refusal", () => {
  put("judge", "exit 0");
  trust("judge", "all");
  expect(bash("rm -rf /").exitCode).toBe(2);
});

it("PB-23 PB-82 a trusted guard that is missing, changed or not executable refuses changes, and reading goes on", () => {
  put("judge", "exit 0");
  trust("judge", "all");
  expect(write().exitCode).toBe(0);
  put("judge", "exit 0 # harmless");
  expect([write().exitCode, write().stderr]).toEqual([
    2,
    expect.stringContaining("not the file that a person trusted"),
  ]);
  expect(read().exitCode).toBe(0);
  rmSync(guardPath(project, "judge"));
  expect([write().exitCode, write().stderr]).toEqual([2, expect.stringContaining("is missing")]);
  put("judge", "exit 0");
  chmodSync(guardPath(project, "judge"), 0o644);
  expect([write().exitCode, write().stderr]).toEqual([2, expect.stringContaining("could not be started (EACCES)")]);
});

it("PB-82 a guard that is changed while it is started is not believed", () => {
  put("judge", "exit 1");
  trust("judge");
  const run: ExampleHall["run"] = (program) => {
    put("judge", "exit 0");
    return runNow(program, childProcess);
  };
  hall = { ...hall, run };
  expect(write().exitCode).toBe(2);
});

it("PB-82 the event comes on standard input, with what the call would do", () => {
  put("judge", `cat > "${join(root, "seen.json")}"`);
  trust("judge");
  bash("echo x > a.md");
  const seen = JSON.parse(readFileSync(join(root, "seen.json"), "utf8"));
  expect(seen).toMatchObject({
    version: 1,
    hook_event_name: "PreToolUse",
    session_id: "s-1",
    cwd: project,
    project,
    tool_name: "Bash",
    tool_input: { command: "echo x > a.md" },
    operation: { class: "write", effects: [{ effect: "write", path: join(project, "a.md"), exact: true }] },
  });
});

it("PB-82 no variable and no program of the agent's reaches a guard, and no secret of the environment", () => {
  for (const place of [join(root, "home/bin"), join(project, "bin")]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "grep"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  }
  writeFileSync(join(project, "evil.sh"), "exit 0\n");
  writeFileSync(
    guardPath(project, "judge"),
    `#!/bin/bash\nenv > "${join(root, "env")}"\nif echo a | grep -q b; then exit 0; fi\necho no >&2; exit 1\n`,
    { mode: 0o755 },
  );
  trust("judge");
  expect(write().exitCode).toBe(2);
  const env = readFileSync(join(root, "env"), "utf8");
  expect(env).not.toMatch(/sesame|BASH_ENV|HOME=|CLAUDE/);
});

it("PB-82 a guard that never ends, dies or says too much refuses, in both lanes", async () => {
  const bodies = ["sleep 60", "kill -9 $$", "exit 3", "yes no >&2; exit 1"];
  const program = (name: string): ProgramRun => ({
    program: guardPath(project, name),
    args: [],
    cwd: project,
    env: { PATH: "/usr/bin:/bin" },
    timeMs: 300,
    input: "{}",
    bytesMax: 4096,
    group: true,
    judges: "stderr",
  });
  for (const [at, body] of bodies.entries()) {
    put(`g${at}`, body);
    for (const result of [runNow(program(`g${at}`), childProcess), await runBeside(program(`g${at}`))]) {
      expect("failed" in result || result.cut).toBe(true);
    }
  }
  put("ok", "cat >/dev/null; echo why >&2; exit 2");
  const expected = { text: "why\n", cut: false, refused: true };
  expect([runNow(program("ok"), childProcess), await runBeside(program("ok"))]).toEqual([expected, expected]);
});

it("PB-82 the first refusal ends the round, and one more guard pushes none out", () => {
  for (let at = 0; at <= GUARDS_MAX; at++) {
    put(`g${at}`, at === 0 ? "exit 1" : `touch "${join(root, "ran")}"`);
    trust(`g${at}`);
  }
  expect([write().exitCode, existsSync(join(root, "ran")), runs.length]).toEqual([2, false, 1]);
});

it("PB-82 agents may not write a guard, by any tool", () => {
  expect(
    [
      write(".sekisho/guards/x"),
      bash("echo 'exit 0' > .sekisho/guards/x"),
      bash("rm -r .sekisho/guards"),
      bash("chmod -x .sekisho/guards/judge"),
      bash("sekisho guard trust x"),
      bash("sekisho guard forget x"),
      bash("echo 'sekisho guard forget x' | at now"),
    ].map((one) => one.exitCode),
  ).toEqual([2, 2, 2, 2, 2, 2, 2]);
  expect(bash("sekisho guard && cat .sekisho/guards/judge").exitCode).toBe(0);
});

it("PB-82 a record of an event cannot register a guard or take one out", () => {
  put("judge", "exit 1");
  trust("judge");
  const change = { record: "guard", do: "forget", name: "judge" } as const;
  store.append({ kind: "verdict", event: "PreToolUse", session: "s-1", decision: "pass", changes: [change] }, 2_000);
  expect(write().exitCode).toBe(2);
});
