/**
 * A command of the agent reports that its session ended or began anew. The session goes on as it was: looser settings
 * stay without effect, and no other process gets hold of it.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { until } from "../until.ts";
import { openStage, type Stage } from "./stage.ts";
import { transcriptPath } from "./transcript.ts";

const FORCED = "git push --force";
const FORGED = { isForged: true } as const;

type Forged = readonly [event: EventName, fields: object];

const starts = (source: string): Forged => ["SessionStart", { source }];
const ENDS: Forged = ["SessionEnd", { reason: "other" }];
const STOPS: Forged = ["Stop", { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [] }];

/** A session that has changed code without a check, in which a command of the agent is running. */
function working(): Stage {
  const stage = openStage();
  stage.write("package.json", JSON.stringify({ scripts: { test: "node test.js" } }));
  stage.write("test.js", "process.exit(1);\n");
  stage.write("a.js", "1\n");
  stage.write(".sekisho/config.yaml", "verify: { require: [test] }\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  stage.send(...starts("startup"));
  stage.send("UserPromptSubmit", { prompt: "change it" });
  const input = { file_path: `${stage.project}/a.js`, content: "2\n" };
  const edit = { tool_name: "Write", tool_input: input, tool_use_id: "toolu_edit" };
  stage.send("PreToolUse", edit);
  stage.write("a.js", "2\n");
  stage.send("PostToolUse", { ...edit, tool_response: {} });
  stage.send("PreToolUse", RUNNING);
  return stage;
}

const RUNNING = { tool_name: "Bash", tool_input: { command: "exec python3 gen.py" }, tool_use_id: "toolu_running" };

/** The real end of the turn, after the command has ended. */
function isHeld(stage: Stage): boolean {
  stage.send("PostToolUse", { ...RUNNING, tool_response: {} });
  return stage.send(...STOPS).stdout.includes('"decision":"block"');
}

describe("a script that opts the project out of a running session", () => {
  it.each<readonly [string, readonly Forged[]]>([
    ["a start", [starts("startup")]],
    ["a resumption", [starts("resume")]],
    ["a cleared conversation", [starts("clear")]],
    ["a compaction", [["PreCompact", { trigger: "auto" }], starts("compact")]],
    ["an end", [ENDS]],
    ["an end and a start", [ENDS, starts("startup")]],
    ["two ends and a resumption", [ENDS, ENDS, starts("resume")]],
    ["an end, a start and a prompt", [ENDS, starts("startup"), ["UserPromptSubmit", { prompt: "go on" }]]],
    ["a prompt", [["UserPromptSubmit", { prompt: "go on" }]]],
    ["a prompt in the words of the last one", [["UserPromptSubmit", { prompt: "change it" }]]],
    ["the end of a turn and a start", [STOPS, starts("startup")]],
    ["a service error and a start", [["StopFailure", { error: "rate_limit" }], starts("resume")]],
    ["the end of its own call and a start", [["PostToolUse", { ...RUNNING, tool_response: {} }], starts("resume")]],
  ])("gains nothing by a forged event: %s", (_, events) => {
    const stage = working();
    stage.write(".sekisho/config.yaml", "enabled: false\n");
    for (const [event, fields] of events) stage.send(event, fields, FORGED);
    expect(stage.bash(FORCED).code).toBe(2);
    expect(isHeld(stage)).toBe(true);
  });

  it("has its way only in a session that begins later, and the person is told in this one", () => {
    const stage = working();
    stage.write(".sekisho/config.yaml", "enabled: false\n");
    expect(stage.bash(FORCED).code).toBe(2);
    expect(stage.send("UserPromptSubmit", { prompt: "go on" }).stdout).toContain("enabled: false");
    expect(stage.bash(FORCED).code).toBe(2);
    stage.send("SessionStart", { source: "clear", session_id: "s2" });
    expect(stage.bash(FORCED, { session_id: "s2" }).code).toBe(0);
  });
});

describe("a script that takes the hooks out of the settings", () => {
  it.each<readonly [string, readonly Forged[]]>([
    ["nothing", []],
    ["an end", [ENDS]],
    ["an end and a start", [ENDS, starts("resume")]],
    ["a start", [starts("startup")]],
  ])("is vetoed, after a forged event: %s", (_, events) => {
    const stage = working();
    for (const [event, fields] of events) stage.send(event, fields, FORGED);
    const file_path = `${stage.project}/.claude/settings.local.json`;
    stage.write(".claude/settings.local.json", "{}\n");
    const answer = stage.send("ConfigChange", { source: "local_settings", file_path });
    expect(answer.code === 2 || answer.stdout.includes('"block"')).toBe(true);
  });
});

/** A process without parents that poses as a host and lives until the test ends. It sends the events in turn. */
async function detached(stage: Stage, events: readonly Forged[]): Promise<void> {
  const lines = events.map(([event, fields], at) => {
    const common = { session_id: "s1", cwd: stage.project, permission_mode: "default", hook_event_name: event };
    const body = { ...common, transcript_path: transcriptPath(stage.home, "s1"), ...fields };
    writeFileSync(`${stage.root}/body${at}.json`, JSON.stringify(body));
    const words = stage.command(event).map((word) => `'${word}'`);
    return `${words.join(" ")} <${stage.root}/body${at}.json >/dev/null 2>&1`;
  });
  const pid = `${stage.root}/pid`;
  writeFileSync(
    `${stage.root}/pose.sh`,
    `export CLAUDE_PID=$$\n${lines.join("\n")}\necho $$ >${pid}\nexec tail -f ${pid}\n`,
  );
  spawn("setsid", ["-f", "sh", `${stage.root}/pose.sh`], { cwd: stage.project, env: stage.env, stdio: "ignore" });
  const read = (): number => (existsSync(pid) ? Number(readFileSync(pid, "utf8")) : 0);
  await until(() => read() > 0, "the end of the last event");
  onTestFinished(() => void process.kill(read(), "SIGKILL"));
}

const npmTest = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_test" };
const PASSED: readonly Forged[] = [
  ["PreToolUse", npmTest],
  ["PostToolUse", { ...npmTest, tool_response: { stdout: "ok" } }],
];

/** A transcript that shows a passed check, made by the agent. */
function ownTranscript(stage: Stage): string {
  const path = `${stage.root}/s1.jsonl`;
  const timestamp = new Date().toISOString();
  const use = { type: "tool_use", id: npmTest.tool_use_id, name: "Bash", input: npmTest.tool_input };
  const result = { type: "tool_result", tool_use_id: npmTest.tool_use_id, content: "ok" };
  const entries = [
    { type: "assistant", timestamp, message: { content: [use] } },
    { type: "user", timestamp, message: { content: [result] } },
  ];
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return path;
}

describe.skipIf(process.platform !== "linux")("a detached process that resumes the session of a running host", () => {
  it.each<readonly [string, (stage: Stage) => readonly Forged[]]>([
    ["alone", () => [starts("resume")]],
    ["and reports a passed check", () => [starts("resume"), ...PASSED]],
    [
      "with a transcript of its own",
      (stage) => {
        const named = { transcript_path: ownTranscript(stage) };
        const events = [starts("resume"), ...PASSED, STOPS];
        return events.map(([event, fields]): Forged => [event, { ...fields, ...named }]);
      },
    ],
    ["and cancels", () => [starts("resume"), ["UserPromptSubmit", { prompt: "cancel" }], STOPS]],
    ["and ends it again", () => [starts("resume"), ENDS]],
  ])("after a forged end does not free the real turn: %s", async (_, events) => {
    const stage = working();
    stage.send(...ENDS, FORGED);
    await detached(stage, events(stage));
    expect(stage.audit().some(({ event, unbound }) => event === "SessionStart" && unbound)).toBe(true);
    expect(isHeld(stage)).toBe(true);
  });
});
