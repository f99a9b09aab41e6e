import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { skillsOf } from "./skills.ts";

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-skills-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const put = (path: string, text = "x"): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const [project, home] = [join(root, "project"), join(root, "home")];
  const places = { project, home, hostSettings: [join(home, ".claude/settings.json")] };
  const found = (env = {}, cwd = project) => skillsOf({ env, places, event: { cwd } });
  return { root, put, found, project };
}

it("the project's and the user's skills, by their directories", () => {
  const { put, found, project } = place();
  put("project/.claude/skills/a/SKILL.md");
  put("project/.claude/skills/empty/README.md");
  put("project/.claude/skills/file");
  put("project/sub/.claude/skills/c/SKILL.md");
  put("home/.claude/skills/b/SKILL.md");
  expect(found()).toEqual(["a", "b"]);
  expect(found({}, join(project, "sub"))).toEqual(["a", "c", "b"]);
});

it("those of plugins that are switched on, and of the plugin that we are", () => {
  const { root, put, found } = place();
  put("on/skills/d/SKILL.md");
  put("off/skills/e/SKILL.md");
  put("own/skills/f/SKILL.md");
  const plugins = { "on@m": [{ installPath: join(root, "on") }], "off@m": [{ installPath: join(root, "off") }] };
  put("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
  put("home/.claude/settings.json", JSON.stringify({ enabledPlugins: { "on@m": true, "off@m": false } }));
  expect(found()).toEqual(["d"]);
  expect(found({ CLAUDE_PLUGIN_ROOT: join(root, "own") })).toEqual(["f", "d"]);
});

it("nothing there, and files that say nothing, are no skills", () => {
  const { put, found } = place();
  expect(found()).toEqual([]);
  put("home/.claude/plugins/installed_plugins.json", "{");
  put("home/.claude/settings.json", "[]");
  expect(found()).toEqual([]);
});
