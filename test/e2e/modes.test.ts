/** Modes on the built program: from the prompt through refused Stops to the end, and across sessions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, expectValid, noticeOf } from "./answer.ts";
import { openStage, type Stage } from "./stage.ts";

const GO_ON = "Implement the login page and don't stop until it is done";
let calls = 0;

function used(stage: Stage, tool: string, input: object, fields: object = {}, event = "PostToolUse"): void {
  const call = { ...fields, tool_name: tool, tool_input: input, tool_use_id: `toolu_${++calls}` };
  expect(stage.send("PreToolUse", call).code).toBe(0);
  const answer = event === "PostToolUse" ? { tool_response: { success: true } } : { error: "Exit code 1\nFAIL" };
  stage.send(event as "PostToolUse", { ...call, ...answer });
}

const ran = (stage: Stage, command: string, fields?: object): void => used(stage, "Bash", { command }, fields);
const failed = (stage: Stage, command: string): void => used(stage, "Bash", { command }, {}, "PostToolUseFailure");
const looked = (stage: Stage, fields?: object): void => ran(stage, "ls", fields);
const says = (stage: Stage, prompt: string, fields: object = {}): Answer =>
  stage.send("UserPromptSubmit", { prompt, ...fields });

function stop(stage: Stage, fields: object = {}): Answer {
  const quiet = { stop_hook_active: false, last_assistant_message: "So far.", background_tasks: [], session_crons: [] };
  const answer = stage.send("Stop", { ...quiet, ...fields });
  expectValid("Stop", answer);
  return answer;
}

/** `Persistent mode 2/20`, or empty when the turn may end. */
function held(stage: Stage, fields: object = {}): string {
  const { stdout } = stop(stage, fields);
  if (!stdout.includes('"decision":"block"')) return "";
  return /\w+ mode \d+\/\d+/.exec(stdout)?.[0] ?? stdout;
}

/** A git project with a started session. */
function project(files: Readonly<Record<string, string>> = {}): Stage {
  const stage = openStage();
  for (const [name, text] of Object.entries({ "README.md": "# it\n", ...files })) stage.write(name, text);
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

const context = ({ stdout }: Answer): string =>
  stdout === ""
    ? ""
    : ((JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput
        ?.additionalContext ?? "");

describe("a mode from start to end", () => {
  it.each([[GO_ON], ["ログイン画面を完了まで実装して"], ["/persistent the login page"]])(
    "MD-56 MD-57 %j: refuses the Stop with a rising count until the boxes are ticked, then the mode is gone",
    (words) => {
      const stage = project();
      expect(context(says(stage, words))).not.toBe("");
      stage.write(".tmp/plans/login.md", "- [x] form\n- [ ] session\n- [ ] logout\n");
      looked(stage);
      const first = stop(stage).stdout;
      expect(first).toContain("Persistent mode 1/20: 1 of 3 boxes of .tmp/plans/login.md are ticked (33%)");
      expect(first).toContain("- [ ] session\\n- [ ] logout");
      looked(stage);
      expect(held(stage)).toBe("Persistent mode 2/20");
      stage.write(".tmp/plans/login.md", "- [x] form\n- [x] session\n- [ ] logout\n");
      looked(stage);
      expect(held(stage, { last_assistant_message: "<promise>DONE</promise>" })).toBe("Persistent mode 3/20");
      stage.write(".tmp/plans/login.md", "- [x] form\n- [x] session\n- [X] logout\n");
      const last = stop(stage);
      expect(last.stdout).not.toContain("block");
      expect(noticeOf(last)).toContain("Persistent mode is done; the agent was told to continue 3 times");
      // The mode is gone, and turbo with it.
      says(stage, "thanks");
      stage.write(".tmp/plans/login.md", "- [ ] more\n");
      expect(stop(stage).stdout).toBe("");
    },
  );

  it.each([["begun as usual"], ["first heard of then"]])(
    "several modes in one long prompt all start; the session was %s",
    (how) => {
      const stage = how === "begun as usual" ? project() : openStage();
      says(stage, `ログイン画面を完了まで実装して。ターボモードで。QAを回して。${"とても長い説明です".repeat(80)}`);
      const modes = JSON.parse(stage.sekisho("mode", "list", "--json").stdout) as readonly { mode: string }[];
      expect(modes.map(({ mode }) => mode)).toEqual(["persistent", "qa", "turbo"]);
    },
  );

  it("MD-57 a plan that is removed keeps the mode on", () => {
    const stage = project();
    says(stage, GO_ON);
    stage.write(".tmp/plans/login.md", "- [ ] form\n");
    expect(held(stage)).toBe("Persistent mode 1/20");
    stage.write(".tmp/plans/login.md", "no boxes\n");
    looked(stage);
    const { stdout } = stop(stage);
    expect(stdout).toContain("Persistent mode 2/20: its plan .tmp/plans/login.md is gone, or has no boxes any more");
  });

  it("a nested repository is held to the project's plan, and ends with it", () => {
    const stage = project();
    stage.run("git", ["init", "--quiet", "part"]);
    const cwd = join(stage.project, "part");
    says(stage, GO_ON);
    stage.write(".tmp/plans/login.md", "- [ ] form\n");
    expect(held(stage, { last_assistant_message: "<promise>DONE</promise>", cwd })).toBe("Persistent mode 1/20");
    expect(stop(stage, { cwd }).stdout).toContain("0 of 1 boxes of .tmp/plans/login.md");
    stage.write(".tmp/plans/login.md", "- [x] form\n");
    expect(noticeOf(stop(stage, { cwd }))).toContain("Persistent mode is done");
  });

  it("TS-32 MD-66 a promise from an earlier run in the transcript ends nothing; one in the last message does", () => {
    const stage = project();
    const transcript_path = join(stage.root, "t.jsonl");
    const said = { role: "assistant", content: [{ type: "text", text: "<promise>DONE</promise>" }] };
    stage.write("../t.jsonl", `${JSON.stringify({ type: "assistant", message: said })}\n`);
    says(stage, GO_ON, { transcript_path });
    expect(held(stage, { transcript_path })).toBe("Persistent mode 1/20");
    expect(held(stage, { transcript_path, last_assistant_message: "All of it. <promise>done</promise>" })).toBe("");
    says(stage, "thanks");
    expect(stop(stage).stdout).toBe("");
  });

  it.each([[{ user_requested: true }], [{ stop_reason: "context_limit" }], [{ endTurnReason: "user_cancelled" }]])(
    "MD-50 MD-51 MD-52 the host says %j: the turn may end, and the mode stays",
    (fields) => {
      const stage = project();
      says(stage, GO_ON);
      expect(stop(stage, fields).stdout).toBe("");
      expect(held(stage)).toBe("Persistent mode 1/20");
    },
  );

  it("the turn may end while a background task or a scheduled prompt is pending", () => {
    const stage = project();
    says(stage, GO_ON);
    const { background_tasks } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../payloads/Stop.background-task.json"), "utf8"),
    ) as { background_tasks: object[] };
    expect(background_tasks.length).toBeGreaterThan(0);
    expect(held(stage, { background_tasks })).toBe("");
    expect(held(stage, { session_crons: [{ id: "c", cron: "* * * * *" }] })).toBe("");
    expect(held(stage)).toBe("Persistent mode 1/20");
  });

  it("the turn may end for a scheduled prompt that comes soon, not for one next year, and the person is told", () => {
    const stage = project();
    says(stage, GO_ON);
    const cron = (schedule: string) => ({ id: "c", schedule, recurring: true, prompt: "go on" });
    const never = [cron("0 0 30 2 *")];
    expect(held(stage, { session_crons: never })).toBe("Persistent mode 1/20");
    const free = stop(stage, { session_crons: [...never, cron("* * * * *")] });
    expect(noticeOf(free)).toContain("the agent has set itself an alarm");
    expect(stop(stage, { session_crons: [cron("* * * * *")] }).stdout).toBe("");
    expect(held(stage, { session_crons: never })).toBe("Persistent mode 2/20");
  });

  it("MD-26 /cancel ends the mode; a request for a cancel button does not", () => {
    const stage = project();
    says(stage, GO_ON);
    says(stage, "add a cancel button");
    expect(held(stage)).toBe("Persistent mode 1/20");
    expect(noticeOf(says(stage, "/cancel"))).toContain("cancelled: persistent mode");
    expect(stop(stage).stdout).toBe("");
    says(stage, "thanks");
    looked(stage);
    expect(stop(stage).stdout).toBe("");
  });
});

describe("when the turn may end with open work", () => {
  it("MD-69 after three refusals without a tool call, and the person is told; the next prompt resumes the mode", () => {
    const stage = project();
    says(stage, GO_ON);
    expect([held(stage), held(stage), held(stage)]).toEqual([1, 2, 3].map((at) => `Persistent mode ${at}/20`));
    const free = stop(stage);
    expect(free.stdout).not.toContain("block");
    expect(noticeOf(free)).toContain("used no tool");
    says(stage, "go on");
    expect(held(stage)).toBe("Persistent mode 4/20");
  });

  it("an agent that uses tools keeps being refused", () => {
    const stage = project();
    says(stage, GO_ON);
    for (const round of [1, 2, 3, 4, 5]) {
      looked(stage);
      expect(held(stage)).toBe(`Persistent mode ${round}/20`);
    }
  });

  it("at the ceiling, and the person is told", () => {
    const stage = project({ ".sekisho/config.yaml": "stop:\n  ceiling: 4\n" });
    says(stage, GO_ON);
    const answers = [1, 2, 3, 4].map(() => {
      looked(stage);
      return held(stage);
    });
    expect(answers.at(-1)).toBe("Persistent mode 4/20");
    looked(stage);
    const free = stop(stage);
    expect(free.stdout).not.toContain("block");
    expect(noticeOf(free)).toContain("refused as often as one turn may be");
  });

  it("when the mode's own limit is reached: it has ended, whatever the person says next", () => {
    const stage = project({ ".sekisho/config.yaml": "modes:\n  persistent_max: 2\n" });
    says(stage, GO_ON);
    looked(stage);
    expect([held(stage), held(stage)]).toEqual(["Persistent mode 1/2", "Persistent mode 2/2"]);
    expect(noticeOf(stop(stage))).toContain("Persistent mode has ended although the work is not complete");
    says(stage, "go on");
    expect(stop(stage).stdout).toBe("");
  });

  it("a task-notification does not reset the count", () => {
    const stage = project();
    const recorded = join(import.meta.dirname, "../payloads/UserPromptSubmit.task-notification.json");
    const { prompt } = JSON.parse(readFileSync(recorded, "utf8")) as { prompt: string };
    says(stage, GO_ON);
    expect([held(stage), held(stage), held(stage), held(stage)].at(-1)).toBe("");
    says(stage, prompt);
    expect(held(stage)).toBe("");
    says(stage, "and now?");
    expect(held(stage)).toBe("Persistent mode 4/20");
  });

  it("a prompt that a program put into the host's schedule neither cancels nor resets", () => {
    const stage = project();
    says(stage, GO_ON);
    const tasks = [null, {}, { prompt: 7 }, ...["/cancel", "go on"].map((prompt) => ({ cron: "* * * * *", prompt }))];
    stage.write(".claude/scheduled_tasks.json", JSON.stringify({ tasks }));
    expect([held(stage), held(stage), held(stage), held(stage)].at(-1)).toBe("");
    says(stage, "go on");
    expect(held(stage)).toBe("");
    expect(noticeOf(says(stage, "/cancel"))).toContain("may have been sent by the agent itself");
    stage.send("UserPromptExpansion", { expansion_type: "slash_command", command_name: "cancel", command_args: "" });
    stage.write(".claude/scheduled_tasks.json", "no list of tasks");
    says(stage, "go on");
    expect(held(stage)).toBe("Persistent mode 4/20");
  });

  it("MD-68 SubagentStop neither advances a mode nor is refused by one", () => {
    const stage = project();
    says(stage, GO_ON);
    const payload = join(import.meta.dirname, "../payloads/SubagentStop.first.json");
    const { session_id: _, cwd: __, ...fields } = JSON.parse(readFileSync(payload, "utf8")) as Record<string, unknown>;
    const bare = { ...fields, last_assistant_message: "src/a.ts:1 holds it.", background_tasks: [] };
    for (let round = 0; round < 3; round += 1) expect(stage.send("SubagentStop", bare).stdout).not.toContain("mode");
    expect(held(stage)).toBe("Persistent mode 1/20");
  });
});

describe("a long record at the end of a turn", () => {
  it("does not end the mode: many work trees with long names", () => {
    const stage = project();
    says(stage, GO_ON);
    for (let round = 1; round <= 8; round += 1) {
      const name = `${round}${"d".repeat(200)}`;
      stage.run("git", ["init", "--quiet", name]);
      ran(stage, "echo 1 > a.ts", { cwd: join(stage.project, name) });
      expect(held(stage)).toBe(`Persistent mode ${round}/20`);
    }
    const last = stop(stage, { last_assistant_message: "<promise>DONE</promise>" });
    expect(noticeOf(last)).toContain("Persistent mode is done; the agent was told to continue 8 times");
  });
});

describe("two sessions in one project", () => {
  const [one, two] = [{ session_id: "s1" }, { session_id: "s2" }];

  it("ST-10 neither session advances or clears the other's mode", () => {
    const stage = project();
    stage.send("SessionStart", { source: "startup", ...two });
    says(stage, GO_ON, one);
    says(stage, "/turbo do all of it", two);
    expect(held(stage, one)).toBe("Persistent mode 1/20");
    looked(stage, two);
    expect([held(stage, two), held(stage, two)]).toEqual(["Turbo mode 1/30", "Turbo mode 2/30"]);
    expect(held(stage, one)).toBe("Persistent mode 2/20");
    says(stage, "/cancel", two);
    expect(held(stage, two)).toBe("");
    expect(held(stage, one)).toBe("Persistent mode 3/20");
    stage.send("SessionEnd", { reason: "other", ...two });
    looked(stage, one);
    expect(held(stage, one)).toBe("Persistent mode 4/20");
  });

  it("ST-11 a new session is told nothing of the other's mode and has none", () => {
    const stage = project();
    says(stage, GO_ON, one);
    const start = stage.send("SessionStart", { source: "startup", ...two });
    expect(start.stdout).not.toMatch(/mode/i);
    says(stage, "hello", two);
    expect(stop(stage, two).stdout).toBe("");
  });
});

/** A separate host that has exited when this returns: a shell that runs the hook as its child. */
function killed(stage: Stage, session: string): void {
  const script = ["export CLAUDE_PID=$$"];
  const body = (name: string, more: object): string =>
    JSON.stringify({ session_id: session, cwd: stage.project, hook_event_name: name, ...more });
  const events = [
    ["SessionStart", { source: "startup" }],
    ["UserPromptSubmit", { prompt: "/persistent finish it" }],
    ["Stop", { last_assistant_message: "So far.", background_tasks: [] }],
  ] as const;
  for (const [at, [name, more]] of events.entries()) {
    stage.write(`../${at}.json`, body(name, more));
    const words = stage.command(name).map((word) => `'${word}'`);
    script.push(`${words.join(" ")} < '${join(stage.root, `${at}.json`)}'`);
  }
  const { stdout } = stage.run("sh", ["-c", [...script, "true"].join("\n")]);
  expect(stdout).toContain("Persistent mode 1/20");
}

describe("ST-11 a session whose host was killed", () => {
  const transcript = (stage: Stage, ...sessions: readonly string[]): string => {
    stage.write("../t.jsonl", sessions.map((id) => `${JSON.stringify({ type: "user", sessionId: id })}\n`).join(""));
    return join(stage.root, "t.jsonl");
  };

  it("ST-10 continues when it is resumed by its own id", () => {
    const stage = openStage();
    killed(stage, "old");
    stage.send("SessionStart", { source: "resume", session_id: "old" });
    says(stage, "go on", { session_id: "old" });
    expect(held(stage, { session_id: "old" })).toBe("Persistent mode 2/20");
  });

  it("is adopted by a session whose transcript continues it, and the agent is told", () => {
    const stage = openStage();
    killed(stage, "old");
    const start = { source: "resume", session_id: "new", transcript_path: transcript(stage, "old", "new") };
    const told = context(stage.send("SessionStart", start));
    expect(told).toContain("Persistent mode is on (1/20).");
    expect(told).toContain('Task: "finish it"');
    says(stage, "go on", { session_id: "new" });
    expect(held(stage, { session_id: "new" })).toBe("Persistent mode 2/20");
    // The mode has moved: the old session no longer has it.
    stage.send("SessionStart", { source: "resume", session_id: "old" });
    says(stage, "go on", { session_id: "old" });
    expect(held(stage, { session_id: "old" })).toBe("");
  });

  it.each([
    ["startup", ["old", "new"]],
    ["clear", ["old", "new"]],
    ["resume", ["new"]],
  ])("is not adopted by %s with a transcript of %j", (source, sessions) => {
    const stage = openStage();
    killed(stage, "old");
    const start = { source, session_id: "new", transcript_path: transcript(stage, ...sessions) };
    // The agent is told nothing; a person who starts a new session is warned.
    const { stdout } = stage.send("SessionStart", start);
    expect(stdout).not.toContain("additionalContext");
    expect(stdout.includes("An earlier session has left a mode on: persistent.")).toBe(source === "startup");
    says(stage, "hello", { session_id: "new" });
    expect(held(stage, { session_id: "new" })).toBe("");
    stage.send("SessionStart", { source: "resume", session_id: "old" });
    says(stage, "go on", { session_id: "old" });
    expect(held(stage, { session_id: "old" })).toBe("Persistent mode 2/20");
  });
});

describe("qa in any project", () => {
  const PROJECTS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
    [
      "npm",
      { "package.json": JSON.stringify({ scripts: { lint: "eslint .", test: "vitest run" } }) },
      ["npm run lint", "npm test"],
    ],
    ["Python", { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" }, ["ruff check", "pytest"]],
    ["Go", { "go.mod": "module it\n" }, ["go vet ./...", "go test ./..."]],
  ];

  it.each(PROJECTS)(
    "MD-60 MD-67 %s: ends by the exit codes of the project's checks, and nothing else",
    (_, files, commands) => {
      const stage = project(files);
      const [lint = "", test = ""] = commands;
      says(stage, "/qa");
      const { stdout } = stop(stage, { last_assistant_message: "All tests passed. <promise>QA_COMPLETE</promise>" });
      expect(stdout).toContain("QA mode 1/10: lint, test: not run on the files as they are");
      expect(stdout).toContain(`in this order: \`${lint}\`, \`${test}\``);
      ran(stage, lint);
      failed(stage, test);
      expect(stop(stage).stdout).toContain("QA mode 2/10: lint: PASS; test: FAIL");
      ran(stage, test);
      const last = stop(stage);
      expect(last.stdout).not.toContain("block");
      expect(noticeOf(last)).toContain("QA mode is done; the agent was told to continue 2 times");
    },
  );

  it("an agent in a nested repository without checks must pass those of the project", () => {
    const stage = openStage();
    stage.write("go.mod", "module it\n");
    stage.run("git", ["init", "--quiet", "part"]);
    stage.send("SessionStart", { source: "startup" });
    says(stage, "/qa");
    const cwd = join(stage.project, "part");
    const { stdout } = stop(stage, { cwd, last_assistant_message: "<promise>QA_COMPLETE</promise>" });
    expect(stdout).toContain("QA mode 1/10: lint, test: not run");
  });

  it("MD-55 after three failures of the same check one request for the cause, then the mode ends and the person is told", () => {
    const stage = project({ "go.mod": "module it\n" });
    says(stage, "/qa");
    ran(stage, "go vet ./...");
    const answers = [1, 2, 3].map(() => {
      failed(stage, "go test ./...");
      return stop(stage).stdout;
    });
    expect(answers.map((stdout) => stdout.includes("failed three times"))).toEqual([false, false, true]);
    const last = stop(stage);
    expect(last.stdout).not.toContain("block");
    expect(noticeOf(last)).toContain("the same thing failed three times");
    says(stage, "thanks");
    expect(stop(stage).stdout).toBe("");
  });

  it("MD-67 in a project without checks the agent's claims are not a result", () => {
    const stage = project();
    const transcript_path = join(stage.root, "t.jsonl");
    const entry = (role: string, content: object): string =>
      `${JSON.stringify({ type: role, message: { role, content: [content] }, timestamp: "2026-01-01T00:00:00.000Z" })}\n`;
    const prose = "No lint errors. Test Files  4 passed (4)\nTests  12 passed (12)\n0 problems";
    says(stage, "/qa");
    stage.write("../t.jsonl", entry("assistant", { type: "text", text: prose }));
    expect(held(stage, { transcript_path, last_assistant_message: prose })).toBe("QA mode 1/10");
    expect(held(stage, { transcript_path, last_assistant_message: "<promise>QA_COMPLETE</promise>" })).toBe("");
  });
});
