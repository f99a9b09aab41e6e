import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEYWORD_SKILLS } from "../../policies/modes/keyword-skills.ts";
import { type House, openHouse } from "./example-house.ts";
import { keywordSkills } from "./look-skills.ts";

const wanted = Object.values(KEYWORD_SKILLS).map(({ skill }) => skill);
const skill = ({ write }: House, root: string, name: string): string =>
  write(join(root, "skills", name, "SKILL.md"), `---\nname: ${name}\n---\n`);

/** Installs and enables the plugin like the host does. */
function loadPlugin(house: House): string {
  const root = join(house.root, "installed-plugin");
  for (const name of wanted) skill(house, root, name);
  const plugins = { "sekisho@sekisho": [{ installPath: root }] };
  house.write(join(house.home, ".claude/plugins/installed_plugins.json"), JSON.stringify({ version: 2, plugins }));
  house.write(join(house.home, ".claude/settings.json"), '{"enabledPlugins":{"sekisho@sekisho":true}}');
  return root;
}

describe("MD-30 the doctor checks that each keyword has its skill", () => {
  it("in the enabled plugin", async () => {
    const house = openHouse();
    const plugin = loadPlugin(house);
    expect(await house.look(keywordSkills)).toEqual({ state: "ok", what: "all 12 are here" });
    for (const name of ["web-qa", "security-scan"]) rmSync(join(plugin, "skills", name), { recursive: true });
    expect(await house.look(keywordSkills)).toMatchObject({
      state: "warn",
      what: "missing in the plugin that is loaded here: web-qa, security-scan",
    });
    // A project skill with the same name counts as well.
    for (const name of ["web-qa", "security-scan"]) skill(house, join(house.project, ".claude"), name);
    expect((await house.look(keywordSkills)).state).toBe("ok");
  });

  it("in the plugin shipped with the program", async () => {
    const house = openHouse();
    const shipped = join(dirname(dirname(house.bundle)), "plugin");
    for (const name of wanted) skill(house, shipped, name);
    expect(await house.look(keywordSkills)).toEqual(NOT_LOADED);
    rmSync(join(shipped, "skills/turbo-mode"), { recursive: true });
    expect(await house.look(keywordSkills)).toMatchObject({
      state: "warn",
      what: `missing in ${join(shipped, "skills")}: turbo-mode`,
    });
  });

  it("hooks without the plugin are fine", async () => {
    expect(await openHouse().look(keywordSkills)).toEqual(NOT_LOADED);
  });
});

const NOT_LOADED = {
  state: "ok",
  what: "the plugin is not loaded here: keywords give short instructions instead",
};
