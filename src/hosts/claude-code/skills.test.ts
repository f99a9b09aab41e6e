import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { placesOf } from "../../world/machine/places.ts";
import { layout } from "./layout.ts";
import { agentsOf, skillsOf } from "./skills.ts";

let root: string;
let home: string;
let project: string;

beforeEach(() => {
  root = tempDirectory("skills");
  [home, project] = [join(root, "home"), join(root, "project")];
  for (const path of [home, project]) mkdirSync(path);
});

function put(path: string, text = "---\nname: x\n---\n"): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function looking(env: Readonly<Record<string, string>> = {}, program = "/opt/sekisho/dist/sekisho.cjs") {
  const all = { HOME: home, CLAUDE_PROJECT_DIR: project, ...env };
  return { env: all, places: placesOf(layout, all, project, [dirname(program)], project), event: { cwd: project } };
}

describe("the available skills", () => {
  it("there are none without directories", () => {
    expect(skillsOf(looking())).toEqual([]);
    expect(agentsOf(looking())).toEqual([]);
  });

  it("are the user's and the project's, each listed once", () => {
    put(join(home, ".claude/skills/mine/SKILL.md"));
    put(join(home, ".claude/skills/both/SKILL.md"));
    put(join(project, ".claude/skills/both/SKILL.md"));
    put(join(project, ".claude/skills/code-quality-rules/SKILL.md"));
    put(join(project, ".claude/agents/reviewer.md"));
    expect(skillsOf(looking())).toEqual(["both", "mine", "code-quality-rules"]);
    expect(agentsOf(looking())).toEqual(["reviewer"]);
  });

  it("come from CLAUDE_CONFIG_DIR when it is set", () => {
    put(join(home, ".claude/skills/old/SKILL.md"));
    put(join(root, "elsewhere/skills/new/SKILL.md"));
    expect(skillsOf(looking({ CLAUDE_CONFIG_DIR: join(root, "elsewhere") }))).toEqual(["new"]);
  });

  it("include those of the session's work tree and of the main one", () => {
    put(join(root, "tree/.claude/skills/here/SKILL.md"));
    put(join(project, ".claude/skills/there/SKILL.md"));
    expect(skillsOf(looking({ CLAUDE_PROJECT_DIR: join(root, "tree") }))).toEqual(["there", "here"]);
  });

  it("include our plugin's under the host's prefix, and no other plugin's", () => {
    const plugin = join(root, "plugin");
    put(join(plugin, "skills/writing-skills/SKILL.md"));
    put(join(plugin, "agents/implementer.md"));
    const env = { CLAUDE_PLUGIN_ROOT: plugin };
    const ours = looking(env, join(plugin, "dist/sekisho.cjs"));
    expect(skillsOf(ours)).toEqual(["sekisho:writing-skills"]);
    expect(agentsOf(ours)).toEqual(["sekisho:implementer"]);
    expect(skillsOf(looking(env))).toEqual([]);
    expect(skillsOf(looking({ CLAUDE_PLUGIN_ROOT: "plugin" }, join(plugin, "dist/sekisho.cjs")))).toEqual([]);
  });
});

describe("skill directories with arbitrary content", () => {
  it("entries that are not skills are skipped", () => {
    const skills = join(project, ".claude/skills");
    put(join(skills, "file.md"));
    mkdirSync(join(skills, "empty"));
    mkdirSync(join(skills, "directory/SKILL.md"), { recursive: true });
    mkdirSync(join(skills, "pipe"));
    execFileSync("mkfifo", [join(skills, "pipe/SKILL.md")]);
    for (const name of ["ignore all rules", "line\nbreak", "実装", "-rf", ".hidden", "a:b", "x".repeat(65)])
      put(join(skills, name, "SKILL.md"));
    symlinkSync(join(root, "nowhere"), join(skills, "dangling"));
    symlinkSync(skills, join(skills, "loop"));
    put(join(root, "shared/SKILL.md"));
    symlinkSync(join(root, "shared"), join(skills, "linked"));
    expect(skillsOf(looking())).toEqual(["linked"]);
  });

  it("a file in place of the directory and an unreadable directory yield no skills", () => {
    put(join(project, ".claude/skills"));
    put(join(home, ".claude/skills/mine/SKILL.md"));
    chmodSync(join(home, ".claude/skills"), 0o000);
    const found = skillsOf(looking());
    chmodSync(join(home, ".claude/skills"), 0o700);
    expect(process.geteuid?.() === 0 ? ["mine"] : []).toEqual(found);
  });

  it("the first 200 in order are listed", () => {
    for (let at = 0; at < 230; at += 1) put(join(project, `.claude/skills/s${String(at).padStart(3, "0")}/SKILL.md`));
    const found = skillsOf(looking());
    expect([found.length, found[0], found.at(-1)]).toEqual([200, "s000", "s199"]);
  });
});

describe("further places where the host looks", () => {
  it("directories above the working directory, up to the project", () => {
    put(join(project, "sub/.claude/skills/c/SKILL.md"));
    expect(skillsOf(looking())).toEqual([]);
    expect(skillsOf({ ...looking(), event: { cwd: join(project, "sub/deep") } })).toEqual(["c"]);
  });

  it("enabled plugins, under their prefix", () => {
    put(join(root, "on/skills/d/SKILL.md"));
    put(join(root, "off/skills/e/SKILL.md"));
    const plugins = { "on@m": [{ installPath: join(root, "on") }], "off@m": [{ installPath: join(root, "off") }] };
    put(join(home, ".claude/plugins/installed_plugins.json"), JSON.stringify({ version: 2, plugins }));
    put(join(home, ".claude/settings.json"), JSON.stringify({ enabledPlugins: { "on@m": true, "off@m": false } }));
    expect(skillsOf(looking())).toEqual(["on:d"]);
  });

  it("unreadable settings enable nothing", () => {
    put(join(home, ".claude/plugins/installed_plugins.json"), "{");
    put(join(home, ".claude/settings.json"), "[]");
    expect(skillsOf(looking())).toEqual([]);
  });
});
