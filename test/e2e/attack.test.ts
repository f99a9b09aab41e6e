/** Ways around the checkpoint that were once open, on the built program. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { openStage, program, type Stage, whole } from "./stage.ts";

const settingsOf = (stage: Stage): string => join(stage.project, ".claude", "settings.local.json");

/** Hooks in the project's local settings, as `init` would write them, and a session that has seen them. */
function armedStage(): Stage {
  const stage = openStage();
  const words = stage.command("PreToolUse");
  const at = words.findIndex((word) => word.endsWith("sekisho.cjs"));
  const program = { node: process.execPath, bundle: words[at] ?? "" };
  const events = [...new Set(slots(["PreToolUse", "Stop", "ConfigChange"], program).map(({ event }) => event))];
  const registered = withOurs(undefined, events, program);
  if ("problem" in registered) throw new Error(registered.problem);
  stage.write(".claude/settings.local.json", registered.text);
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

const write = (stage: Stage, path: string, content: string) =>
  stage.send("PreToolUse", { tool_name: "Write", tool_input: { file_path: path, content }, tool_use_id: "w" }).code;

describe("a script that was written in the session", () => {
  it("is held to the list of protected files, at the first attempt", () => {
    const stage = armedStage();
    stage.write(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\n");
    stage.write("CLAUDE.md", "as it is\n");
    const ways = [
      ["x.sh", "sed -i s/is/was/ CLAUDE.md\n", "bash x.sh"],
      ["y.py", "open('CLAUDE.md', 'w').write('was')\n", "python3 y.py"],
    ] as const;
    for (const [name, content, command] of ways) {
      // Text is data: writing it is let be.
      expect(write(stage, join(stage.project, name), content)).toBe(0);
      stage.write(name, content);
      const answer = stage.bash(command);
      expect(answer.code).toBe(2);
      expect(answer.stderr).toContain("[no-protected-edit]");
      expect(answer.stderr).toContain(`The script ${name} does this`);
    }
  });
});

describe("the settings file", () => {
  it("is the same file by way of a relative path or a link", () => {
    const stage = armedStage();
    fs.symlinkSync(".claude", join(stage.project, "innocent"));
    for (const path of [
      settingsOf(stage),
      ".claude/settings.local.json",
      join(stage.project, "innocent", "settings.local.json"),
    ]) {
      expect([path, write(stage, path, "{}")]).toEqual([path, 2]);
    }
  });

  it("of the user is found behind the home sign too", () => {
    const stage = armedStage();
    expect(write(stage, "~/.claude/settings.json", '{"disableAllHooks": true}')).toBe(2);
    expect(write(stage, "~/.claude/settings.json", '{"model": "opus"}')).toBe(0);
  });

  it("may be edited as long as the hooks stay, and a command for the client is a question", () => {
    const stage = armedStage();
    const settings = JSON.parse(fs.readFileSync(settingsOf(stage), "utf8")) as object;
    expect(write(stage, settingsOf(stage), JSON.stringify({ ...settings, model: "opus" }))).toBe(0);
    const answer = stage.send("PreToolUse", {
      tool_name: "Write",
      tool_use_id: "w",
      tool_input: {
        file_path: settingsOf(stage),
        content: JSON.stringify({ ...settings, statusLine: { type: "command", command: "rm -rf ~" } }),
      },
    });
    expect(answer.stdout).toContain('"ask"');
  });

  it("that is emptied is vetoed by whatever name the client tells it, also when it has become a link", () => {
    const stage = armedStage();
    const armed = fs.readFileSync(settingsOf(stage), "utf8");
    const link = join(stage.root, "way-in");
    fs.symlinkSync(stage.project, link);
    const changed = (path: string): number | null =>
      stage.send("ConfigChange", { source: "local_settings", file_path: path }).code;
    expect(changed(settingsOf(stage))).toBe(0);
    fs.writeFileSync(settingsOf(stage), "{}");
    expect([settingsOf(stage), join(link, ".claude", "settings.local.json"), ""].map(changed)).toEqual([2, 2, 2]);
    fs.rmSync(settingsOf(stage));
    fs.writeFileSync(join(stage.root, "other.json"), armed);
    fs.symlinkSync(join(stage.root, "other.json"), settingsOf(stage));
    expect(changed(settingsOf(stage))).toBe(2);
  });
});

describe("the project of a session", () => {
  it("is not moved by a .git that leads to another one which has opted out", () => {
    const stage = armedStage();
    const other = join(stage.root, "other");
    fs.mkdirSync(join(other, ".sekisho"), { recursive: true });
    fs.writeFileSync(join(other, ".sekisho", "config.yaml"), "enabled: false\n");
    execFileSync("git", ["init", "-q", `--separate-git-dir=${join(other, ".git")}`], {
      cwd: stage.project,
      env: stage.env,
    });
    expect(stage.bash("rm -rf ~").code).toBe(2);
    expect(write(stage, settingsOf(stage), "{}")).toBe(2);
  });
});

describe.runIf(process.platform === "linux")("a pipe where a file belongs", () => {
  it.each([".sekisho/config.yaml", ".claude/settings.json"])("at %s holds nobody up", (path) => {
    const stage = armedStage();
    fs.mkdirSync(join(stage.project, path, ".."), { recursive: true });
    execFileSync("mkfifo", [join(stage.project, path)]);
    expect(
      stage.send("PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" }, tool_use_id: "r" }).code,
    ).toBe(0);
    expect(stage.bash("rm -rf ~").code).toBe(2);
    expect(stage.send("Stop", {}).code).toBe(0);
  });

  it.each([
    [["status"], 0, /not registered here/],
    [["statusline"], 0, /NO HOOKS/],
    [["doctor", "--quick"], 2, /settings\.json is not a plain file/],
  ] as const)("holds no command up: %s", (words, expected, told) => {
    const stage = openStage({ registered: false });
    fs.mkdirSync(join(stage.project, ".claude"));
    execFileSync("mkfifo", [join(stage.project, ".claude/settings.json")]);
    // One that waits for the other end of the pipe is ended, and that is an error here.
    const { code, stdout } = stage.run(program.node, [program.bundle, ...words], { timeout: 30_000 });
    expect({ code, stdout }).toEqual({ code: expected, stdout: expect.stringMatching(told) });
  });
});

/** Of the law at the gate, after an event that has written it. */
function cacheOf({ state }: Stage): string {
  const directory = join(state, "sekisho", "code-cache");
  const law = fs.readFileSync(join(dirname(program.bundle), "hook-gate.cjs"));
  const hash = createHash("sha256").update(law).digest("hex");
  return join(directory, fs.readdirSync(directory).find((name) => name.startsWith(hash.slice(0, 16))) ?? "");
}

function damaged(bytes: Buffer, how: (copy: Buffer) => unknown): Buffer {
  const copy = Buffer.from(bytes);
  how(copy);
  return copy;
}

describe("the code cache", () => {
  it("brings no program of its own: what runs is the bundle", () => {
    const stage = armedStage();
    stage.bash("ls");
    const cache = cacheOf(stage);
    const bytes = fs.readFileSync(cache);
    const words = stage.command("PreToolUse");
    const bundle = words.find((word) => word.endsWith("sekisho.cjs")) ?? "";
    const evil = fs
      .readFileSync(bundle.replace(/sekisho\.cjs$/, "hook-gate.cjs"), "latin1")
      .replaceAll("no-destructive-command", "no-destructive-cOmmand");
    fs.writeFileSync(cache, Buffer.concat([bytes.subarray(0, 64), Buffer.from(evil, "latin1"), bytes.subarray(64)]));
    const answer = stage.bash("rm -rf ~");
    expect(answer.code).toBe(2);
    expect(answer.stderr).toContain("[no-destructive-command]");
    for (const worthless of ["garbage", "", Buffer.alloc(4), Buffer.alloc(5)]) {
      fs.writeFileSync(cache, worthless);
      expect(stage.bash("rm -rf ~").code).toBe(2);
    }
  });

  it("that is damaged is written anew, and no event notices", () => {
    const stage = armedStage();
    stage.bash("ls");
    const cache = cacheOf(stage);
    const good = fs.readFileSync(cache);
    const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((part) => Math.floor(good.length * part));
    const found = [
      Buffer.alloc(0),
      Buffer.alloc(good.length),
      good.subarray(0, -1),
      damaged(good, (copy) => copy.writeUInt8(copy.readUInt8(28) ^ 1, 28)),
      ...tenths.map((at) => damaged(good, (copy) => copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at))),
      ...tenths.map((at) => damaged(good, (copy) => copy.fill(0, at, at + 4096))),
    ].map((bytes) => {
      fs.writeFileSync(cache, bytes);
      return { ...stage.bash("ls"), again: fs.readFileSync(cache).equals(bytes) };
    });
    for (const answer of found) expect(answer).toEqual({ code: 0, stdout: "", stderr: "", again: false });
    expect(stage.bash("rm -rf ~").stderr).toContain("[no-destructive-command]");
  });

  it.runIf(process.platform === "linux")("holds nobody up when it is a pipe", () => {
    const stage = armedStage();
    stage.bash("ls");
    const cache = cacheOf(stage);
    fs.rmSync(cache);
    execFileSync("mkfifo", [cache]);
    const [name, ...args] = stage.command("PreToolUse");
    const input = whole("rm -rf ~", { cwd: stage.project });
    expect(stage.run(name, args, { input, timeout: 30_000 })).toMatchObject({ code: 2 });
  });
});
