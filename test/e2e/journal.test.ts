/** What is kept: where it lies, who may read it, what it never holds, and what happens when it cannot be kept. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { endOf, expectValid, filesBelow, mounting, openStage, type Stage } from "./stage.ts";

describe("the state directory", () => {
  const modesBelow = (directory: string): Record<string, string> =>
    Object.fromEntries(
      [".", ...fs.readdirSync(directory, { recursive: true, encoding: "utf8" })].map((path) => {
        const stat = fs.statSync(join(directory, path));
        return [path, `${stat.isDirectory() ? "d" : "f"}${(stat.mode & 0o777).toString(8)}`];
      }),
    );

  it.each(["000", "022", "077"])("is the user's alone, with all in it, under umask %s", (umask) => {
    const { command, run, state, write, project } = openStage();
    write(".sekisho/config.yaml", "language: en\n");
    const event = (id: number): string =>
      JSON.stringify({
        session_id: "s1",
        cwd: project,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "ls" },
        tool_use_id: `c${id}`,
      });
    // Enough of them for a snapshot to be due.
    for (let id = 0; id < 26; id++) {
      run("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", ...command("PreToolUse")], { input: event(id) });
    }
    const modes = modesBelow(state);
    expect(Object.keys(modes).some((path) => path.includes("/snap."))).toBe(true);
    expect(Object.keys(modes).some((path) => path.endsWith("/settings.json"))).toBe(true);
    expect(Object.keys(modes).some((path) => path.endsWith(".bin"))).toBe(true);
    expect(new Set(Object.values(modes))).toEqual(new Set(["d700", "f600"]));
  });

  it("is closed again when somebody has opened it", () => {
    const { bash, journal } = openStage();
    bash("ls");
    fs.chmodSync(journal(), 0o777);
    bash("ls");
    expect((fs.statSync(journal()).mode & 0o777).toString(8)).toBe("700");
  });

  it("ST-14 lies outside the work tree, and nothing of ours is in the work tree", () => {
    const { send, bash, use, project, home, state, git } = openStage({ registered: false });
    send("SessionStart", { source: "startup" });
    bash("ls");
    bash("rm -rf /");
    use("Read", { file_path: join(project, "x") });
    send("Stop", { stop_hook_active: false });
    send("SessionEnd", { reason: "other" });
    expect(filesBelow(project)).toEqual([]);
    expect(git("status", "--porcelain", "--ignored")).toBe("");
    expect(filesBelow(home)).toEqual([]);
    expect(filesBelow(state).length).toBeGreaterThan(0);
  });

  it("is below the home when XDG_STATE_HOME says nothing or something relative", () => {
    const { use, home, project } = openStage();
    use("Read", { file_path: "x" });
    for (const given of ["", "relative/state"]) {
      const { send } = openStage();
      send("Stop", {}, { env: { XDG_STATE_HOME: given, HOME: home } });
    }
    expect(filesBelow(join(home, ".local/state/sekisho")).some((path) => path.endsWith(".jsonl"))).toBe(true);
    expect(fs.existsSync(join(project, "relative"))).toBe(false);
  });
});

describe("a project's journal", () => {
  const journalsOf = ({ state }: Stage): readonly string[] =>
    fs.readdirSync(join(state, "sekisho")).filter((name) => name !== "code-cache");
  const standingIn = (directory: string) => ({ env: { CLAUDE_PROJECT_DIR: directory } });

  it("is one for all work trees of a repository, and for every directory in them", () => {
    const stage = openStage();
    const { git, send, project, root } = stage;
    git("commit", "--quiet", "--allow-empty", "--message", "begin");
    git("worktree", "add", "--quiet", join(root, "other-tree"));
    fs.mkdirSync(join(project, "deep/er"), { recursive: true });
    for (const directory of [project, join(root, "other-tree"), join(project, "deep/er")]) {
      expect(send("Stop", { cwd: directory }, standingIn(directory)).code).toBe(0);
    }
    expect(journalsOf(stage)).toHaveLength(1);
    expect(stage.audit()).toHaveLength(3);
  });

  it("is another one for another repository, also one inside this one's directory", () => {
    const stage = openStage();
    const { run, send, project, root } = stage;
    for (const directory of [join(root, "second"), join(project, "third")]) {
      run("git", ["init", "--quiet", directory]);
      send("Stop", { cwd: directory }, standingIn(directory));
    }
    send("Stop");
    expect(journalsOf(stage)).toHaveLength(3);
  });

  it("stays the same when a plain directory becomes a repository", () => {
    const stage = openStage({ git: false });
    stage.send("Stop");
    stage.git("init", "--quiet");
    stage.send("Stop");
    expect(journalsOf(stage)).toHaveLength(1);
    expect(stage.audit()).toHaveLength(2);
  });

  it("is found through a link to the project", () => {
    const stage = openStage();
    const { send, project, root } = stage;
    fs.symlinkSync(project, join(root, "link"));
    send("Stop");
    send("Stop", { cwd: join(root, "link") }, standingIn(join(root, "link")));
    expect(journalsOf(stage)).toHaveLength(1);
  });

  it("follows the project's directory and not where the agent has walked to", () => {
    const stage = openStage();
    stage.send("Stop", { cwd: "/usr" });
    stage.send("Stop", { cwd: stage.project });
    expect(stage.audit()).toHaveLength(2);
  });

  it("TS-14 AU-7 keeps 20 events that come at once as 20 records with 20 ids", async () => {
    const { start, audit, sekisho, project } = openStage();
    const calls = Array.from({ length: 20 }, (_, index) => `call-${index}`);
    const answers = calls.map((call) => {
      const child = start("PreToolUse");
      const tool = { tool_name: "Bash", tool_input: { command: `echo ${call}` }, tool_use_id: call };
      child.stdin.end(JSON.stringify({ session_id: "s1", cwd: project, hook_event_name: "PreToolUse", ...tool }));
      return endOf(child);
    });
    for (const answer of await Promise.all(answers)) expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
    const lines = audit();
    expect(lines.map(({ tool_use_id: call }) => call).sort()).toEqual(calls.sort());
    expect(new Set(lines.map(({ id }) => id)).size).toBe(20);
    expect(sekisho("audit", "verify").code).toBe(0);
  });
});

/** Sends what counts as acknowledged: a change that may pass at the gate, or a refusal that names its record. */
function worker(stage: Stage) {
  const acknowledged: string[] = [];
  let sent = 0;
  const work = (command = "touch made") => {
    const call = `work-${++sent}`;
    const answer = stage.bash(command, { tool_use_id: call });
    expectValid("PreToolUse", answer);
    if (answer.code === 0 || answer.stderr.includes("sekisho explain m")) acknowledged.push(call);
    return answer;
  };
  return { work, acknowledged };
}

/** The law of a journal that cannot be kept: nothing changes, reading goes on, nobody is held, and it says why. */
function expectShut(stage: Stage, cause: RegExp): void {
  const { bash, use, send, project } = stage;
  const file = join(project, "x.txt");
  const changes = [
    bash("touch made"),
    bash("rm -rf /"),
    use("Write", { file_path: file, content: "x" }),
    use("Edit", { file_path: file, old_string: "a", new_string: "b" }),
    use("mcp__lab__echo", { text: "x" }),
    use("SomethingNew", {}),
  ];
  for (const answer of changes) {
    expectValid("PreToolUse", answer);
    expect(answer.code).toBe(2);
  }
  expect(changes[0]?.stderr).toMatch(cause);
  expect(changes[0]?.stderr).toMatch(/Instead: .*sekisho uninstall/);
  expect(changes[1]?.stderr).toContain("whole file system");
  expect(bash("cat x.txt").code).toBe(0);
  for (const tool of ["Read", "Grep", "TodoWrite"]) {
    expect(use(tool, { file_path: file, pattern: "x", todos: [] })).toEqual({ code: 0, stdout: "", stderr: "" });
  }
  for (const event of ["Stop", "SubagentStop", "UserPromptSubmit", "PostToolUse", "SessionStart", "PreCompact"] as const) {
    const fields = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: {}, tool_use_id: "t" };
    const answer = send(event, fields);
    expect({ event, code: answer.code }).toEqual({ event, code: 0 });
    expectValid(event, answer);
  }
}

function expectAllThere(stage: Stage, acknowledged: readonly string[]): void {
  const there = stage.audit().map(({ tool_use_id: call }) => call);
  expect(acknowledged.filter((call) => !there.includes(call))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(stage.bash("touch made").code).toBe(0);
}

function mountState(stage: Stage, size: string): void {
  fs.mkdirSync(stage.state, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", stage.state]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", stage.state]);
  });
}

describe("when the journal cannot be kept", () => {
  it.skipIf(mounting.skip)(
    `EH-1 EH-10 EH-17 ST-6 TS-14 a full disk shuts the gates, and nothing acknowledged is lost${mounting.why}`,
    () => {
      const stage = openStage();
      mountState(stage, "4m");
      const { work, acknowledged } = worker(stage);
      for (let count = 0; count < 5; count++) work();
      const filler = join(stage.state, "filler");
      fillUp(filler);
      // What is left of the last page may still hold a record or two.
      for (let count = 0; count < 40 && work(`touch ${"x".repeat(300)}`).code === 0; count++);
      expectShut(stage, /ENOSPC|no space left|could not be written whole.*Free some space/is);
      fs.rmSync(filler);
      work();
      expectAllThere(stage, acknowledged);
      expect(["intact", "damaged"]).toContain(integrityOf(stage));
    },
  );

  it.skipIf(mounting.skip)(`ST-4 a full disk is not littered with half-written files${mounting.why}`, () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "language: en\n");
    mountState(stage, "256k");
    for (let count = 0; count < 3; count++) {
      stage.bash("ls");
      stage.send("Stop");
    }
    expect(filesBelow(stage.state).filter((path) => path.endsWith(".tmp"))).toEqual([]);
  });

  it.skipIf(mounting.skip)(`a disk too small for the code cache is still large enough for the journal${mounting.why}`, () => {
    const stage = openStage();
    mountState(stage, "256k");
    const codes = Array.from({ length: 16 }, () => stage.bash(`touch ${"x".repeat(400)}`).code);
    expect(codes.filter((code) => code !== 0)).toEqual([]);
  });

  it.skipIf(mounting.skip)(
    `EH-1 EH-10 EH-17 TS-14 a read-only directory shuts the gates, and nothing acknowledged is lost${mounting.why}`,
    () => {
      const stage = openStage();
      mountState(stage, "4m");
      const { work, acknowledged } = worker(stage);
      for (let count = 0; count < 5; count++) work();
      execFileSync("mount", ["-o", "remount,ro", stage.state]);
      expectShut(stage, /EROFS.*Make the directory writable/s);
      expect(stage.audit().length).toBe(5);
      execFileSync("mount", ["-o", "remount,rw", stage.state]);
      work();
      expectAllThere(stage, acknowledged);
      expect(integrityOf(stage)).toBe("intact");
    },
  );

  it("EH-1 EH-10 a file where the state belongs shuts the gates until it is moved away", () => {
    const stage = openStage();
    fs.mkdirSync(stage.state);
    fs.writeFileSync(join(stage.state, "sekisho"), "not a directory\n", { mode: 0o644 });
    expectShut(stage, /ENOTDIR|EEXIST|not a directory/i);
    expect(stage.bash("touch made").stderr).toContain("Something else stands where the journal belongs; move it away.");
    expect(fs.readFileSync(join(stage.state, "sekisho"), "utf8")).toBe("not a directory\n");
    fs.rmSync(join(stage.state, "sekisho"));
    const { work, acknowledged } = worker(stage);
    work();
    expectAllThere(stage, acknowledged);
  });

  it("EH-1 EH-10 a file where the project's journal belongs shuts the gates and is left alone", () => {
    const stage = openStage();
    stage.bash("ls");
    const directory = stage.journal();
    fs.rmSync(directory, { recursive: true });
    fs.writeFileSync(directory, "not a directory\n");
    fs.chmodSync(directory, 0o644);
    expectShut(stage, /ENOTDIR|not a directory/i);
    expect((fs.statSync(directory).mode & 0o777).toString(8)).toBe("644");
    fs.rmSync(directory);
    const { work, acknowledged } = worker(stage);
    work();
    expectAllThere(stage, acknowledged);
  });

  it.skipIf(process.geteuid?.() !== 0)("EH-5 a directory of another user's is not trusted and shuts the gates", () => {
    const stage = openStage();
    stage.bash("ls");
    fs.chownSync(stage.journal(), 12345, 12345);
    expectShut(stage, /belongs to user 12345/);
  });

  it("a link where the journal's file belongs is not followed", () => {
    const stage = openStage();
    stage.bash("ls");
    const [file] = fs.readdirSync(stage.journal()).filter((name) => name.startsWith("journal."));
    const path = join(stage.journal(), file ?? "");
    fs.renameSync(path, join(stage.root, "elsewhere"));
    fs.symlinkSync(join(stage.root, "elsewhere"), path);
    const before = fs.readFileSync(join(stage.root, "elsewhere"));
    expectShut(stage, /ELOOP.*move it away/s);
    expect(fs.readFileSync(join(stage.root, "elsewhere"))).toEqual(before);
  });
});

describe("a journal that was damaged", () => {
  const filled = (count: number) => {
    const stage = openStage();
    const { work, acknowledged } = worker(stage);
    for (let at = 0; at < count; at++) work();
    const files = fs.readdirSync(stage.journal()).map((name) => join(stage.journal(), name));
    const segment = files.find((path) => path.includes("/journal.")) ?? "";
    return { stage, work, acknowledged, files, segment };
  };

  it("ST-8 a corrupt snapshot is passed over: nothing is lost, nobody is held, and it is soon replaced", () => {
    const { stage, work, acknowledged, files } = filled(30);
    const snapshots = files.filter((path) => path.includes("/snap."));
    expect(snapshots.length).toBeGreaterThan(0);
    for (const path of snapshots) fs.writeFileSync(path, fs.readFileSync(path).fill(0, 100));
    expect(work().code).toBe(0);
    expect(work("rm -rf /").code).toBe(2);
    expectAllThere(stage, acknowledged);
    expect(JSON.parse(stage.sekisho("status", "--json").stdout)).toMatchObject({ verdicts: { pass: 32, deny: 1 } });
    expect(["intact", "rewritten"]).toContain(integrityOf(stage));
  });

  it("a torn last line is told as truncated, and after the next record as damaged; the others count", () => {
    const { stage, work, acknowledged, segment } = filled(5);
    fs.appendFileSync(segment, fs.readFileSync(segment).subarray(-120, -40));
    expect(stage.sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("truncated") });
    expect(work().code).toBe(0);
    expectAllThere(stage, acknowledged);
    expect(stage.audit()).toHaveLength(7);
    expect(stage.sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("damaged") });
  });

  it("a flipped bit costs one line, is told by verify, and opens nothing", () => {
    const { stage, work, acknowledged, segment } = filled(5);
    const bytes = fs.readFileSync(segment);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    fs.writeFileSync(segment, bytes);
    expect(work("rm -rf /").code).toBe(2);
    const there = stage.audit().map(({ tool_use_id: call }) => call);
    expect(acknowledged.filter((call) => !there.includes(call))).toHaveLength(1);
    expect(stage.sekisho("audit", "verify").code).toBe(2);
  });

  it("bytes of nobody's making in its place refuse nothing and are told by verify", () => {
    const { stage, work, segment } = filled(1);
    fs.writeFileSync(segment, Buffer.alloc(5000, 0xff));
    expect(work().code).toBe(0);
    expect(work("rm -rf /").code).toBe(2);
    expect(stage.sekisho("audit", "verify").code).toBe(2);
  });
});

function integrityOf(stage: Stage): string {
  return (JSON.parse(stage.sekisho("audit", "verify", "--json").stdout) as { integrity: string }).integrity;
}

function fillUp(path: string): void {
  const fd = fs.openSync(path, "w");
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096, "x"));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    fs.closeSync(fd);
  }
}

describe("secrets", () => {
  const secret = (name: string): string => `s3cr3t${name}${"Zq9".repeat(4)}`;
  /** Parts of a secret that is longer than what is kept of a text. */
  const long = Array.from({ length: 90 }, (_, at) => `part${at}Zq9Zq9`).join("");
  const write = (content: unknown) => ({ tool_name: "Write", tool_input: { file_path: "x", content } });
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
  const cases: readonly (readonly [string, object])[] = [
    ["ByKey", { tool_name: "mcp__lab__echo", tool_input: { api_key: secret("ByKey") } }],
    ["Nested", { tool_name: "mcp__lab__echo", tool_input: { a: [{ b: { dbPassword: [secret("Nested")] } }] } }],
    ["Private", { tool_name: "mcp__lab__echo", tool_input: { PRIVATE_KEY: { pem: secret("Private") } } }],
    ["Access", { tool_name: "Agent", tool_input: { prompt: `use "accessKey": "${secret("Access")}"` } }],
    ["Export", bash(`export MY_API_KEY=${secret("Export")} && ./deploy`)],
    ["Quoted", bash(`DB_PASSWORD="${secret("Quoted")} with blanks" ./run`)],
    ["Option", bash(`login --token ${secret("Option")} --password='${secret("Option")}'`)],
    ["Bearer", bash(`curl -H "Authorization: Bearer ${secret("Bearer")}" https://api.example.com`)],
    ["Url", bash(`git clone https://dev:${secret("Url")}@git.example.com/x.git`)],
    ["Denied", bash(`SECRET_TOKEN=${secret("Denied")} rm -rf /`)],
    ["DeniedUrl", bash(`dropdb postgres://admin:${secret("DeniedUrl")}@db/prod`)],
    ["DeniedOption", bash(`mysqladmin --password=${secret("DeniedOption")} drop prod`)],
    ["Content", write(`const config = { "secret": "${secret("Content")}" };`)],
    ["Asked", bash(`API_TOKEN=${secret("Asked")} git branch -D old`)],
    ["Malformed", { tool_name: "Bash", tool_input: { command: [`PASSWORD=${secret("Malformed")}`] } }],
    ["Pem", write(`-----BEGIN PRIVATE KEY-----\n${secret("Pem")}\n-----END PRIVATE KEY-----`)],
  ];

  it.each(cases)("AU-5 TS-14 %s: never reach any file below the state directory", (name, tool) => {
    const stage = openStage();
    stage.send("PreToolUse", { tool_use_id: "t1", ...tool });
    stage.send("PostToolUse", { tool_use_id: "t1", tool_response: { stdout: secret(name) }, ...tool });
    stage.send("PostToolUseFailure", { tool_use_id: "t1", error: `PASSWORD=${secret(name)}`, ...tool });
    expect(stage.audit()).toHaveLength(3);
    expect(JSON.stringify(stage.audit()[0])).toContain("*****");
    expectNowhere(stage, secret(name));
  });

  it.each([
    ["in quotes", `export API_KEY="${long}"`],
    ["without quotes", `export API_KEY=${long}`],
    ["in quotes, where the text is cut", `echo ${"x".repeat(370)}; export API_KEY="${long}"`],
    ["as a bearer", `curl -H "Authorization: Bearer ${long}" https://api.example.com`],
    ["in a URL", `git clone https://dev:${long.slice(0, 250)}@git.example.com/${"x".repeat(700)}`],
    ["as a private key", `echo '-----BEGIN PRIVATE KEY-----\n${long}\n-----END PRIVATE KEY-----' > k`],
  ])("AU-5 longer than what is kept of a text never reach the state, not even in part: %s", (_, command) => {
    const stage = openStage();
    stage.bash(command);
    expect(stage.audit()).toHaveLength(1);
    for (const part of ["part0", "part1Zq9", "part5Zq9", "part20Zq9"]) expectNowhere(stage, part);
  });

  it("AU-6 TS-14 an input that cannot be read leaves a reduced entry and nothing of itself", () => {
    const stage = openStage();
    const body = JSON.stringify({ session_id: "s1", hook_event_name: "PreToolUse", ...bash(`x ${secret("Cut")}`) });
    stage.sendBytes("PreToolUse", body.slice(0, -2));
    stage.sendBytes("Stop", `${secret("Cut")} is not JSON`);
    stage.sendBytes("PreToolUse", JSON.stringify([secret("Cut")]));
    const [cut, ...others] = stage.audit();
    expect(cut).toMatchObject({ kind: "error", event: "PreToolUse", session_id: "s1", tool_name: "Bash", tool_input: null });
    expect(others).toHaveLength(2);
    expectNowhere(stage, secret("Cut"));
  });

  it("AU-5 are not kept from a prompt or from what the agent said", () => {
    const stage = openStage();
    stage.send("UserPromptSubmit", { prompt: `my password is ${secret("Prompt")}` });
    stage.send("Stop", { last_assistant_message: `it was ${secret("Prompt")}` });
    expect(stage.audit()).toHaveLength(2);
    expectNowhere(stage, secret("Prompt"));
  });

  function expectNowhere({ state }: Stage, word: string): void {
    const files = filesBelow(state);
    expect(files.length).toBeGreaterThan(0);
    const holding = files.filter((path) => fs.readFileSync(join(state, path)).includes(word));
    expect(holding).toEqual([]);
  }
});
