/** `uninstall`: removes exactly our hooks, everywhere, whatever else is broken. */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesBelow } from "../files.ts";
import { expectFailure } from "./day.ts";
import { endHouse, housesOf, isAlive } from "./house.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { LOCAL, PLAIN, runWith, sekishoOnPath, slotsIn } from "./registration.ts";
import { openStage, type Stage } from "./stage.ts";

const fileOf = { local: LOCAL, project: ".claude/settings.json", user: ".claude/settings.json" } as const;
const pathOf = ({ home, project }: Stage, scope: keyof typeof fileOf): string =>
  join(scope === "user" ? home : project, fileOf[scope]);

/** Realistic settings files in many formats. */
const group = fc.record(
  {
    matcher: fc.constantFrom("Bash", "*", "Edit|Write"),
    hooks: fc.array(
      fc.constantFrom<object[]>(
        { type: "command", command: "other-guard" },
        { type: "command", command: "/usr/bin/env", args: ["sekisho-like", "hook", "Stop"] },
        { type: "http", url: "http://127.0.0.1:9/x" },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: ["hooks"] },
);
const files = fc
  .record({
    settings: fc.record(
      {
        hooks: fc.dictionary(
          fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "Notification"),
          fc.array(group, { maxLength: 2 }),
        ),
        permissions: fc.constant({ allow: ["Bash(ls)"], deny: [] }),
        enabledPlugins: fc.constantFrom({}, { "lint@market": true }),
        env: fc.constantFrom({}, { FOO: "1" }),
        model: fc.constantFrom("opus", "ソネット"),
      },
      { requiredKeys: [] },
    ),
    indent: fc.constantFrom<(string | number)[]>(0, 2, 4, "\t"),
    eol: fc.constantFrom("\n", "\r\n"),
    end: fc.constantFrom("", "\n", "\n\n"),
    bom: fc.constantFrom("", "\ufeff"),
  })
  .map(({ settings, indent, eol, end, bom }) =>
    (bom + JSON.stringify(settings, null, indent).replaceAll("[]", "[ ]") + end).replaceAll("\n", eol),
  );

describe.skipIf(forPeople.skip)(`TS-17 TR-111 uninstall${forPeople.why}`, () => {
  it.each(["local", "project", "user"] as const)(
    "restores 10 generated files of the %s scope byte for byte",
    (scope) => {
      const stage = openStage({ registered: false });
      const path = pathOf(stage, scope);
      fs.mkdirSync(join(path, ".."), { recursive: true });
      const seed = { local: 1, project: 2, user: 3 }[scope];
      for (const [at, before] of fc.sample(files, { numRuns: 10, seed }).entries()) {
        fs.writeFileSync(path, before, { mode: 0o640 });
        const init = ["init", ...PLAIN, "--scope", scope];
        expect(runWith(stage, { sekisho: sekishoOnPath }, ...init)).toMatchObject({ code: 0, stderr: "" });
        const registered = fs.readFileSync(path, "utf8");
        expect(slotsIn(registered.replace("\ufeff", "")).length).toBeGreaterThanOrEqual(10);
        if (at % 5 === 0) expect(runWith(stage, {}, ...init).code).toBe(0);
        expect(fs.readFileSync(path, "utf8")).toBe(registered);
        expect(stage.sekisho("uninstall").code).toBe(0);
        expect(fs.readFileSync(path, "utf8")).toBe(before);
        expect((fs.statSync(path).mode & 0o777).toString(8)).toBe("640");
      }
    },
  );

  it("removes the hooks, keeps the journal, and a second run says that there is nothing to do", () => {
    const { sekisho, read, bash, audit, project } = openStage();
    bash("touch x");
    expect(sekisho("uninstall")).toMatchObject({ code: 0, stdout: expect.stringContaining("hooks removed from") });
    expect(read(LOCAL)).toBeUndefined();
    expect(fs.existsSync(join(project, ".claude"))).toBe(false);
    expect(audit().map(({ kind }) => kind)).toEqual([expect.anything(), "action"]);
    expect(sekisho("uninstall")).toMatchObject({ code: 0, stdout: expect.stringContaining("No hooks") });
    expectFailure(sekisho("uninstall", "--scope", "galaxy"), /--scope/);
  });

  it("stops the daemon with the last registration that uses it, and says why it stays before", () => {
    const stage = openStage({ registered: false });
    onTestFinished(() => endHouse(stage));
    const init = ["init", "--yes", "--lane", "fast", "--scope", "local"];
    const other = join(stage.root, "other");
    fs.mkdirSync(other);
    expect(stage.sekisho(...init).code).toBe(0);
    const there = { ...stage.env, CLAUDE_PROJECT_DIR: other };
    const inOther = (...words: readonly string[]) =>
      spawnSync(program.node, [program.bundle, ...words], { cwd: other, env: there, encoding: "utf8" });
    expect(inOther(...init).status).toBe(0);
    expect(inOther("uninstall").stdout).toContain("the gatehouse stays: 1 other settings file(s)");
    expect(stage.sekisho("status").stdout).toContain("the gatehouse is up");
    expect(stage.sekisho("uninstall").stdout).toContain("the gatehouse is down");
    expect(housesOf(stage).filter(isAlive)).toEqual([]);
  });

  it("--purge leaves nothing, although versions were kept: they are no project", () => {
    const stage = openStage({ registered: false });
    expect(stage.sekisho("init", ...PLAIN).code).toBe(0);
    expect(stage.sekisho("upgrade", "--to", "this").code).toBe(0);
    expect(stage.sekisho("uninstall", "--purge", "--yes").code).toBe(0);
    expect(filesBelow(stage.state)).toEqual([]);
  });

  it("removes the hooks from all scopes at once, or from one only", () => {
    const stage = openStage();
    const text = stage.read(LOCAL) ?? "";
    const all = (["local", "project", "user"] as const).map((scope) => pathOf(stage, scope));
    const write = (): void => {
      for (const path of all) {
        fs.mkdirSync(join(path, ".."), { recursive: true });
        fs.writeFileSync(path, text);
      }
    };
    write();
    expect(stage.sekisho("uninstall", "--scope", "project").code).toBe(0);
    expect(all.map((path) => fs.existsSync(path))).toEqual([true, false, true]);
    write();
    expect(stage.sekisho("uninstall").code).toBe(0);
    expect(all.map((path) => fs.existsSync(path))).toEqual([false, false, false]);
  });

  const broken = (text: string): string => text.replace(/\}\s*$/, "");

  it("never writes a file that does not parse: it names the lines and how to edit them by hand", () => {
    const { sekisho, read, write } = openStage();
    const text = broken(read(LOCAL) ?? "");
    write(LOCAL, text);
    for (const force of [[], ["--force"]]) {
      const answer = sekisho("uninstall", ...force);
      expect(answer.code).toBe(1);
      expect(answer.stderr).toMatch(/not valid JSON: line \d+, column \d+.*stand in line \d+, \d+.*by hand/s);
      expect(read(LOCAL)).toBe(text);
    }
  });

  it("--force still removes the hooks from the other files, and from odd shapes", () => {
    const stage = openStage();
    const ours = stage.read(LOCAL) ?? "";
    stage.write(LOCAL, broken(ours));
    stage.write(".claude/settings.json", ours);
    expectFailure(stage.sekisho("uninstall"), /Nothing was changed/);
    expect(stage.read(".claude/settings.json")).toBe(ours);
    expect(stage.sekisho("uninstall", "--force").code).toBe(1);
    expect(stage.read(".claude/settings.json")).toBeUndefined();

    const twice = `{"hooks": {}, ${ours.trim().slice(1, -1).trim()}, "model": "opus"}`;
    stage.write(LOCAL, twice);
    expectFailure(stage.sekisho("uninstall"), /"hooks" stands in it twice.*--force/s);
    expect(stage.read(LOCAL)).toBe(twice);
    expect(stage.sekisho("uninstall", "--force").code).toBe(0);
    expect(stage.read(LOCAL)).toBe('{"hooks": {}, "model": "opus"}');
  });

  it.each<[string, (stage: Stage) => void]>([
    ["the journal cannot be read", ({ state }) => fs.writeFileSync(state, "")],
    ["the settings are nonsense", ({ write }) => write(".sekisho/config.yaml", "\0{[")],
    ["the law is gone", () => undefined],
  ])("works when %s", (what, damage) => {
    const stage = openStage();
    damage(stage);
    const copy = join(stage.root, "program");
    fs.cpSync(join(program.bundle, ".."), copy, { recursive: true });
    if (what === "the law is gone") fs.rmSync(join(copy, "hook.cjs"));
    const answer = stage.run(program.node, [join(copy, "sekisho.cjs"), "uninstall"]);
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    expect(stage.read(LOCAL)).toBeUndefined();
  });

  it("leaves broken files alone that have none of our hooks", () => {
    const { sekisho, write, read } = openStage();
    write(".claude/settings.json", "{ broken");
    expect(sekisho("uninstall").code).toBe(0);
    expect(read(".claude/settings.json")).toBe("{ broken");
  });
});

describe.skipIf(forPeople.skip)(`TR-111 TS-17 --purge${forPeople.why}`, () => {
  it.each([
    [["--purge", "--yes"]],
    [["--yes", "--purge"]],
    [["--purge", "--scope", "local", "--yes"]],
    [["--force", "--yes", "--scope=local", "--purge"]],
  ])("in any position: %j removes the state and names it", (args) => {
    const { sekisho, state, bash, read } = openStage();
    bash("touch x");
    const answer = sekisho("uninstall", ...args);
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining(`removed ${join(state, "sekisho")}`) });
    expect(filesBelow(state)).toEqual([]);
    expect(read(LOCAL)).toBeUndefined();
  });

  it("does not prompt without a terminal, and then changes nothing", () => {
    const { sekisho, state, bash, read } = openStage();
    bash("touch x");
    const before = filesBelow(state);
    expectFailure(sekisho("uninstall", "--purge"), /would remove .*sekisho uninstall --purge --yes/s);
    expect(filesBelow(state)).toEqual(before);
    expect(read(LOCAL)).toBeDefined();
  });

  it("keeps the journals of other projects and the user's settings", () => {
    const { sekisho, state, bash, write, read } = openStage();
    bash("touch x");
    write(".sekisho/config.yaml", "language: en\n");
    fs.mkdirSync(join(state, "sekisho", "home+other"));
    fs.writeFileSync(join(state, "sekisho", "home+other", "journal.00000001.jsonl"), "x");
    expect(sekisho("uninstall", "--purge", "--yes").stdout).toMatch(/this project's journal; 1 other project/);
    expect(filesBelow(state).filter((path) => path.includes("journal"))).toEqual([
      "sekisho/home+other/journal.00000001.jsonl",
    ]);
    expect(read(".sekisho/config.yaml")).toBe("language: en\n");
    expect(sekisho("uninstall", "--purge", "--yes").stdout).toMatch(/No hooks.*no journal to remove/s);
  });
});

describe("commands for people", () => {
  it.each([["init"], ["uninstall"], ["audit", "prune"]])("%s %s is refused in an agent's shell", (...words) => {
    const { run, read } = openStage();
    const before = read(LOCAL);
    for (const more of [[], words[0] === "audit" ? [] : ["--yes"], words[0] === "uninstall" ? ["--force"] : []]) {
      const given = [...words, ...more].filter((word) => word !== undefined);
      expectFailure(run("env", ["CLAUDECODE=1", program.node, program.bundle, ...given]), /for people only/);
    }
    expect(read(LOCAL)).toBe(before);
  });

  it("reading is open to an agent", () => {
    const { run } = openStage();
    for (const name of ["status", "audit", "policies", "help"]) {
      expect(run("env", ["CLAUDECODE=1", program.node, program.bundle, name]).code).toBe(0);
    }
  });
});
