/** Files next to the daemon: another version of the program, and wrong kinds of files. */
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { copyOf, decisionIn, endHouse, type House, openHouse, turnCommand } from "./house.ts";
import { ofVersion } from "./house-broken.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

const refused = async (house: House): Promise<boolean> =>
  house.bash("git reset --hard").then(
    (said) => decisionIn(said) === "deny",
    () => false,
  );

describe("another version", () => {
  const runs = (house: House): string => {
    const [worker = 0] = house.workers();
    return readFileSync(`/proc/${worker}/cmdline`, "utf8").split("\0")[1] ?? "";
  };

  it("takes the daemon over on the same port if it is newer; an older one leaves it alone", async () => {
    const stage = openStage();
    const house = openHouse(stage);
    const supervisor = house.supervisor();
    const newer = copyOf(stage, "newer", ofVersion("99.0.0"));
    const moved = turnWith(house, newer);
    expect(moved).toMatch(/moved to this version/);
    await until(() => house.workers().length === 1, "the old one's end");
    expect(runs(house)).toContain("/newer/");
    expect(turnWith(house, program)).toBe("");
    expect(runs(house)).toContain("/newer/");
    expect(house.supervisor()).toBe(supervisor);
    expect(await refused(house)).toBe(true);
  });

  it("with the same number and another build may take it over", async () => {
    const stage = openStage();
    const house = openHouse(stage);
    const build = /build:"([0-9a-f]{12})"/.exec(
      readFileSync(join(dirname(program.bundle), "gatehouse.cjs"), "utf8"),
    )?.[1];
    expect(build).toBeDefined();
    const other = copyOf(stage, "other", (text) => text.replaceAll(build ?? "", "0123456789ab"));
    expect(turnWith(house, other)).toMatch(/moved to this version/);
    await until(() => house.workers().length === 1 && runs(house).includes("/other/"), "the other build");
  });
});

it("a daemon run from another place still knows the registered hooks: they cannot be edited away", async () => {
  const stage = openStage();
  const house = openHouse(stage);
  turnWith(house, copyOf(stage, "newer", ofVersion("99.0.0")));
  const settings = JSON.parse(readFileSync(house.settings, "utf8"));
  const { Stop: _, ...hooks } = settings.hooks;
  const without = { file_path: house.settings, content: JSON.stringify({ ...settings, hooks }) };
  expect(decisionIn(await house.use("Write", without))).toBe("deny");
  const same = { file_path: house.settings, content: JSON.stringify({ ...settings, model: "opus" }) };
  expect(decisionIn(await house.use("Write", same))).toBe("pass");
  // Both the running and the registered program are protected.
  for (const path of [program.bundle, join(stage.root, "newer", "sekisho.cjs")]) {
    expect(decisionIn(await house.bash(`echo > ${path}`))).toBe("deny");
  }
});

/** The notice to the person at a prompt that another program answers. */
function turnWith(house: House, files: typeof program): string {
  const [name, ...args] = turnCommand("UserPromptSubmit", house.door, files);
  const input = JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "go on" });
  const { stdout } = spawnSync(name, args, { cwd: house.stage.project, env: house.stage.env, input, encoding: "utf8" });
  return stdout === "" ? "" : String((JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? "");
}

describe("unexpected files in the daemon's directory", () => {
  it("pipes and links in place of its files do not block and are not written through", async () => {
    const house = openHouse();
    const precious = join(house.stage.home, "precious");
    writeFileSync(precious, "x".repeat(2 * 1024 * 1024));
    for (const name of ["program.json", "run.json", "gatehouse.log"]) {
      const path = join(house.directory, name);
      await endHouse(house.stage);
      rmSync(path, { force: true });
      spawnSync("mkfifo", [path]);
      expect(house.turn("Stop").code).toBe(0);
      await until(() => refused(house), `an answer with a pipe for ${name}`);
      await endHouse(house.stage);
      rmSync(path, { force: true });
      spawnSync("ln", ["-s", precious, path]);
      expect(house.turn("Stop").code).toBe(0);
      await until(() => refused(house), `an answer with a link for ${name}`);
      rmSync(path, { force: true });
    }
    expect(readFileSync(precious, "utf8").length).toBe(2 * 1024 * 1024);
  });

  it("a door.json that is a pipe, a link or a directory is ignored: the hooks go back to the plain lane", () => {
    for (const make of ["mkfifo door.json", "ln -s elsewhere.json door.json", "mkdir door.json"]) {
      const house = openHouse();
      const door = join(house.directory, "door.json");
      renameSync(door, join(house.directory, "elsewhere.json"));
      spawnSync("sh", ["-c", make], { cwd: house.directory });
      const { code, stdout } = house.turn("UserPromptSubmit", { prompt: "go on" });
      expect(code).toBe(0);
      expect(stdout).toContain("moved to the plain lane");
      expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
    }
  });
});

it("a copy without a daemon, like the plugin's, says so", () => {
  const stage = openStage();
  const { node, bundle } = copyOf(stage, "plugin", (text) => text);
  rmSync(join(dirname(bundle), "gatehouse.cjs"));
  expect(stage.run(node, [bundle, "serve"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no gatehouse.*plain lane/),
  });
});
