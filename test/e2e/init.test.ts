/** `init`: what it writes, what it refuses, and that it leaves nothing behind when it fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { filesBelow } from "../files.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { clientOf, LOCAL, PLAIN, runWith, slotsIn } from "./registration.ts";
import { openStage, registeredEvents, type Stage } from "./stage.ts";

describe.skipIf(forPeople.skip)(`TS-17 TR-110 init${forPeople.why}`, () => {
  it("registers every hook exactly, in a new file readable by the user only, and proves that it refuses", () => {
    const { sekisho, read, project } = openStage({ registered: false });
    const { code, stdout } = sekisho("init", ...PLAIN);
    expect(code).toBe(0);
    expect(stdout).toMatch(/hooks registered in .*settings\.local\.json\n.*refused/s);
    expect(slotsIn(read(LOCAL))).toEqual(slots(registeredEvents, program));
    expect(filesBelow(project)).toEqual([LOCAL]);
    expect((fs.statSync(join(project, LOCAL)).mode & 0o777).toString(8)).toBe("600");
  });

  it("a second run changes no byte", () => {
    const { sekisho, read } = openStage({ registered: false });
    sekisho("init", ...PLAIN);
    const first = read(LOCAL);
    expect(sekisho("init", ...PLAIN).code).toBe(0);
    expect(read(LOCAL)).toBe(first);
  });

  it.each([
    ["is no JSON", '{\n  "model": "opus",\n  "hooks": {,}\n}\n', /not valid JSON: line 3, column 13/],
    ["has a comment", '{\n  // mine\n  "model": "opus"\n}\n', /a comment, and the client drops.*line 2, column 3/],
    ["has a comma too many", '{\n  "model": "opus",\n}\n', /a comma too many: line 3, column 1/],
    ["is a list", "[]\n", /not valid JSON/],
    ["has hooks that are a list", '{"hooks": []}\n', /`hooks` is not an object/],
    ["has a key twice", '{"hooks": {},\n "hooks": {}}\n', /"hooks" stands in it twice.*line 2, column 2/],
    ["would be dropped", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}\n', /the client drops/],
    ["is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
    ["is UTF-16", Buffer.from("\ufeff{}", "utf16le"), /not UTF-8/],
    ["is too large", Buffer.alloc(5_000_000, " "), /too many for a settings file/],
  ])("leaves a file alone that %s, and names the place", (_, bytes, words) => {
    const { sekisho, project } = openStage({ registered: false });
    const file = join(project, LOCAL);
    fs.mkdirSync(join(project, ".claude"));
    fs.writeFileSync(file, bytes);
    const answer = sekisho("init", ...PLAIN);
    expect(answer.code).toBe(1);
    expect(answer.stderr).toMatch(words);
    expect(answer.stderr).toContain(LOCAL);
    expect(fs.readFileSync(file).equals(Buffer.from(bytes))).toBe(true);
    expect(filesBelow(project)).toEqual([LOCAL]);
  });

  it.each([
    ["a directory", (file: string) => fs.mkdirSync(file, { recursive: true })],
    ["a pipe", (file: string, { run }: Stage) => run("mkfifo", [file])],
  ])("neither blocks on nor touches %s in place of the file", (_, make) => {
    const stage = openStage({ registered: false });
    fs.mkdirSync(join(stage.project, ".claude"));
    make(join(stage.project, LOCAL), stage);
    expectFailure(stage.sekisho("init", ...PLAIN), /not a plain file/);
  });

  it("writes through a link and keeps it, also a dangling one", () => {
    for (const content of ["{}\n", undefined]) {
      const { sekisho, project, root } = openStage({ registered: false });
      fs.mkdirSync(join(project, ".claude"));
      if (content !== undefined) fs.writeFileSync(join(root, "dotfiles.json"), content);
      fs.symlinkSync(join(root, "dotfiles.json"), join(project, LOCAL));
      expect(sekisho("init", ...PLAIN).code).toBe(0);
      expect(fs.lstatSync(join(project, LOCAL)).isSymbolicLink()).toBe(true);
      expect(fs.readFileSync(join(root, "dotfiles.json"), "utf8")).toContain("sekisho.cjs");
      expect(sekisho("init", ...PLAIN).code).toBe(0);
    }
  });

  it("refuses invalid arguments, and does not prompt without a terminal", () => {
    const { sekisho, read } = openStage({ registered: false });
    expectFailure(sekisho("init", "--yes", "--scope", "galaxy"), /--scope is local, project or user/);
    expectFailure(sekisho("init", "--yes", "--lane", "slow"), /--lane is fast or plain, not "slow"/);
    expectFailure(sekisho("init", "--yes", "--profile", "zen"), /no profile "zen".*balanced .*oath .*praxis .*drive /s);
    expectFailure(sekisho("init", "--yes", "--stance", "idle"), /no stance "idle".*planning, building, auditing/);
    expectFailure(sekisho("init"), /not a terminal.*sekisho init --yes/s);
    expect(read(LOCAL)).toBeUndefined();
  });

  it("several runs at once leave a complete file", async () => {
    const { project, env, read } = openStage({ registered: false });
    const args = [program.bundle, "init", ...PLAIN];
    const all = Array.from({ length: 6 }, () => spawn(program.node, args, { cwd: project, env, stdio: "ignore" }));
    const codes = await Promise.all(all.map(async (child) => (await once(child, "close"))[0] as number));
    expect(codes).toContain(0);
    expect(slotsIn(read(LOCAL))).toEqual(slots(registeredEvents, program));
    expect(filesBelow(project)).toEqual([LOCAL]);
  });

  it("killed at any moment, the file is either old or new", async () => {
    const { project, env, read, write, sekisho, run } = openStage({ registered: false });
    const before = '{"model": "opus"}\n';
    const began = performance.now();
    expect(run(program.node, [program.bundle, "init", ...PLAIN]).code).toBe(0);
    const whole = performance.now() - began;
    expect(sekisho("uninstall").code).toBe(0);
    for (const part of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2]) {
      write(LOCAL, before);
      const child = spawn(program.node, [program.bundle, "init", ...PLAIN], { cwd: project, env, stdio: "ignore" });
      setTimeout(() => child.kill("SIGKILL"), part * whole);
      await once(child, "close");
      const text = read(LOCAL);
      if (text !== before) expect(slotsIn(text)).toHaveLength(slots(registeredEvents, program).length);
      expect(sekisho("init", ...PLAIN).code).toBe(0);
      expect(sekisho("uninstall").code).toBe(0);
      expect(read(LOCAL)).toBe(before);
    }
  });

  it("a canary that is not refused restores the file", () => {
    const stage = openStage({ registered: false });
    const liar = { sekisho: "#!/bin/sh\nexit 0\n" };
    const before = '{ "model":"opus" }';
    stage.write(".claude/settings.json", before);
    const answer = runWith(stage, liar, "init", "--yes", "--scope", "project");
    expect(answer.code).toBe(1);
    expect(answer.stderr).toMatch(/was not refused: it passed\n.*settings\.json is as it was before/);
    expect(stage.read(".claude/settings.json")).toBe(before);
    fs.rmSync(join(stage.project, ".claude/settings.json"));
    expect(runWith(stage, liar, "init", "--yes", "--scope", "project").code).toBe(1);
    expect(stage.read(".claude/settings.json")).toBeUndefined();
  });

  it("reports a project with Sekisho disabled", () => {
    const { sekisho, write } = openStage({ registered: false });
    write(".sekisho/config.yaml", "enabled: false\n");
    expect(sekisho("init", ...PLAIN).stdout).toMatch(/opted out \(enabled: false\)/);
  });

  it("names the obstacle when its state cannot be written", () => {
    const { sekisho, state, read } = openStage({ registered: false });
    fs.writeFileSync(state, "");
    expectFailure(sekisho("init", ...PLAIN), /cannot be kept: .*Nothing was changed/);
    expect(read(LOCAL)).toBeUndefined();
  });
});

describe.skipIf(forPeople.skip)(`init and the installed host${forPeople.why}`, () => {
  it.each([
    ["none", {}, /none was found on the PATH/, /plain: .*Not fast: no client/s],
    ["old", { claude: clientOf("2.1.197") }, /2\.1\.197, which runs an action/, /plain: .*Not fast: client 2\.1\.197/s],
    ["not telling", { claude: "#!/bin/sh\necho hello\n" }, /none was found/, /plain/],
    ["broken", { claude: "#!/bin/sh\nexit 1\n" }, /none was found/, /plain/],
  ] as const)("%s: says so and uses the plain lane", (_, programs, client, lane) => {
    const stage = openStage({ registered: false });
    const { code, stdout } = runWith(stage, programs, "init", "--yes");
    expect(code).toBe(0);
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toMatch(client);
    expect(words).toMatch(lane);
    expect(slotsIn(stage.read(LOCAL))).toEqual(slots(registeredEvents, program));
  });

  it("an old version is refused the fast lane, with the reason", () => {
    const stage = openStage({ registered: false });
    const answer = runWith(stage, { claude: clientOf("2.1.294") }, "init", "--yes", "--lane", "fast");
    expectFailure(answer, /--lane fast is not possible here: client 2\.1\.294 .*since 2\.1\.295.*--lane plain/);
    expect(stage.read(LOCAL)).toBeUndefined();
  });
});
