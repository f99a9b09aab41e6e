/** The plain lane: one process per event, as the host starts it. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endOf, expectValid, verdictOf, whole } from "../e2e/answer.ts";
import { openStage, type Stage } from "../e2e/stage.ts";
import { filesBelow } from "../files.ts";

const open = (): Stage => openStage({ processes: "warm" });

describe("a hook process", () => {
  it("passes an everyday command in silence", () => {
    expect(open().bash("ls")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("denies a destructive command with exit code 2 and a reason on standard error", () => {
    const { code, stdout, stderr } = open().bash("rm -rf /");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/\[no-destructive-command\].*sekisho explain \S+\n$/s);
  });

  it("asks about a doubtful command, and denies it when nobody is there", () => {
    const { bash } = open();
    const answer = bash("git tag -d old");
    expectValid("PreToolUse", answer);
    expect(verdictOf(answer)).toBe("ask");
    expect(bash("git tag -d old", { permission_mode: "dontAsk" }).code).toBe(2);
  });

  it("blocks a change whose input it cannot read, and lets everything else go on", () => {
    const { sendBytes } = open();
    expect(sendBytes("PreToolUse", "{", { gate: "change" }).code).toBe(2);
    expect(sendBytes("PreToolUse", "{", { gate: "harmless" }).code).toBe(0);
    for (const event of ["Stop", "PostToolUse", "UserPromptSubmit"] as const)
      expect(sendBytes(event, "{")).toMatchObject({ code: 0, stdout: "" });
  });

  it("answers a forbidden command whose input stays open", async () => {
    const child = open().start("PreToolUse");
    const ended = endOf(child);
    child.stdin.write(whole("rm -rf /"));
    expect(verdictOf(await ended)).toBe("deny");
  });

  it("writes its code cache, and ignores a damaged one", () => {
    const stage = openStage({ processes: "cold" });
    expect(stage.bash("ls").code).toBe(0);
    const cache = join(stage.state, "sekisho", "code-cache");
    expect(readdirSync(cache).length).toBeGreaterThan(0);
    for (const name of readdirSync(cache)) truncateSync(join(cache, name), 100);
    expect(stage.bash("rm -rf /").code).toBe(2);
  });

  it("keeps its files outside the work tree, readable only by the user", () => {
    const stage = open();
    stage.bash("ls");
    expect(filesBelow(stage.project)).toEqual([".claude/settings.local.json"]);
    expect(spawnSync("find", [stage.journal(), "-perm", "/077"], { encoding: "utf8" }).stdout).toBe("");
  });

  it("is not bound to the session when the agent's own shell starts it", () => {
    const stage = open();
    stage.send("SessionStart", { source: "startup" });
    const line = stage
      .command("PreToolUse")
      .map((word) => `'${word}'`)
      .join(" ");
    const input = whole("ls", { cwd: stage.project });
    spawnSync("sh", ["-c", `${line}; true`], { cwd: stage.project, env: stage.env, input });
    expect(stage.audit().map(({ unbound }) => unbound)).toEqual([false, true]);
  });
});

describe("the journal", () => {
  it("keeps events that come at the same time, each once", async () => {
    const stage = open();
    const calls = Array.from({ length: 6 }, (_, at) => `call-${at}`);
    const answers = calls.map((call) => {
      const child = stage.start("PreToolUse");
      child.stdin.end(whole("ls", { cwd: stage.project, tool_use_id: call }));
      return endOf(child);
    });
    for (const { code } of await Promise.all(answers)) expect(code).toBe(0);
    const kept = stage.audit().map(({ tool_use_id: call }) => call);
    expect(kept.sort()).toEqual(calls);
  });

  it("keeps everything acknowledged when hooks are killed", async () => {
    const stage = open();
    const acknowledged: string[] = [];
    for (let at = 0; at < 8; at++) {
      const child = stage.start("PreToolUse");
      const ended = endOf(child);
      child.stdin.end(whole("ls", { cwd: stage.project, tool_use_id: `call-${at}` }));
      if (at % 2 === 1) child.kill("SIGKILL");
      if ((await ended).code === 0) acknowledged.push(`call-${at}`);
    }
    const kept = stage.audit().map(({ tool_use_id: call }) => call);
    expect(kept).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThanOrEqual(4);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });

  it("blocks changes while it cannot be written", () => {
    const stage = open();
    stage.bash("ls");
    const journal = stage.journal();
    renameSync(journal, `${journal}.away`);
    writeFileSync(journal, "");
    expect(stage.bash("touch made").code).toBe(2);
    expect(stage.use("Read", { file_path: "x" }).code).toBe(0);
    expect(stage.send("Stop").code).toBe(0);
  });

  it("masks secrets before they are written", () => {
    const stage = open();
    stage.bash("API_TOKEN=s3cr3tZq9Zq9Zq9 ./deploy");
    const texts = filesBelow(stage.state).map((path) => readFileSync(join(stage.state, path), "latin1"));
    expect(texts.some((text) => text.includes("s3cr3tZq9"))).toBe(false);
    expect(JSON.stringify(stage.audit())).toContain("API_TOKEN=*****");
  });
});

it("hooks leave no temporary file behind", () => {
  const stage = open();
  stage.write(".sekisho/config.yaml", "language: en\n");
  stage.write("build/out.txt", "x\n");
  stage.send("SessionStart", { source: "startup" });
  stage.bash("rm -rf build");
  stage.send("Stop");
  expect(readdirSync(join(stage.root, "tmp"))).toEqual([]);
});
