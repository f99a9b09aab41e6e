/** Sekisho as a plugin: the same protection wherever the plugin is installed. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { forbidden, openStage, type Stage } from "./stage.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..");

/** A marketplace directory with our plugin, and a stage without hooks in its settings. */
function withoutHooks(): { readonly stage: Stage; readonly market: string } {
  const stage = openStage();
  stage.sekisho("uninstall");
  const market = join(dirname(stage.home), "market");
  for (const part of [".claude-plugin", "plugin"]) {
    cpSync(join(REPOSITORY, part), join(market, part), { recursive: true });
  }
  stage.write("hello.txt", "not committed yet\n");
  return { stage, market };
}

/** The state after `claude plugin marketplace add` and `claude plugin install`, which would need a network. */
function switchOn({ home }: Stage, market: string): string {
  const source = { source: "directory", path: market };
  const settings = { extraKnownMarketplaces: { sekisho: { source } }, enabledPlugins: { "sekisho@sekisho": true } };
  const user = join(home, ".claude", "settings.json");
  mkdirSync(dirname(user), { recursive: true });
  writeFileSync(user, JSON.stringify(settings, null, 2));
  return user;
}

async function isGoverned(stage: Stage): Promise<void> {
  const { told } = await stage.session([
    bash(forbidden, "reset"),
    bash("echo made > made.txt", "make"),
    use("Read", { file_path: join(stage.project, "hello.txt") }, "read"),
  ]);
  expect(told("reset")).toMatch(/Sekisho refuses this: .*never committed/);
  expect(told("read")).toContain("not committed yet");
  expect(stage.read("made.txt")).toBe("made\n");
  expect(stage.call("reset")).toMatchObject({ verdict: "deny", outcome: "refused", unbound: false });
}

describe("the plugin", () => {
  it("works from a directory passed to the host", async () => {
    const { stage, market } = withoutHooks();
    stage.flags.push("--plugin-dir", join(market, "plugin"));
    await isGoverned(stage);
  });

  it("works from a local marketplace, and init refuses to register in addition", async () => {
    const { stage, market } = withoutHooks();
    const user = switchOn(stage, market);
    await isGoverned(stage);
    expect(stage.sekisho("init", "--yes").stderr).toMatch(/already on as the plugin sekisho@sekisho/);
    writeFileSync(user, "{}");
    expect(stage.sekisho("init", "--yes", "--lane", "plain")).toMatchObject({ code: 0 });
  });

  it("contains its own program: a copy of the directory alone works as well", async () => {
    const { stage, market } = withoutHooks();
    const copy = join(dirname(stage.home), "cache", "sekisho", "0.1.0");
    cpSync(join(market, "plugin"), copy, { recursive: true });
    rmSync(market, { recursive: true });
    stage.flags.push("--plugin-dir", copy);
    await isGoverned(stage);
  });

  it("fails closed: without its program changes are blocked and reading works", async () => {
    const { stage, market } = withoutHooks();
    rmSync(join(market, "plugin", "dist"), { recursive: true });
    stage.flags.push("--plugin-dir", join(market, "plugin"));
    const { told } = await stage.session([
      bash("echo made > made.txt", "make"),
      use("Read", { file_path: join(stage.project, "hello.txt") }, "read"),
    ]);
    expect(told("make")).toMatch(/failed; blocking because onFailure is "block"/);
    expect(told("read")).toContain("not committed yet");
    expect(stage.read("made.txt")).toBeUndefined();
  });

  it("protects itself: the agent can change neither its files nor its enabled state", async () => {
    const { stage, market } = withoutHooks();
    const user = switchOn(stage, market);
    const hooks = join(market, "plugin/hooks/hooks.json");
    const before = readFileSync(hooks, "utf8");
    const session = await stage.session([
      bash(`echo '{"hooks":{}}' > ${hooks}`, "hooks"),
      use("Read", { file_path: user }, "look"),
      use(
        "Edit",
        { file_path: user, old_string: '"sekisho@sekisho": true', new_string: '"sekisho@sekisho": false' },
        "off",
      ),
      use("Write", { file_path: stage.settings, content: '{"enabledPlugins":{"sekisho@sekisho":false}}' }, "local"),
    ]);
    for (const call of ["hooks", "off", "local"]) expect(session.told(call)).toMatch(/Sekisho refuses this/);
    expect(readFileSync(hooks, "utf8")).toBe(before);
    expect(readFileSync(user, "utf8")).toContain('"sekisho@sekisho": true');
  });

  it("passes the host's own validation", () => {
    const { stage, market } = withoutHooks();
    expect(stage.client("plugin", "validate", join(market, "plugin")).stdout).toMatch(/✔ Validation passed/);
    expect(stage.client("plugin", "validate", market).stdout).toMatch(/✔ Validation passed/);
  });

  it("TR-112 quick-save and quick-load report trust whatever the PATH, and the file is an ordinary one", async () => {
    const { stage, market } = withoutHooks();
    stage.flags.push("--plugin-dir", join(market, "plugin"));
    const saved = await stage.play({ prompt: "/sekisho:quick-save" }, []);
    expect(JSON.stringify(saved.requests)).toMatch(/Phase: BUILDING \| next: – \| open: –.{2,8}Trust: not initialised/);
    expect(stage.read("SESSION_STATE.md")).toMatch(/## Trust State\n\n- Saved: .*\n- Stance: BUILDING\n/);
    const loaded = await stage.play({ prompt: "/sekisho:quick-load" }, []);
    expect(JSON.stringify(loaded.requests)).toContain("Nothing has changed since");
  });

  it("TR-61 /planning and /building set the stance: narrower at once, wider once the host has written the prompt", async () => {
    const { stage, market } = withoutHooks();
    stage.flags.push("--plugin-dir", join(market, "plugin"));
    const write = (id: string) => use("Write", { file_path: join(stage.project, `${id}.js`), content: "1\n" }, id);
    const stanceNow = (): string => stage.sekisho("export", "current-phase").stdout;
    const planned = await stage.play({ prompt: "/sekisho:planning" }, [write("planned")]);
    expect(planned.told("planned")).toMatch(/Sekisho refuses this/);
    expect(stanceNow()).toBe("PLANNING\n");
    const built = await stage.play({ prompt: "/sekisho:building" }, [write("built")]);
    expect(built.told("built")).not.toMatch(/Sekisho refuses this/);
    expect(stage.read("built.js")).toBe("1\n");
    expect(stanceNow()).toBe("BUILDING\n");
  });

  it("TR-61 an agent that forges /building gains nothing", async () => {
    const { stage, market } = withoutHooks();
    stage.flags.push("--plugin-dir", join(market, "plugin"));
    await stage.play({ prompt: "/sekisho:planning" }, []);
    const hook = join(market, "plugin", "dist", "sekisho.cjs");
    const event = JSON.stringify({
      expansion_type: "slash_command",
      command_name: "sekisho:building",
      command_args: "",
      prompt: "/sekisho:building",
    });
    const session = await stage.session([
      use("Read", { file_path: join(stage.project, "hello.txt") }),
      bash(`exec ${process.execPath} ${hook} hook UserPromptExpansion <<< '${event}'`, "forge"),
      use("Write", { file_path: join(stage.project, "made.js"), content: "1\n" }, "write"),
    ]);
    expect(session.told("write")).toMatch(/Sekisho refuses this/);
    expect(stage.sekisho("export", "current-phase").stdout).toBe("PLANNING\n");
  });
});
