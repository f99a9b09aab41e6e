/** The command line as a person uses it: output, streams and exit codes. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { expectFailure, worked } from "./day.ts";
import { inProcess, program } from "./program.ts";
import { openStage } from "./stage.ts";

describe("EH-33 TS-16 the command line", () => {
  const help = inProcess([program.node, program.bundle, "help"], { cwd: import.meta.dirname, env: {}, input: "" });
  const COMMANDS = [...help.stdout.matchAll(/^ {2}([a-z]+)\b/gm)].flatMap(([, name]) => name ?? []);

  it("TR-100 prints its version", () => {
    const { sekisho } = openStage();
    const { version } = JSON.parse(fs.readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    for (const word of ["--version", "-v", "version"]) {
      expect(sekisho(word)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  it("TR-100 lists its commands for help or without arguments: those of docs/commands.md", () => {
    const { sekisho } = openStage();
    const page = sekisho("help").stdout;
    const table = fs.readFileSync(join(import.meta.dirname, "../../docs/commands.md"), "utf8");
    const rows = table.split("\n").filter((line) => line.startsWith("| `sekisho "));
    const named = rows.flatMap((row) => [...row.matchAll(/`sekisho ([a-z]+)/g)].flatMap(([, name]) => name ?? []));
    expect([...new Set(named)].sort()).toEqual([...COMMANDS].sort());
    for (const words of [[], ["--help"], ["-h"]])
      expect(sekisho(...words)).toEqual({ code: 0, stdout: page, stderr: "" });
  });

  it.each(COMMANDS)("has a help page for %s with every option, by either way of asking", (name) => {
    const { sekisho } = openStage();
    const { code, stdout, stderr } = sekisho("help", name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`sekisho ${name}`);
    expect(stdout).toContain("--help");
    expect(sekisho(name, "--help").stdout).toBe(stdout);
  });

  it("TR-100 refuses an unknown command and lists the known ones", () => {
    const { code, stdout, stderr } = openStage().sekisho("frobnicate");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('no command "frobnicate"');
    expect(stderr).toContain(openStage().sekisho("help").stdout.trim());
  });

  it("names the nearest command, and then no others", () => {
    expect(openStage().sekisho("playbok", "lint").stderr).toMatch(
      /^sekisho: there is no command "playbok" \(did you mean playbook\?\)\. See `sekisho help`\.\n$/,
    );
  });

  it("refuses an unknown help page", () => {
    expectFailure(openStage().sekisho("help", "frobnicate"), /frobnicate/);
  });

  it.each(COMMANDS)("refuses an unknown option of %s", (name) => {
    expectFailure(openStage().sekisho(name, "--frobnicate"), /--frobnicate.*sekisho \w+ --help/s);
  });

  it.each([
    ["status", ["one", "two"]],
    ["trust", ["one", "two", "three"]],
    ["demo", ["extra"]],
    ["policies", ["extra"]],
    ["explain", ["one", "two"]],
    ["judge", ["ls", "-la"]],
    ["judge", ["ls", "la"]],
    ["judge", []],
    ["audit", ["frobnicate"]],
    ["try", ["extra"]],
  ])("refuses surplus arguments of %s: %j", (name, words) => {
    expectFailure(openStage().sekisho(name, ...words), /sekisho/);
  });

  it("is not disturbed by a reader that closes the pipe", () => {
    const { run } = worked();
    for (const args of ["policies --markdown", "audit --json --kind all", "status", "help", "explain"]) {
      const line = `"$0" "$1" ${args} | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = run("bash", ["-c", line, program.node, program.bundle]);
      expect({ args, stdout, stderr }).toEqual({ args, stdout: "0\n", stderr: "" });
    }
  });

  it("prints no colours when the output is not a terminal", () => {
    const { sekisho } = worked();
    for (const name of ["status", "audit", "explain", "policies", "help"]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every colour code.
      expect(sekisho(name).stdout).not.toMatch(/\u001b/);
    }
  });

  it("answers --json with JSON and nothing else", () => {
    const { sekisho } = worked();
    for (const words of [["status"], ["trust"], ["explain"], ["audit", "verify"], ["judge", "ls"], ["policies"]]) {
      const { code, stdout, stderr } = sekisho(...words, "--json");
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
      expect(typeof JSON.parse(stdout)).toBe("object");
    }
    const lines = sekisho("audit", "--json").stdout.trimEnd().split("\n");
    for (const line of lines) expect(typeof JSON.parse(line)).toBe("object");
  });
});

describe("status", () => {
  it("tells a project without a journal what to do next", () => {
    const { sekisho, state } = openStage({ registered: false });
    const { code, stdout } = sekisho("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(/not registered here; run `sekisho init`/);
    expect(stdout).toContain("No session has passed here yet.");
    expect(fs.existsSync(state)).toBe(false);
  });

  it("shows hooks, verdicts, faults and active agents", () => {
    const { sekisho, project } = worked();
    const view = JSON.parse(sekisho("status", "--json").stdout) as Record<string, unknown>;
    expect(view).toMatchObject({
      project,
      enabled: true,
      registered: [{ path: join(project, ".claude/settings.local.json") }],
      verdicts: { pass: 1, ask: 1, deny: 2 },
      faults: 1,
      sessions: [{ id: "s1", bound: true, ended: false, outcomes: { success: 1, refused: 2 } }],
    });
    const text = sekisho("status").stdout;
    for (const words of ["1 passed", "1 asked", "2 refused", "no-destructive-command", "main agent", "success"]) {
      expect(text).toContain(words);
    }
  });

  it("reports a settings file that lost its hooks or cannot be read", () => {
    const { sekisho, write } = openStage();
    write(".claude/settings.local.json", '{"disableAllHooks": true}');
    expect(sekisho("status").stdout).toContain("disableAllHooks");
    write(".claude/settings.local.json", "{");
    expect(JSON.parse(sekisho("status", "--json").stdout)).toMatchObject({
      registered: [{ problem: expect.stringContaining("cannot read") }],
    });
  });

  it("fails with the cause when the journal cannot be read", () => {
    const { sekisho, state } = openStage();
    fs.mkdirSync(state);
    fs.writeFileSync(join(state, "sekisho"), "");
    expectFailure(sekisho("status"), /cannot be used.*move it away/s);
  });
});

describe("judge", () => {
  it.each([
    ["ls -la", "pass", 0],
    ["git tag -d old", "ask", 0],
    ["rm -rf ~", "deny", 2],
    ["sekisho uninstall", "deny", 2],
  ])("says of `%s`: %s, and exits with %i", (command, verdict, code) => {
    const { sekisho } = openStage();
    expect(sekisho("judge", command)).toMatchObject({
      code,
      stdout: expect.stringMatching(new RegExp(`^${verdict.toUpperCase()}  \\w+, \\w+, \\w+ risk\\n`)),
      stderr: "",
    });
    expect(JSON.parse(sekisho("judge", command, "--json").stdout)).toMatchObject({ command, verdict });
  });

  it("explains a refusal with what, why and instead", () => {
    expect(openStage().sekisho("judge", "rm -rf /").stdout).toMatch(
      /what .*\n.*why .*\[no-destructive-command\].*instead /s,
    );
  });

  it("judges JSON lines one by one and reports invalid ones by line number", () => {
    const { run } = openStage();
    const input = ['{"command":"ls"}', "", "not json", '{"command":7}', "null", '{"command":"rm -rf /"}'].join("\r\n");
    const { code, stdout } = run(program.node, [program.bundle, "judge", "--jsonl"], { input });
    expect(code).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { command: "ls", verdict: "pass" },
      { error: expect.stringContaining("line 3") },
      { error: expect.stringContaining("line 4") },
      { error: expect.stringContaining("line 5") },
      { command: "rm -rf /", verdict: "deny" },
    ]);
    const good = run(program.node, [program.bundle, "judge", "--jsonl"], { input: '{"command":"rm -rf /"}' });
    expect(good).toMatchObject({ code: 0, stderr: "" });
  });

  it("accepts only a directory as --cwd", () => {
    const { sekisho, write } = openStage();
    write("a.txt", "a");
    for (const cwd of ["a.txt", "/nowhere"]) expectFailure(sekisho("judge", "ls", "--cwd", cwd), /takes a directory/);
  });

  it("judges from the directory given as the agent's", () => {
    const { sekisho, project, home } = openStage();
    expect(sekisho("judge", "rm -rf build", "--cwd", project).code).toBe(0);
    expect(sekisho("judge", "rm -rf home", "--cwd", join(home, "..")).code).toBe(2);
  });

  it.each([
    ["without settings", undefined],
    ["with settings", "language: en\n"],
  ])("records nothing, %s: not even a state directory is created", (_, settings) => {
    const { sekisho, run, state, write } = openStage();
    if (settings !== undefined) write(".sekisho/config.yaml", settings);
    sekisho("judge", "rm -rf /");
    sekisho("judge", "ls", "--json");
    run(program.node, [program.bundle, "judge", "--jsonl"], { input: '{"command":"ls"}\n' });
    expect(filesBelow(state)).toEqual([]);
    expect(fs.existsSync(state)).toBe(false);
  });
});

describe("policies", () => {
  const ids = ["no-tampering", "no-destructive-command", "track-outcome", "track-session", "remind-settings"];

  it("lists the policies and which are off", () => {
    const { sekisho, write } = openStage();
    write(".sekisho/config.yaml", "policies:\n  no-destructive-command: off\n  no-tampering: off\n");
    const text = sekisho("policies").stdout;
    for (const id of ids) expect(text).toContain(id);
    expect(text).toMatch(/no-destructive-command {2}off/);
    expect(text).toMatch(/no-tampering {2}always on/);
    const rows = JSON.parse(sekisho("policies", "--json").stdout) as { id: string; enabled: boolean; floor: boolean }[];
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(rows.filter(({ enabled }) => !enabled).map(({ id }) => id)).toEqual([
      "no-destructive-command",
      // Off by default.
      "no-main-branch-edit",
    ]);
  });

  it("prints the Markdown page and checks a file against it", () => {
    const { sekisho, write } = openStage();
    const page = sekisho("policies", "--markdown").stdout;
    for (const id of ids) expect(page).toContain(`## ${id}`);
    write("page.md", page);
    expect(sekisho("policies", "--markdown", "--check", "page.md")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("EH-33 exits with 2 when the file differs", () => {
    const { sekisho, write } = openStage();
    write("page.md", "# Policies\n");
    const { code, stderr } = sekisho("policies", "--markdown", "--check", "page.md");
    expect(stderr).toContain("page.md is not current");
    expect(code).toBe(2);
  });

  it("EH-33 reports a missing file in plain words", () => {
    const { code, stderr } = openStage().sekisho("policies", "--markdown", "--check", "missing.md");
    expect([1, 2]).toContain(code);
    expect(stderr).toContain("missing.md");
    expect(stderr).not.toContain("unexpected error");
  });
});

describe("try", () => {
  it.each([
    ["C.UTF-8", /refused/, /told to continue.*Persistent mode 1\/20.*let go.*Persistent mode is done/s],
    ["ja_JP.UTF-8", /止めた/, /続けさせた.*永続モード 1\/20.*終わらせた.*永続モードが完了しました/s],
  ])("runs in the language of %s, names each refusal, and leaves nothing behind", (LANG, refused, ends) => {
    const { run, root, project, state } = openStage();
    const before = filesBelow(project);
    const { code, stdout, stderr } = run("env", [`LANG=${LANG}`, program.node, program.bundle, "try"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(new RegExp(refused, "g"))?.length).toBeGreaterThanOrEqual(5);
    const policies = ["[no-destructive-command]", "[no-tampering]", "[require-verification]", "[require-persistent]"];
    for (const policy of policies) expect(stdout).toContain(policy);
    expect(stdout).toMatch(ends);
    for (const attempt of ['rm -rf "$HOME"', "base64 -d | sh", "settings.local.json", "npx sekisho uninstall"]) {
      expect(stdout).toContain(attempt);
    }
    expect(stdout).not.toContain("?!");
    expect(fs.readdirSync(join(root, "tmp"))).toEqual([]);
    expect(filesBelow(project)).toEqual(before);
    expect(fs.existsSync(state)).toBe(false);
  });

  it("leaves nothing behind in a project with settings either", () => {
    const { sekisho, write, root, state } = openStage();
    write(".sekisho/config.yaml", "language: en\n");
    expect(sekisho("try").code).toBe(0);
    expect(fs.readdirSync(join(root, "tmp"))).toEqual([]);
    expect(filesBelow(state)).toEqual([]);
  });
});
