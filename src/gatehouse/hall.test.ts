import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renewPin, writePin } from "../store/pin.ts";
import { warmHall } from "./hall.ts";
import { surroundingsOf } from "./surroundings.ts";

let root: string;
let project: string;
let ask: (command: string) => string | Promise<string>;

beforeEach(() => {
  vi.stubGlobal("__VERSION__", "test");
  vi.stubGlobal("__REDUCER_HASH__", "test");
  root = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-hall-")));
  project = join(root, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q"], { cwd: project });
  writeFileSync(join(project, "a.ts"), "a");
  execFileSync("git", ["add", "a.ts"], { cwd: project });
  const env = { PATH: process.env["PATH"], HOME: root, XDG_STATE_HOME: join(root, "state"), LANG: "C" };
  const answer = warmHall({ node: process.execPath, bundle: join(root, "sekisho.cjs"), env });
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
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(root, { recursive: true, force: true });
});

describe("an event that needs a program", () => {
  it("MD-74 is not waited for: whoever comes meanwhile is answered at once", async () => {
    const merge = ask("git merge main");
    expect(merge).toBeInstanceOf(Promise);
    expect(ask("ls")).toBeTypeOf("string");
    expect(ask("rm -rf /")).toContain("no-destructive-command");
    expect(await merge).toContain("1 file(s) are staged: a.ts");
  });

  it("of which there are several, each is answered by its own repository", async () => {
    const clean = join(root, "clean");
    mkdirSync(clean);
    execFileSync("git", ["init", "-q"], { cwd: clean });
    const answers = await Promise.all([ask("git merge x"), ask(`git -C ${clean} merge x`), ask("git pull")]);
    expect(answers.map((answer) => answer.includes("are staged"))).toEqual([true, false, true]);
  });

  it("TS-37 that ends badly blocks nothing, and the agent is told", async () => {
    expect(await ask(`git -C ${root} merge x`)).toContain("could not see whether something is staged");
  });
});

describe("what a session began with", () => {
  it("is kept between events, and read anew when its client has renewed it", () => {
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
