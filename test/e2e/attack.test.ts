/** Former ways around Sekisho, tested on the built program. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { withOurs } from "../../src/hosts/claude-code/install.ts";
import { whole } from "./answer.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const settingsOf = (stage: Stage): string => join(stage.project, ".claude", "settings.local.json");

/** Hooks in the project's local settings as `init` writes them, and a session that has seen them. */
function armedStage(options: Parameters<typeof openStage>[0] = {}): Stage {
  const stage = openStage(options);
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

describe("a script written in the session", () => {
  it("is held to the list of protected files at the first attempt", () => {
    const stage = armedStage();
    stage.write(".sekisho/protected", "HARD_BLOCK:CLAUDE.md\n");
    stage.write("CLAUDE.md", "as it is\n");
    const ways = [
      ["x.sh", "sed -i s/is/was/ CLAUDE.md\n", "bash x.sh"],
      ["y.py", "open('CLAUDE.md', 'w').write('was')\n", "python3 y.py"],
    ] as const;
    for (const [name, content, command] of ways) {
      // Writing the script is allowed: it is only text.
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
  it("is recognized through a relative path or a link", () => {
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

  it("of the user is recognized behind ~", () => {
    const stage = armedStage();
    expect(write(stage, "~/.claude/settings.json", '{"disableAllHooks": true}')).toBe(2);
    expect(write(stage, "~/.claude/settings.json", '{"model": "opus"}')).toBe(0);
  });

  it("may be edited as long as the hooks stay, and a command the host would run needs confirmation", () => {
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

  it("is vetoed when emptied, under any path the host reports, and when replaced by a link", () => {
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
  it("is not changed by a .git that leads to a project with Sekisho disabled", () => {
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

describe.runIf(process.platform === "linux")("a pipe in place of a file", () => {
  it.each([".sekisho/config.yaml", ".claude/settings.json"])("at %s does not block", (path) => {
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
    [["doctor", "--quick"], 2, /settings\.json is not a\s+plain\s+file/],
  ] as const)("does not block a command: %s", (words, expected, told) => {
    const stage = openStage({ registered: false });
    fs.mkdirSync(join(stage.project, ".claude"));
    execFileSync("mkfifo", [join(stage.project, ".claude/settings.json")]);
    // A command that blocks on the pipe hits the timeout and fails the test.
    const { code, stdout } = stage.run(program.node, [program.bundle, ...words], { timeout: 300_000 });
    expect({ code, stdout }).toEqual({ code: expected, stdout: expect.stringMatching(told) });
  });
});

/** The cache of the gate bundle, after an event has written it. */
function cacheOf({ state }: Stage): string {
  const directory = join(state, "sekisho", "code-cache");
  const law = fs.readFileSync(join(dirname(program.bundle), "hook.cjs"));
  const hash = createHash("sha256").update(law).digest("hex");
  return join(directory, fs.readdirSync(directory).find((name) => name.startsWith(hash.slice(0, 16))) ?? "");
}

function damaged(bytes: Buffer, how: (copy: Buffer) => unknown): Buffer {
  const copy = Buffer.from(bytes);
  how(copy);
  return copy;
}

describe("the code cache", () => {
  it("cannot replace the program: the bundle is what runs", () => {
    const stage = armedStage({ processes: "cold" });
    stage.bash("ls");
    const cache = cacheOf(stage);
    const bytes = fs.readFileSync(cache);
    const words = stage.command("PreToolUse");
    const bundle = words.find((word) => word.endsWith("sekisho.cjs")) ?? "";
    const evil = fs
      .readFileSync(bundle.replace(/sekisho\.cjs$/, "hook.cjs"), "latin1")
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

  it("is rewritten when damaged, without any effect on the event", () => {
    const stage = armedStage({ processes: "cold" });
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

  it.runIf(process.platform === "linux")("does not block when it is a pipe", () => {
    const stage = armedStage({ processes: "cold" });
    stage.bash("ls");
    const cache = cacheOf(stage);
    fs.rmSync(cache);
    execFileSync("mkfifo", [cache]);
    const [name, ...args] = stage.command("PreToolUse");
    const input = whole("rm -rf ~", { cwd: stage.project });
    expect(stage.run(name, args, { input, timeout: 300_000 })).toMatchObject({ code: 2 });
  });
});
