import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { renewPin, writePin } from "../../store/pin.ts";
import { warmHall } from "./hall.ts";
import { keepers } from "./keepers.ts";
import { sightings } from "./sightings.ts";
import { surroundingsOf } from "./surroundings.ts";

let root: string;
let project: string;
let ask: (command: string) => string | Promise<string>;

beforeEach(() => {
  vi.stubGlobal("__VERSION__", "test");
  vi.stubGlobal("__REDUCER_HASH__", "test");
  root = tempDirectory("hall");
  project = join(root, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q"], { cwd: project });
  writeFileSync(join(project, "a.ts"), "a");
  execFileSync("git", ["add", "a.ts"], { cwd: project });
  const env = { PATH: process.env["PATH"], HOME: root, XDG_STATE_HOME: join(root, "state"), LANG: "C" };
  const answer = warmHall({
    node: process.execPath,
    bundle: join(root, "sekisho.cjs"),
    env,
    seen: sightings(0),
    kept: keepers(),
    onSighted: () => undefined,
  });
  ask = (command) => {
    const fields = {
      session_id: "s1",
      cwd: project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_use_id: "c",
    };
    const body = JSON.stringify({ ...fields, tool_input: { command } });
    return answer({ event: "PreToolUse", gate: "any", body, line: { address: "127.0.0.1", theirs: 0, ours: 0 } });
  };
});
afterEach(() => vi.unstubAllGlobals());

describe("an event that needs a program", () => {
  it("MD-74 does not delay other events", async () => {
    const merge = ask("git merge main");
    expect(merge).toBeInstanceOf(Promise);
    expect(ask("ls")).toBeTypeOf("string");
    expect(ask("rm -rf /")).toContain("no-destructive-command");
    expect(await merge).toContain("1 file(s) are staged: a.ts");
  });

  it("gets the answer of its own repository when several are pending", async () => {
    const clean = join(root, "clean");
    mkdirSync(clean);
    execFileSync("git", ["init", "-q"], { cwd: clean });
    const answers = await Promise.all([ask("git merge x"), ask(`git -C ${clean} merge x`), ask("git pull")]);
    expect(answers.map((answer) => answer.includes("are staged"))).toEqual([true, false, true]);
  });

  it("TS-37 is allowed when the program fails, and the agent is told", async () => {
    expect(await ask(`git -C ${root} merge x`)).toContain("could not see whether something is staged");
  });
});

describe("the environment of a session", () => {
  it("is cached between events and read again when the pin was renewed", () => {
    const env = { HOME: root, XDG_STATE_HOME: join(root, "state"), LANG: "C" };
    const pins = join(root, "state", "sekisho", "sessions");
    const of = surroundingsOf(env);
    expect(of("s1").pin).toBeUndefined();
    writePin(pins, "s1", { project, env: { LANG: "ja_JP.UTF-8" } }, 0);
    expect(of("s1").env["LANG"]).toBe("ja_JP.UTF-8");
    expect(of("s1")).toBe(of("s1"));
    renewPin(pins, "s1", { project, env: { LANG: "en_US.UTF-8" } });
    expect(of("s1").env["LANG"]).toBe("en_US.UTF-8");
    rmSync(join(pins, "s1"));
    expect(of("s1").pin).toBeUndefined();
  });
});
