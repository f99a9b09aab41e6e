/** Where `init` may write: files that git sees, and places where Sekisho is already registered. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { ON_PATH } from "../../src/hosts/registration.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { LOCAL, PLAIN, runWith, sekishoOnPath, slotsIn } from "./registration.ts";
import { openStage, registeredEvents } from "./stage.ts";

describe.skipIf(forPeople.skip)(`HK-20 files that git may see${forPeople.why}`, () => {
  it("a project file names no path, port or token; the program is found on the PATH", () => {
    const stage = openStage({ registered: false });
    const { code, stdout } = runWith(stage, { sekisho: sekishoOnPath }, "init", "--yes", "--scope", "project");
    expect(code).toBe(0);
    expect(stdout).toMatch(/this file is shared: whoever works here needs `sekisho` on the PATH/);
    const text = stage.read(".claude/settings.json");
    expect(slotsIn(text)).toEqual(slots(registeredEvents, ON_PATH));
    expect(text).not.toContain(program.bundle);
    expect(text).not.toContain(stage.root);
    expect(stage.sekisho("status").stdout).toMatch(/registered in .*settings\.json/);
    expectFailure(runWith(stage, {}, "init", "--yes", "--scope", "project", "--lane", "fast"), /shared by git/);
  });

  it("a project file passes `doctor`, and neither `--fix` nor `upgrade` writes a machine's path into it", () => {
    const stage = openStage({ registered: false });
    const people = (...words: readonly string[]) => runWith(stage, { sekisho: sekishoOnPath }, ...words);
    people("init", "--yes", "--scope", "project");
    const before = stage.read(".claude/settings.json");
    expect(people("doctor", "--quick").stdout).not.toContain("✖");
    expect(people("doctor", "--quick", "--fix").stdout).not.toContain("repaired: the hooks");
    expectFailure(people("upgrade", "--to", "this"), /`sekisho` on the PATH is the one to exchange/);
    expect(stage.read(".claude/settings.json")).toBe(before);
  });

  it("disabled hooks are reported", () => {
    const stage = openStage({ registered: false });
    stage.write(LOCAL, '{ "disableAllHooks": true }\n');
    expect(stage.sekisho("init", ...PLAIN).stdout).toMatch(/switches hooks off \(disableAllHooks\): nothing will be/);
  });

  it("a project file is not written without a program on the PATH", () => {
    const stage = openStage({ registered: false });
    const answer = runWith(stage, {}, "init", "--yes", "--scope", "project");
    expect(answer.stderr).toMatch(/exit code 127.*`sekisho` must be on the PATH/s);
    expect(stage.read(".claude/settings.json")).toBeUndefined();
  });

  it("a local file that git tracks is refused", () => {
    const { sekisho, write, git, read } = openStage({ registered: false });
    write(LOCAL, "{}\n");
    git("add", "--force", LOCAL);
    expectFailure(sekisho("init", ...PLAIN), /tracked by git.*git rm --cached/s);
    expect(read(LOCAL)).toBe("{}\n");
  });

  it("a user file that git tracks through a link is refused", () => {
    const { sekisho, root, home, run } = openStage({ registered: false });
    const dotfiles = join(root, "dotfiles");
    fs.mkdirSync(dotfiles);
    fs.mkdirSync(join(home, ".claude"));
    fs.writeFileSync(join(dotfiles, "claude.json"), "{}\n");
    fs.symlinkSync(join(dotfiles, "claude.json"), join(home, ".claude/settings.json"));
    run("git", ["init", "--quiet"], { cwd: dotfiles });
    run("git", ["add", "."], { cwd: dotfiles });
    expectFailure(sekisho("init", ...PLAIN, "--scope", "user"), /tracked by git.*--scope local/s);
  });

  it("a local file that git does not ignore is added to .git/info/exclude, and removed from it on uninstall", () => {
    const { sekisho, git, project, write } = openStage({ registered: false });
    write("a.txt", "");
    const list = join(project, ".git/info/exclude");
    const before = fs.readFileSync(list, "utf8");
    expect(sekisho("init", ...PLAIN).stdout).toMatch(/git did not ignore .*it does now/);
    expect(git("status", "--short")).toBe("?? a.txt\n");
    expect(sekisho("init", ...PLAIN).stdout).not.toMatch(/git did not ignore/);
    expect(sekisho("uninstall").code).toBe(0);
    expect(fs.readFileSync(list, "utf8")).toBe(before);
  });

  it("an exclude file that cannot be written is reported and is no failure", () => {
    const { sekisho, project } = openStage({ registered: false });
    fs.rmSync(join(project, ".git/info"), { recursive: true });
    fs.writeFileSync(join(project, ".git/info"), "");
    expect(sekisho("init", ...PLAIN)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("keep it out of your"),
    });
    expect(sekisho("uninstall").code).toBe(0);
  });

  it("works in a subdirectory, in a work tree and without git", () => {
    const stage = openStage({ registered: false });
    const { git, run, project, root, write } = stage;
    write("sub [x]/a.txt", "");
    git("add", ".");
    git("commit", "--quiet", "--message", "begin");
    git("worktree", "add", "--quiet", join(root, "tree"));
    for (const cwd of [join(project, "sub [x]"), join(root, "tree")]) {
      const init = [`CLAUDE_PROJECT_DIR=${cwd}`, program.node, program.bundle, "init", ...PLAIN];
      expect(run("/usr/bin/env", init, { cwd }).stdout).toMatch(/it does now/);
      expect(run("git", ["status", "--short"], { cwd }).stdout).toBe("");
    }
    const bare = openStage({ registered: false, git: false });
    expect(bare.sekisho("init", ...PLAIN).stdout).not.toMatch(/git/);
  });
});

describe.skipIf(forPeople.skip)(`init where Sekisho is already registered${forPeople.why}`, () => {
  it("refuses to register twice, and names the existing registration", () => {
    const { sekisho, home, read } = openStage({ registered: false });
    expect(sekisho("init", ...PLAIN, "--scope", "user").code).toBe(0);
    expectFailure(sekisho("init", ...PLAIN), /already registered in .*\.claude\/settings\.json/s);
    expect(read(LOCAL)).toBeUndefined();
    expect(sekisho("uninstall").code).toBe(0);
    expect(fs.existsSync(join(home, ".claude"))).toBe(false);
    expect(sekisho("init", ...PLAIN).code).toBe(0);
  });

  it("refuses next to an enabled plugin, and not next to a disabled one", () => {
    const { sekisho, home, write, read } = openStage({ registered: false });
    fs.mkdirSync(join(home, ".claude"));
    const user = join(home, ".claude/settings.json");
    fs.writeFileSync(user, '{"enabledPlugins": {"sekisho@sekisho": true, "other@x": true}}');
    expectFailure(
      sekisho("init", ...PLAIN),
      /as the plugin sekisho@sekisho .*claude plugin uninstall sekisho@sekisho/s,
    );
    expect(read(LOCAL)).toBeUndefined();
    expect(sekisho("uninstall").stdout).toMatch(/still on as a plugin: claude plugin uninstall/);
    write(".claude/settings.json", '{"enabledPlugins": {"sekisho@sekisho": false}}');
    expect(sekisho("init", ...PLAIN).code).toBe(0);
  });
});
