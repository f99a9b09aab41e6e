/** The commands, as a person types them: what they say, where they say it, and how they end. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { type Answer, filesBelow, forPeople, openStage, program, registeredEvents, type Stage } from "./stage.ts";

/** A day's work: one call that went well, one question, two refusals, one error. */
function worked(): Stage {
  const stage = openStage();
  stage.send("SessionStart", { source: "startup" });
  const tool = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "call-ok" };
  stage.send("PreToolUse", tool);
  stage.send("PostToolUse", { ...tool, tool_response: {} });
  stage.bash("git branch -D old");
  stage.bash("rm -rf /");
  stage.bash("sekisho uninstall");
  stage.sendBytes("PreToolUse", "{");
  return stage;
}

function expectFailure(answer: Answer, words: RegExp): void {
  expect(answer).toMatchObject({ code: 1, stdout: "" });
  expect(answer.stderr).toMatch(words);
  expect(answer.stderr).not.toMatch(/unexpected error|^\s+at /m);
}

describe("EH-33 TS-16 the command line", () => {
  const COMMANDS = ["try", "init", "uninstall", "status", "explain", "audit", "judge", "policies"];

  it("tells its version", () => {
    const { sekisho } = openStage();
    const { version } = JSON.parse(fs.readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    for (const word of ["--version", "-v", "version"]) {
      expect(sekisho(word)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  it("lists its commands when asked for help, or for nothing", () => {
    const { sekisho } = openStage();
    const page = sekisho("help").stdout;
    for (const name of COMMANDS) expect(page).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    for (const words of [[], ["--help"], ["-h"]]) expect(sekisho(...words)).toEqual({ code: 0, stdout: page, stderr: "" });
  });

  it.each(COMMANDS)("has a page about %s, by either way of asking, with every option on it", (name) => {
    const { sekisho } = openStage();
    const { code, stdout, stderr } = sekisho("help", name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`sekisho ${name}`);
    expect(stdout).toContain("--help");
    expect(sekisho(name, "--help").stdout).toBe(stdout);
  });

  it("refuses a command that it does not have", () => {
    const { code, stdout, stderr } = openStage().sekisho("frobnicate");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('no command "frobnicate"');
  });

  it("does not take a page that it does not have for the page of contents", () => {
    expectFailure(openStage().sekisho("help", "frobnicate"), /frobnicate/);
  });

  it.each(COMMANDS)("refuses an option that %s does not have", (name) => {
    expectFailure(openStage().sekisho(name, "--frobnicate"), /--frobnicate.*sekisho \w+ --help/s);
  });

  it.each([
    ["status", ["extra"]],
    ["policies", ["extra"]],
    ["explain", ["one", "two"]],
    ["judge", ["ls", "-la"]],
    ["judge", ["ls", "la"]],
    ["judge", []],
    ["audit", ["frobnicate"]],
    ["try", ["extra"]],
  ])("refuses words that %s has no use for: %j", (name, words) => {
    expectFailure(openStage().sekisho(name, ...words), /sekisho/);
  });

  it("is not disturbed by a reader that has seen enough", () => {
    const { run } = worked();
    for (const args of ["policies --markdown", "audit --json --kind all", "status", "help", "explain"]) {
      const line = `"$0" "$1" ${args} | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = run("bash", ["-c", line, program.node, program.bundle]);
      expect({ args, stdout, stderr }).toEqual({ args, stdout: "0\n", stderr: "" });
    }
  });

  it("paints nothing where nobody looks", () => {
    const { sekisho } = worked();
    for (const name of ["status", "audit", "explain", "policies", "help"]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every colour code.
      expect(sekisho(name).stdout).not.toMatch(/\u001b/);
    }
  });

  it("answers --json with JSON and nothing else", () => {
    const { sekisho } = worked();
    for (const words of [["status"], ["explain"], ["audit", "verify"], ["judge", "ls"], ["policies"]]) {
      const { code, stdout, stderr } = sekisho(...words, "--json");
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
      expect(typeof JSON.parse(stdout)).toBe("object");
    }
    const lines = sekisho("audit", "--json").stdout.trimEnd().split("\n");
    for (const line of lines) expect(typeof JSON.parse(line)).toBe("object");
  });
});

describe("status", () => {
  it("tells a project without a past what to do next", () => {
    const { sekisho, state } = openStage({ registered: false });
    const { code, stdout } = sekisho("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(/not registered here; run `sekisho init`/);
    expect(stdout).toContain("No session has passed here yet.");
    expect(fs.existsSync(state)).toBe(false);
  });

  it("tells the hooks, the verdicts, the faults and who is working", () => {
    const { sekisho, project } = worked();
    const view = JSON.parse(sekisho("status", "--json").stdout) as Record<string, unknown>;
    expect(view).toMatchObject({
      project,
      enabled: true,
      registered: [{ path: join(project, ".claude/settings.local.json") }],
      verdicts: { pass: 3, ask: 1, deny: 2 },
      faults: 1,
      sessions: [{ id: "s1", bound: true, ended: false, outcomes: { success: 1, refused: 2 } }],
    });
    const text = sekisho("status").stdout;
    for (const words of ["3 passed", "1 asked", "2 refused", "no-destructive-command", "main agent", "success"]) {
      expect(text).toContain(words);
    }
  });

  it("says so when a settings file has lost its hooks or cannot be read", () => {
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

describe("explain", () => {
  const idOf = (stage: Stage, command: string): string =>
    stage.audit().find(({ tool_input: input }) => (input as { command?: string } | null)?.command === command)?.id ?? "";

  it("shows the last objection by default: what, why, instead, and who was asked", () => {
    const stage = openStage();
    stage.bash("rm -rf /");
    stage.bash("ls");
    for (const words of [[], ["--last"]]) {
      const { code, stdout } = stage.sekisho("explain", ...words);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^DENY {2}PreToolUse/);
      for (const part of ["rm -rf /", "no-destructive-command", "what", "why", "instead", "Outcome: refused"]) {
        expect(stdout).toContain(part);
      }
    }
  });

  it("finds a verdict by its id and by the beginning of it", () => {
    const stage = worked();
    const id = idOf(stage, "git branch -D old");
    for (const word of [id, id.slice(0, -1)]) {
      expect(JSON.parse(stage.sekisho("explain", word, "--json").stdout)).toMatchObject({
        id,
        verdict: "ask",
        rulings: expect.arrayContaining([expect.objectContaining({ policy: "no-destructive-command", decision: "ask" })]),
      });
    }
  });

  it("explains the id that a refusal named", () => {
    const stage = openStage();
    const { stderr } = stage.bash("git reset --hard");
    const [, id = ""] = /sekisho explain (\S+)/.exec(stderr) ?? [];
    expect(stage.sekisho("explain", id)).toMatchObject({ code: 0, stdout: expect.stringContaining("git reset --hard") });
  });

  it("explains a call that passed, and an error", () => {
    const stage = worked();
    expect(stage.sekisho("explain", idOf(stage, "npm test"))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/PASS.*npm test.*Every policy that was asked let it pass.*Outcome: success/s),
    });
    expect(stage.sekisho("explain")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ERROR.*input: /s) });
  });

  it("refuses an id that is not there, and one that is several", () => {
    const { sekisho } = worked();
    expectFailure(sekisho("explain", "nothing-like-it"), /No verdict "nothing-like-it"/);
    expectFailure(sekisho("explain", "m"), /More than one/);
  });

  it("EH-33 says that there is nothing yet, which is no error", () => {
    expect(openStage().sekisho("explain")).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing") });
  });
});

describe("audit", () => {
  it("EH-33 says that there is nothing yet, which is no error", () => {
    const { sekisho, state } = openStage();
    expect(sekisho("audit")).toEqual({ code: 0, stdout: "Nothing here yet.\n", stderr: "" });
    expect(sekisho("audit", "--json")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(sekisho("audit", "verify").code).toBe(0);
    expect(fs.existsSync(state)).toBe(false);
  });

  it("AU-3 AU-4 shows every attempt once, with what came of it", () => {
    const { sekisho } = worked();
    const lines = sekisho("audit", "--json").stdout.trimEnd().split("\n");
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["call", "success"],
      ["question", "pending"],
      ["refusal", "refused"],
      ["refusal", "refused"],
      ["error", null],
    ]);
    expect(sekisho("audit").stdout).toMatch(/^5 entries, 1 pending\n/);
  });

  it("AU-2 TS-14 has all the fields of a line", () => {
    const [line] = worked().audit("--kind", "refusal");
    const fields = "timestamp session_id tool_name tool_use_id tool_input domain risk_category complexity decision outcome";
    const more = "trust_score_before autonomy_score trust_score_after recommended_model phase kind agent_type";
    for (const field of `${fields} ${more}`.split(" ")) expect(line).toHaveProperty(field);
    expect(line).toMatchObject({ decision: "blocked", outcome: "refused", phase: "unknown" });
    expect(line?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it("shows the last so many, one kind, and one day", () => {
    const { sekisho, audit } = worked();
    const count = (...words: readonly string[]): number =>
      sekisho("audit", "--json", ...words).stdout.split("\n").filter((line) => line !== "").length;
    expect(count("--tail", "2")).toBe(2);
    expect(count("--tail", "1000")).toBe(5);
    expect(count("--kind", "refusal")).toBe(2);
    expect(count("--kind", "question")).toBe(1);
    expect(count("--kind", "error")).toBe(1);
    expect(count("--kind", "event")).toBe(2);
    expect(count("--kind", "all")).toBe(7);
    const day = audit()[0]?.timestamp.slice(0, 10) ?? "";
    expect(count("--date", day)).toBe(5);
    expect(count("--date", "2001-01-01")).toBe(0);
    expect(count("--date", day, "--kind", "all", "--tail", "3")).toBe(3);
  });

  it.each([
    ["--tail", "0"],
    ["--tail", "-1"],
    ["--tail", "1.5"],
    ["--tail", "many"],
    ["--tail", ""],
    ["--date", "yesterday"],
    ["--date", "2026-1-1"],
    ["--date", "2026-13-40"],
    ["--kind", "frobnication"],
    ["--kind", ""],
  ])("EH-33 refuses %s %j and names the option", (option, value) => {
    const answer = worked().sekisho("audit", `${option}=${value}`);
    expectFailure(answer, new RegExp(option));
  });

  it("EH-33 verify ends with 0 for an intact journal and with 2 for a damaged one", () => {
    const { sekisho, journal } = worked();
    expect(sekisho("audit", "verify")).toMatchObject({ code: 0, stdout: expect.stringContaining("intact: 7 records") });
    const [name = ""] = fs.readdirSync(journal()).filter((file) => file.startsWith("journal."));
    const path = join(journal(), name);
    const bytes = fs.readFileSync(path);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    fs.writeFileSync(path, bytes);
    expect(sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("damaged") });
    const { code, stdout } = sekisho("audit", "verify", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ integrity: "damaged", segments: [{ integrity: "damaged" }] });
  });

  it.skipIf(forPeople.skip)(`AU-9 prune takes nothing that is not old${forPeople.why}`, () => {
    const { sekisho, audit } = worked();
    expect(sekisho("audit", "prune").code).toBe(0);
    expect(audit()).toHaveLength(7);
  });
});

describe("judge", () => {
  it.each([
    ["ls -la", "pass", 0],
    ["git branch -D old", "ask", 0],
    ["rm -rf ~", "deny", 2],
    ["sekisho uninstall", "deny", 2],
  ])("says of `%s`: %s, and ends with %i", (command, verdict, code) => {
    const { sekisho } = openStage();
    expect(sekisho("judge", command)).toMatchObject({
      code,
      stdout: expect.stringMatching(new RegExp(`^${verdict.toUpperCase()}\\n`)),
      stderr: "",
    });
    expect(JSON.parse(sekisho("judge", command, "--json").stdout)).toMatchObject({ command, verdict });
  });

  it("says what, why and instead of a refusal", () => {
    expect(openStage().sekisho("judge", "rm -rf /").stdout).toMatch(/what .*\n.*why .*\[no-destructive-command\].*instead /s);
  });

  it("judges lines, one answer each, and tells the bad ones by their number", () => {
    const { run } = openStage();
    const input = ['{"command":"ls"}', "", "not json", '{"command":7}', "null", '{"command":"rm -rf /"}'].join("\r\n");
    const { code, stdout } = run(program.node, [program.bundle, "judge", "--jsonl"], { input });
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n").map((line) => JSON.parse(line))).toMatchObject([
      { command: "ls", verdict: "pass" },
      { error: expect.stringContaining("line 3") },
      { error: expect.stringContaining("line 4") },
      { error: expect.stringContaining("line 5") },
      { command: "rm -rf /", verdict: "deny" },
    ]);
    const good = run(program.node, [program.bundle, "judge", "--jsonl"], { input: '{"command":"rm -rf /"}' });
    expect(good).toMatchObject({ code: 0, stderr: "" });
  });

  it("judges from where it is told the agent stands", () => {
    const { sekisho, project, home } = openStage();
    expect(sekisho("judge", "rm -rf build", "--cwd", project).code).toBe(0);
    expect(sekisho("judge", "rm -rf home", "--cwd", join(home, "..")).code).toBe(2);
  });

  it.each([
    ["without settings", undefined],
    ["with settings", "language: en\n"],
  ])("records nothing, %s: there is not even a state directory afterwards", (_, settings) => {
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

  it("lists the law, and what is off here", () => {
    const { sekisho, write } = openStage();
    write(".sekisho/config.yaml", "policies:\n  no-destructive-command: off\n  no-tampering: off\n");
    const text = sekisho("policies").stdout;
    for (const id of ids) expect(text).toContain(id);
    expect(text).toMatch(/no-destructive-command {2}off/);
    expect(text).toMatch(/no-tampering {2}always on/);
    const rows = JSON.parse(sekisho("policies", "--json").stdout) as { id: string; enabled: boolean; floor: boolean }[];
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(rows.filter(({ enabled }) => !enabled).map(({ id }) => id)).toEqual(["no-destructive-command"]);
  });

  it("writes the page, and holds a file against it", () => {
    const { sekisho, write } = openStage();
    const page = sekisho("policies", "--markdown").stdout;
    for (const id of ids) expect(page).toContain(`## ${id}`);
    write("page.md", page);
    expect(sekisho("policies", "--markdown", "--check", "page.md")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("EH-33 ends with 2, as its help says, when the file differs", () => {
    const { sekisho, write } = openStage();
    write("page.md", "# Policies\n");
    const { code, stderr } = sekisho("policies", "--markdown", "--check", "page.md");
    expect(stderr).toContain("page.md is not current");
    expect(code).toBe(2);
  });

  it("EH-33 fails in plain words when the file to check is not there", () => {
    expectFailure(openStage().sekisho("policies", "--markdown", "--check", "missing.md"), /missing\.md/);
  });
});

describe("try", () => {
  it.each([
    ["C.UTF-8", /refused/],
    ["ja_JP.UTF-8", /止めた/],
  ])("tells its story in the language of %s, names each refusal, and leaves nothing behind", (LANG, refused) => {
    const { run, root, project, state } = openStage();
    const before = filesBelow(project);
    const { code, stdout, stderr } = run("env", [`LANG=${LANG}`, program.node, program.bundle, "try"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(new RegExp(refused, "g"))?.length).toBeGreaterThanOrEqual(5);
    for (const policy of ["[no-destructive-command]", "[no-tampering]"]) expect(stdout).toContain(policy);
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
      groups.flatMap(({ matcher, hooks }) => hooks.map((hook) => ({ event, ...(matcher !== undefined && { matcher }), hook }))),
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

  it.each([["local"], ["project"], ["user"]])("keeps foreign entries in the %s file, and uninstall gives it back", (scope) => {
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
    ["holds an entry that the client would choke on", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}\n', /malformed/],
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
    expect(fs.readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}\n");
    expect(sekisho("init", "--scope", "local").code).toBe(0);
  });

  it("refuses a scope and a lane that do not exist", () => {
    const { sekisho, read } = openStage({ registered: false });
    expectFailure(sekisho("init", "--scope", "galaxy"), /--scope is local, project or user/);
    expectFailure(sekisho("init", "--lane", "fast"), /--lane "fast" does not exist/);
    expectFailure(sekisho("uninstall", "--scope", "galaxy"), /--scope/);
    expect(read(PATH)).toBeUndefined();
  });

  it("uninstall takes the hooks, leaves the journal, and done again says that there is nothing to do", () => {
    const { sekisho, read, bash, audit } = openStage();
    bash("touch x");
    expect(sekisho("uninstall")).toMatchObject({ code: 0, stdout: expect.stringContaining("hooks removed from") });
    expect(read(PATH)).toBe("{}\n");
    expect(audit()).toHaveLength(1);
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
