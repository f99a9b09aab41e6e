import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../store/memory.ts";
import { type House, openHouse } from "./example-house.ts";
import { acceptContract, contractFiles, contractSums, installedFiles } from "./look-integrity.ts";

describe("PB-81 the installed files", () => {
  it("are compared with the list that the build wrote", async () => {
    const { look, bundle } = openHouse();
    expect(await look(installedFiles)).toEqual({ state: "ok", what: "1 files as they were built" });
    writeFileSync(bundle, "process.exit(0);\n");
    expect(await look(installedFiles)).toMatchObject({
      state: "fail",
      what: `sekisho.cjs beside ${bundle} was changed`,
    });
  });

  it.each([
    ["is missing", (path: string) => rmSync(path)],
    ["is no list", (path: string) => writeFileSync(path, "[]")],
    [
      "names files elsewhere",
      (path: string) => writeFileSync(path, '{"version":"1","files":{"sekisho.cjs":"","../x":""}}'),
    ],
  ])("give a warning when the list %s", async (_, damage) => {
    const { look, bundle } = openHouse();
    damage(join(dirname(bundle), "manifest.json"));
    expect(await look(installedFiles)).toMatchObject({ state: "warn", what: expect.stringContaining("manifest.json") });
  });

  it("are reported when missing", async () => {
    const { look, bundle, write } = openHouse();
    write(join(dirname(bundle), "manifest.json"), '{"version":"1.0.0","files":{"sekisho.cjs":"","hook.cjs":""}}');
    expect(await look(installedFiles)).toMatchObject({
      state: "fail",
      what: expect.stringContaining("hook.cjs is missing"),
    });
  });
});

describe("PB-81 the contract files", () => {
  const wants = { host: false, measuring: false, integrity: true };
  const accepted = (house: House) => {
    const store = memoryStore();
    acceptContract({ ...house.premises(), store }, {});
    return { store, wants };
  };

  it("are the agent's instructions, agents and hooks, the host's settings and ours", () => {
    const { project, write } = openHouse();
    const names = ["CLAUDE.md", "AGENTS.md", ".claude/agents/a.md", ".claude/agents/deep/b.md", ".claude/hooks/h.sh"];
    for (const name of [...names, ".sekisho/config.yaml", "src/index.ts", ".claude/notes.txt"])
      write(join(project, name), name);
    expect(Object.keys(contractSums(project))).toEqual(
      [...names, ".claude/settings.local.json", ".sekisho/config.yaml"].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it("are checked only with --integrity, and give a warning until accepted", async () => {
    const { look } = openHouse();
    expect((await look(contractFiles)).state).toBe("skip");
    expect(await look(contractFiles, { wants })).toMatchObject({
      state: "warn",
      fix: expect.stringContaining("--accept"),
    });
  });

  it("are fine once accepted; a changed, new or removed file is reported", async () => {
    const house = openHouse();
    const [kept, gone] = ["CLAUDE.md", "AGENTS.md"].map((name) => house.write(join(house.project, name), "be kind\n"));
    const broken = accepted(house);
    expect(await house.look(contractFiles, broken)).toMatchObject({
      state: "ok",
      what: expect.stringMatching(/^3 file/),
    });
    writeFileSync(kept ?? "", "be quick\n");
    rmSync(gone ?? "");
    house.write(join(house.project, ".claude/agents/new.md"), "x");
    const { what } = await house.look(contractFiles, broken);
    for (const words of ["CLAUDE.md changed", "AGENTS.md is gone", ".claude/agents/new.md is new"])
      expect(what).toContain(words);
  });

  it("PB-81 a plan that an agent wrote is no contract file, and a guard is one", async () => {
    const house = openHouse();
    house.write(join(house.project, "CLAUDE.md"), "be kind\n");
    const broken = accepted(house);
    house.write(join(house.project, ".sekisho/playbooks/button.md"), "# Button\n");
    expect((await house.look(contractFiles, broken)).state).toBe("ok");
    house.write(join(house.project, ".sekisho/guards/x"), "exit 0\n");
    expect((await house.look(contractFiles, broken)).what).toContain(".sekisho/guards/x is new");
  });

  it("contract files are all recorded, however many there are", async () => {
    const house = openHouse();
    for (let at = 0; at < 60; at++)
      house.write(join(house.project, `.claude/agents/agent-with-a-long-name-${at}.md`), "x");
    expect(await house.look(contractFiles, accepted(house))).toMatchObject({
      state: "ok",
      what: expect.stringMatching(/^61 file/),
    });
  });
});
