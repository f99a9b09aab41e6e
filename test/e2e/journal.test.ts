/** The journal: where it is, who may read it, and which project it belongs to. */
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { endOf } from "./answer.ts";
import { journalsIn } from "./journals.ts";
import { openStage, type Stage } from "./stage.ts";
import { isTranscript } from "./transcript.ts";

describe("the state directory", () => {
  const modesBelow = (directory: string): Record<string, string> =>
    Object.fromEntries(
      [".", ...fs.readdirSync(directory, { recursive: true, encoding: "utf8" })].map((path) => {
        const stat = fs.statSync(join(directory, path));
        return [path, `${stat.isDirectory() ? "d" : "f"}${(stat.mode & 0o777).toString(8)}`];
      }),
    );

  it.each(["000", "077"])("is readable by the user only, with all its files, under umask %s", (umask) => {
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
    // Enough events for a snapshot to be due.
    for (let id = 0; id < 26; id++) {
      run("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", ...command("PreToolUse")], { input: event(id) });
    }
    const modes = modesBelow(state);
    expect(Object.keys(modes).some((path) => path.includes("/snap."))).toBe(true);
    expect(Object.keys(modes).some((path) => path.endsWith("/settings.json"))).toBe(true);
    expect(Object.keys(modes).some((path) => path.endsWith(".bin"))).toBe(true);
    expect(new Set(Object.values(modes))).toEqual(new Set(["d700", "f600"]));
  });

  it("gets its mode back when it was made accessible", () => {
    const { bash, journal } = openStage();
    bash("ls");
    fs.chmodSync(journal(), 0o777);
    bash("ls");
    expect((fs.statSync(journal()).mode & 0o777).toString(8)).toBe("700");
  });

  it("ST-14 is outside the work tree, and nothing of ours is in the work tree", () => {
    const { send, bash, use, project, home, state, git } = openStage({ registered: false });
    send("SessionStart", { source: "startup" });
    bash("ls");
    bash("rm -rf /");
    use("Read", { file_path: join(project, "x") });
    send("Stop", { stop_hook_active: false });
    send("SessionEnd", { reason: "other" });
    expect(filesBelow(project)).toEqual([]);
    expect(git("status", "--porcelain", "--ignored")).toBe("");
    expect(filesBelow(home).filter((path) => !isTranscript(path))).toEqual([]);
    expect(filesBelow(state).length).toBeGreaterThan(0);
  });

  it("is below the home directory when XDG_STATE_HOME is empty or relative", () => {
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
  const journalsOf = ({ state }: Stage): readonly string[] => journalsIn(join(state, "sekisho"));
  const standingIn = (directory: string) => ({ env: { CLAUDE_PROJECT_DIR: directory } });

  it("is shared by all work trees of a repository and every directory in them", () => {
    const stage = openStage();
    const { git, send, project, root } = stage;
    git("commit", "--quiet", "--allow-empty", "--message", "begin");
    git("worktree", "add", "--quiet", join(root, "other-tree"));
    fs.mkdirSync(join(project, "deep/er"), { recursive: true });
    for (const [at, directory] of [project, join(root, "other-tree"), join(project, "deep/er")].entries()) {
      expect(send("Stop", { cwd: directory, session_id: `s${at}` }, standingIn(directory)).code).toBe(0);
    }
    expect(journalsOf(stage)).toHaveLength(1);
    expect(stage.audit()).toHaveLength(3);
  });

  it("is separate for another repository, also a nested one", () => {
    const stage = openStage();
    const { run, send, project, root } = stage;
    for (const directory of [join(root, "second"), join(project, "third")]) {
      run("git", ["init", "--quiet", directory]);
      send("Stop", { cwd: directory, session_id: `in-${basename(directory)}` }, standingIn(directory));
    }
    send("Stop");
    expect(journalsOf(stage)).toHaveLength(3);
  });

  it("stays the same when a plain directory becomes a repository", () => {
    const stage = openStage({ git: false });
    stage.send("Stop");
    stage.git("init", "--quiet");
    stage.send("Stop", { session_id: "s2" });
    expect(journalsOf(stage)).toHaveLength(1);
    expect(stage.audit()).toHaveLength(2);
  });

  it("is found through a link to the project", () => {
    const stage = openStage();
    const { send, project, root } = stage;
    fs.symlinkSync(project, join(root, "link"));
    send("Stop");
    send("Stop", { cwd: join(root, "link"), session_id: "s2" }, standingIn(join(root, "link")));
    expect(journalsOf(stage)).toHaveLength(1);
  });

  it("stays with its session, whatever happens to the repository or to CLAUDE_PROJECT_DIR", () => {
    const stage = openStage();
    const { send, run, root } = stage;
    send("SessionStart", { source: "startup" });
    run("git", ["init", "--quiet", join(root, "second")]);
    send("Stop", { cwd: join(root, "second") }, standingIn(join(root, "second")));
    fs.renameSync(join(stage.project, ".git"), join(root, "moved.git"));
    fs.mkdirSync(join(root, ".git"));
    send("Stop");
    expect(journalsOf(stage)).toHaveLength(1);
    fs.rmdirSync(join(root, ".git"));
    expect(stage.audit()).toHaveLength(3);
  });

  it("follows the project's directory, not the agent's", () => {
    const stage = openStage();
    stage.send("Stop", { cwd: "/usr" });
    stage.send("Stop", { cwd: stage.project });
    expect(stage.audit()).toHaveLength(2);
  });

  it("TS-14 AU-7 stores 20 simultaneous events as 20 records with 20 ids", async () => {
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
