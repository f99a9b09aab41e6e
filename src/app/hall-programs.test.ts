/**
 * Every event pays for the hook path, so a program runs only where its answer is stored, and never twice for the same.
 */
import * as childProcess from "node:child_process";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { memoryStore } from "../store/memory.ts";
import { runNow } from "../world/machine/program.ts";
import { type ExampleHall, hallWith, send } from "./example-hall.ts";

let root: string;
let project: string;
let programs: number;
let hall: ExampleHall;

beforeEach(() => {
  root = tempDirectory("programs");
  project = repository("project");
  programs = 0;
  const places = { ...ordinaryFacts.places, project, home: root, journal: join(root, "journal") };
  const env = { CLAUDE_PID: String(process.ppid), LANG: "C.UTF-8", PATH: process.env["PATH"] };
  const run: ExampleHall["run"] = (program) => {
    programs += 1;
    return runNow(program, childProcess);
  };
  hall = hallWith(memoryStore(), { placesOf: () => places, env, run });
});

function repository(name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  execFileSync("git", ["init", "-q"], { cwd: path });
  writeFileSync(join(path, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  return path;
}

let calls = 0;

/** Counts the programs that one tool call starts, from PreToolUse to PostToolUse. */
function programsFor(tool_name: string, tool_input: object, cwd = project): number {
  const before = programs;
  const call = { cwd, tool_name, tool_input, tool_use_id: `t-${++calls}` };
  send(hall, "PreToolUse", call);
  send(hall, "PostToolUse", { ...call, tool_response: {} });
  return programs - before;
}

const write = (cwd = project) => programsFor("Write", { file_path: join(cwd, "a.ts"), content: "a" }, cwd);
const edit = () => programsFor("Edit", { file_path: join(project, "a.ts"), old_string: "a", new_string: "b" });
const bash = (command: string) => programsFor("Bash", { command });

it("the first change of a session is the only one that needs a program", () => {
  expect(write()).toBe(1);
  expect([write(), edit(), bash("mkdir x"), bash("sed -i s/a/b/ a.ts"), bash("python3 x.py"), bash("ls")]).toEqual([
    0, 0, 0, 0, 0, 0,
  ]);
  expect(programsFor("Read", { file_path: join(project, "a.ts") })).toBe(0);
});

it("what only looks needs none, however often it comes first", () => {
  expect([bash("ls"), bash("git status"), bash("cat package.json"), bash("ls")]).toEqual([0, 0, 0, 0]);
  expect(edit()).toBe(1);
});

it("another work tree has a first change of its own; then neither needs one", () => {
  const other = repository("other");
  expect([write(), write(other), write(), write(other)]).toEqual([1, 1, 0, 0]);
});

it("a check needs one before and one after, and only a check does", () => {
  write();
  expect([bash("npm test"), bash("npm install left-pad"), bash("node x.js")]).toEqual([2, 0, 0]);
});

it("of an event that is nobody's nothing is kept, and nothing is run for it", () => {
  hall = { ...hall, parentOf: () => ({ pid: 0, started: "" }) };
  expect([write(), edit(), bash("npm test")]).toEqual([0, 0, 0]);
});
