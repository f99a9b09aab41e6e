/** `init` and `uninstall --purge` at a terminal: what they ask, and that leaving changes nothing. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesBelow } from "../files.ts";
import { until } from "../until.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { LOCAL, slotsIn } from "./registration.ts";
import { openStage, type Stage } from "./stage.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const LEAVE = "\u0003";
const NO_PASSPHRASE: readonly [RegExp, string] = [/leave it empty for none/, ENTER];

/** A terminal from util-linux's `script`; other versions have other options. */
const terminal = spawnSync("script", ["--version"]).status === 0;

/** Presses a key when the screen shows the expected text; returns everything shown, without colours. */
async function play({ project, env }: Stage, words: string, keys: readonly (readonly [RegExp, string])[]) {
  const line = `stty cols 120 rows 40; exec ${program.node} ${program.bundle} ${words}`;
  const options = { cwd: project, env: { ...env, TERM: "xterm", PATH: "/usr/bin:/bin" } };
  const child = spawn("script", ["-qefc", line, "/dev/null"], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every sequence.
    screen += text.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, "");
  });
  const closed = once(child, "close");
  for (const [shown, key] of keys) {
    await until(() => shown.test(screen), `the question ${shown}`);
    child.stdin.write(key);
  }
  const [code] = (await closed) as [number];
  return { code, screen };
}

describe.skipIf(forPeople.skip || !terminal)(`questions${forPeople.why}`, () => {
  it("init asks six questions, explains each answer, and then registers", async () => {
    const stage = openStage({ registered: false });
    const { code, screen } = await play(stage, "init", [
      [/Which agents should it govern/, ENTER],
      [/How strict/, ENTER],
      [/May earned trust answer/, ENTER],
      [/Which lane/, ENTER],
      NO_PASSPHRASE,
      [/Write the hooks to/, ENTER],
    ]);
    expect(code).toBe(0);
    expect(screen).toMatch(/local +this checkout/);
    expect(screen).toMatch(/balanced +refuses what nothing undoes/);
    expect(screen).toMatch(/plain +a process for every event/);
    expect(screen).toMatch(/hooks registered in .*settings\.local\.json/);
    expect(slotsIn(stage.read(LOCAL)).length).toBeGreaterThan(5);
  });

  it("answers given as options are not asked, and a project file has only one lane", async () => {
    const stage = openStage({ registered: false });
    const { screen } = await play(stage, "init --profile balanced --approve", [
      [/Which agents should it govern/, DOWN],
      [/● project/, ENTER],
      NO_PASSPHRASE,
      [/Write the hooks to .*\.claude\/settings\.json/s, LEAVE],
    ]);
    expect(screen).not.toMatch(/How strict|earned trust|Which lane/);
  });

  it("the answers go into the local settings file and are the defaults next time", async () => {
    const stage = openStage({ registered: false });
    const answers = (strict: readonly [RegExp, string][], trust: string): (readonly [RegExp, string])[] => [
      [/Which agents/, ENTER],
      ...strict,
      [/May earned trust answer/, trust],
      [/Which lane/, ENTER],
      NO_PASSPHRASE,
      [/Write the hooks/, ENTER],
    ];
    const oath = answers(
      [
        [/How strict/, DOWN],
        [/● oath/, ENTER],
      ],
      "y",
    );
    expect((await play(stage, "init", oath)).code).toBe(0);
    const settings = stage.read(".sekisho/config.local.yaml");
    expect(settings).toBe("profile: oath\ntrust:\n  approve: true\n");
    expect(stage.git("status", "--porcelain")).toBe("");
    const again = await play(stage, "init", answers([[/● oath/, ENTER]], ENTER));
    expect(again.code).toBe(0);
    expect(stage.read(".sekisho/config.local.yaml")).toBe(settings);
  });

  it.each([
    ["at once", [[/Which agents should it govern/, LEAVE]]],
    [
      "at the last moment",
      [
        [/Which agents/, ENTER],
        [/How strict/, ENTER],
        [/May earned trust answer/, ENTER],
        [/Which lane/, ENTER],
        NO_PASSPHRASE,
        [/Write the hooks/, LEAVE],
      ],
    ],
    [
      "with a no",
      [
        [/Which agents/, ENTER],
        [/How strict/, ENTER],
        [/May earned trust answer/, ENTER],
        [/Which lane/, ENTER],
        NO_PASSPHRASE,
        [/Write the hooks/, "n"],
      ],
    ],
  ] as [string, (readonly [RegExp, string])[]][])("leaving %s changes nothing", async (_, keys) => {
    const stage = openStage({ registered: false });
    const { code, screen } = await play(stage, "init", keys);
    expect(code).toBe(1);
    expect(screen).toContain("Nothing was changed.");
    expect(filesBelow(stage.project)).toEqual([]);
    expect(filesBelow(stage.state)).toEqual([]);
  });

  it("--purge asks for confirmation, and Enter means no", async () => {
    const stage = openStage();
    stage.bash("touch x");
    const before = filesBelow(stage.state);
    const { code, screen } = await play(stage, "uninstall --purge", [[/Yes \/ . No/, ENTER]]);
    expect({ code, before: filesBelow(stage.state) }).toEqual({ code: 1, before });
    expect(screen).toContain("Nothing was changed.");
    expect(stage.read(LOCAL)).toBeDefined();
    expect((await play(stage, "uninstall --purge", [[/Yes \/ . No/, "y"]])).code).toBe(0);
    expect(filesBelow(stage.state)).toEqual([]);
  });
});
