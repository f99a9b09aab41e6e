/** The commands for people: `init`, `uninstall`, and whom they refuse. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { expectFailure } from "./day.ts";
import { filesBelow, forPeople, openStage, program, registeredEvents } from "./stage.ts";

describe.skipIf(forPeople.skip)(`TS-17 init and uninstall${forPeople.why}`, () => {
  const PATH = ".claude/settings.local.json";
  const hooksIn = (text: string | undefined): Record<string, { matcher?: string; hooks: unknown[] }[]> =>
    (JSON.parse(text ?? "{}") as { hooks: Record<string, { matcher?: string; hooks: unknown[] }[]> }).hooks;

  it("registers every hook, exactly, in a new file that is the person's own, and proves that it refuses", () => {
    const { sekisho, read, project } = openStage({ registered: false });
    const { code, stdout } = sekisho("init", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/hooks registered in .*settings\.local\.json\n.*refused/s);
    const found = Object.entries(hooksIn(read(PATH))).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher, hooks }) =>
        hooks.map((hook) => ({ event, ...(matcher !== undefined && { matcher }), hook })),
      ),
    );
    expect(found).toEqual(slots(registeredEvents, program));
    expect(filesBelow(project)).toEqual([PATH]);
    expect((fs.statSync(join(project, PATH)).mode & 0o777).toString(8)).toBe("600");
  });

  it("done again changes not a byte", () => {
    const { sekisho, read } = openStage({ registered: false });
    sekisho("init", "--yes");
    const first = read(PATH);
    expect(sekisho("init").code).toBe(0);
    expect(read(PATH)).toBe(first);
  });

  const FOREIGN = {
    permissions: { allow: ["Bash(ls)"] },
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "other-guard" }] }],
      Notification: [{ hooks: [{ type: "command", command: "notify-send hi" }] }],
    },
    model: "opus",
  };

  it.each([["local"], ["user"]])("keeps foreign entries in the %s file, and uninstall gives it back", (scope) => {
    const { sekisho, project, home } = openStage({ registered: false });
    const directory = join(scope === "user" ? home : project, ".claude");
    const path = join(directory, scope === "local" ? "settings.local.json" : "settings.json");
    fs.mkdirSync(directory, { recursive: true });
    const before = `${JSON.stringify(FOREIGN, null, 4)}\n`;
    fs.writeFileSync(path, before, { mode: 0o640 });
    expect(sekisho("init", "--scope", scope).code).toBe(0);
    const after = JSON.parse(fs.readFileSync(path, "utf8")) as typeof FOREIGN;
    expect(after).toMatchObject({ permissions: FOREIGN.permissions, model: "opus" });
    expect(after.hooks.PreToolUse[0]).toEqual(FOREIGN.hooks.PreToolUse[0]);
    expect(after.hooks.PreToolUse).toHaveLength(3);
    expect(after.hooks.Notification).toEqual(FOREIGN.hooks.Notification);
    expect((fs.statSync(path).mode & 0o777).toString(8)).toBe("640");
    expect(sekisho("uninstall", "--scope", scope).code).toBe(0);
    expect(JSON.parse(fs.readFileSync(path, "utf8"))).toEqual(FOREIGN);
    expect(fs.readFileSync(path, "utf8").length).toBe(before.length);
  });

  it.each([
    ["is no JSON", '{\n  "model": "opus",\n  "hooks": {,}\n}\n', /not valid JSON: line 3, column 13/],
    ["is a list", "[]\n", /not valid JSON/],
    ["has hooks that are a list", '{"hooks": []}\n', /`hooks` is not an object/],
    [
      "holds an entry that the client would choke on",
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}\n',
      /the client drops/,
    ],
  ])("leaves a file alone that %s, and names the place", (_, text, words) => {
    const { sekisho, write, read } = openStage({ registered: false });
    write(PATH, text);
    const answer = sekisho("init");
    expectFailure(answer, words);
    expect(answer.stderr).toContain(PATH);
    expect(read(PATH)).toBe(text);
  });

  it("refuses to be registered twice, and names where it is already", () => {
    const { sekisho, home, read } = openStage({ registered: false });
    expect(sekisho("init", "--scope", "user").code).toBe(0);
    expectFailure(sekisho("init", "--scope", "local"), /already registered in .*\.claude\/settings\.json/s);
    expect(read(PATH)).toBeUndefined();
    expect(sekisho("uninstall").code).toBe(0);
    expect(fs.existsSync(join(home, ".claude/settings.json"))).toBe(false);
    expect(sekisho("init", "--scope", "local").code).toBe(0);
  });

  it("refuses a scope and a lane that do not exist", () => {
    const { sekisho, read } = openStage({ registered: false });
    expectFailure(sekisho("init", "--scope", "galaxy"), /--scope is local, project or user/);
    expectFailure(sekisho("init", "--scope", "project"), /--scope project is not possible yet/);
    expectFailure(sekisho("init", "--lane", "fast"), /--lane "fast" does not exist/);
    expectFailure(sekisho("uninstall", "--scope", "galaxy"), /--scope/);
    expect(read(PATH)).toBeUndefined();
  });

  it("uninstall takes the hooks, leaves the journal, and done again says that there is nothing to do", () => {
    const { sekisho, read, bash, audit } = openStage();
    bash("touch x");
    expect(sekisho("uninstall")).toMatchObject({ code: 0, stdout: expect.stringContaining("hooks removed from") });
    expect(read(PATH)).toBeUndefined();
    expect(audit().map(({ event }) => event)).toEqual(["PreToolUse", "uninstall"]);
    expect(sekisho("uninstall")).toMatchObject({ code: 0, stdout: expect.stringContaining("No hooks") });
  });

  it("writes through a link and leaves it one", () => {
    const { sekisho, project, root } = openStage({ registered: false });
    fs.mkdirSync(join(project, ".claude"));
    fs.writeFileSync(join(root, "dotfiles.json"), "{}\n");
    fs.symlinkSync(join(root, "dotfiles.json"), join(project, PATH));
    expect(sekisho("init").code).toBe(0);
    expect(fs.lstatSync(join(project, PATH)).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(join(root, "dotfiles.json"), "utf8")).toContain("sekisho.cjs");
  });
});

describe("commands for people", () => {
  it.each([["init"], ["uninstall"], ["audit", "prune"]])("%s %s is refused in an agent's shell", (...words) => {
    const { run, read } = openStage();
    const before = read(".claude/settings.local.json");
    const args = ["CLAUDECODE=1", program.node, program.bundle, ...words.filter((word) => word !== undefined)];
    expectFailure(run("env", args), /for people only/);
    expect(read(".claude/settings.local.json")).toBe(before);
  });

  it("looking is open to an agent", () => {
    const { run } = openStage();
    for (const name of ["status", "audit", "policies", "help"]) {
      expect(run("env", ["CLAUDECODE=1", program.node, program.bundle, name]).code).toBe(0);
    }
  });
});
