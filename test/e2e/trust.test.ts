/** Trust on the built program: what events earn, in one process or many, on either lane. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VerdictRecord } from "../../src/state/record.ts";
import type { State } from "../../src/state/state.ts";
import { newTrustLedger, recordOutcome, type TrustLedger } from "../../src/state/trust.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { type Answer, endOf, verdictOf } from "./answer.ts";
import { type DrivenEvent, drive, driveAside } from "./driver.ts";
import { openHouse } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

type Event =
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "UserPromptSubmit"
  | "SessionStart"
  | "PostToolBatch";

function stateOf({ journal }: Stage): State {
  const state = openJournal({ directory: journal() }).read();
  if ("fault" in state) throw new Error(state.fault);
  return state;
}

const ledgerOf = (stage: Stage): TrustLedger => stateOf(stage).trust;

/** The verdict records in the journal's order. */
function verdictsOf({ journal }: Stage): readonly VerdictRecord[] {
  const records = [...openJournal({ directory: journal() }).records()];
  return records.flatMap((record) => (record.kind === "verdict" ? [record] : []));
}

function event(stage: Stage, name: Event, fields: object): DrivenEvent {
  const payload = {
    session_id: "s1",
    cwd: stage.project,
    permission_mode: "default",
    hook_event_name: name,
    ...fields,
  };
  return { event: name, harmless: false, body: JSON.stringify(payload) };
}

const use = (command: string, id: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: id });

function run(stage: Stage, command: string, id: string, exitCode = 0): readonly DrivenEvent[] {
  const used = use(command, id);
  const end =
    exitCode === 0
      ? event(stage, "PostToolUse", { ...used, tool_response: { stdout: "" } })
      : event(stage, "PostToolUseFailure", { ...used, error: `Exit code ${exitCode}`, is_interrupt: false });
  return [event(stage, "PreToolUse", used), end];
}

/** `count` runs, some of which fail. */
function runs(stage: Stage, count: number, from: string, fails: (at: number) => boolean = () => false) {
  return Array.from({ length: count }, (_, at) => run(stage, "make", `${from}-${at}`, fails(at) ? 2 : 0)).flat();
}

/** Applies the outcomes of the journal one by one to a fresh ledger. */
function serially(stage: Stage, domain: string): TrustLedger {
  const ends = verdictsOf(stage).flatMap(({ changes = [] }) =>
    changes.flatMap((change) => (change.record === "call" && change.do === "close" ? [change.outcome] : [])),
  );
  return ends.reduce(
    (ledger, outcome) =>
      outcome === "success" || outcome === "failure" ? recordOutcome(ledger, domain, outcome, 0) : ledger,
    newTrustLedger,
  );
}

describe("TR-18 concurrent outcomes", () => {
  it("TR-18 ten hook processes with a hundred outcomes each give a thousand operations and the score of a serial run", async () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, process) =>
        driveAside(
          stage,
          runs(stage, 100, `p${process}`, (at) => at % 10 === 9),
        ),
      ),
    );
    expect(answers.flat().filter(({ code, stderr }) => code !== 0 || stderr !== "")).toEqual([]);
    const { operations, domains } = ledgerOf(stage);
    const [found, wanted] = [domains["shell_exec"], serially(stage, "shell_exec").domains["shell_exec"]];
    expect(operations).toBe(1_000);
    expect(found).toMatchObject({ operations: 1_000, successes: 900, failures: 100 });
    expect({ ...found, lastAt: 0 }).toEqual(wanted);
    const report = openJournal({ directory: stage.journal() }).verify();
    expect(report).toMatchObject({ integrity: "intact" });
  });

  it("TR-18 ten hosts with a process per event give the score of a serial run", async () => {
    const stage = openStage({ processes: "warm" });
    const words = Object.fromEntries(
      (["SessionStart", "PreToolUse", "PostToolUse"] as const).map((name) => [name, stage.command(name)]),
    );
    const client = join(stage.root, "client.cjs");
    writeFileSync(client, CLIENT);
    const ended = Array.from({ length: 10 }, (_, at) => {
      const input = { words, session: `client-${at}`, count: 5, cwd: stage.project };
      const child = spawn(process.execPath, [client, JSON.stringify(input)], { cwd: stage.project, env: stage.env });
      return endOf(child);
    });
    for (const answer of await Promise.all(ended)) expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({
      operations: 50,
      successes: 50,
      score: serially(stage, "shell_exec").domains["shell_exec"]?.score,
    });
  });
});

/** Acts as the host: the hooks are its children, with one process per event. */
const CLIENT = `
const { spawnSync } = require("node:child_process");
const { words, session, count, cwd } = JSON.parse(process.argv[2]);
const env = { ...process.env, CLAUDE_PID: String(process.pid) };
function send(name, fields) {
  const input = JSON.stringify({ session_id: session, cwd, permission_mode: "default", hook_event_name: name, ...fields });
  const [program, ...args] = words[name];
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, input, encoding: "utf8" });
  if (status !== 0) process.stderr.write(stdout + stderr);
}
send("SessionStart", { source: "startup" });
for (let at = 0; at < count; at++) {
  const used = { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "c" + at };
  send("PreToolUse", used);
  send("PostToolUse", { ...used, tool_response: {} });
}
`;

describe("outcomes in one session", () => {
  it("TR-32 TS-1 grow by the golden vector", async () => {
    const stage = openStage();
    const scores: number[] = [];
    for (let at = 0; at < 25; at += 5) {
      drive(stage, runs(stage, 5, `r${at}`));
      scores.push(ledgerOf(stage).domains["shell_exec"]?.score ?? 0);
    }
    expect(scores).toEqual([0.45836, 0.58089, 0.67571, 0.74906, 0.77317]);
  });

  it("TR-83 TR-84 TS-7 TS-8 count once or not at all, whichever events fire", async () => {
    const stage = openStage();
    const used = use("make", "a");
    const failure = event(stage, "PostToolUseFailure", { ...used, error: "Exit code 2" });
    const asError = event(stage, "PostToolUse", { ...used, tool_response: {}, is_error: true });
    const other = (more: object) => event(stage, "PostToolUseFailure", { ...use("make", "b"), error: "x", ...more });
    const answers = drive(stage, [
      event(stage, "PreToolUse", used),
      asError,
      failure,
      failure,
      event(stage, "PreToolUse", use("make", "b")),
      other({ is_interrupt: true }),
      other({ is_error: false }),
      { event: "PostToolUseFailure", harmless: false, body: "" },
      { event: "PostToolUseFailure", harmless: false, body: "{ not json" },
      event(stage, "PostToolUseFailure", { error: "x" }),
    ]);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
    expect(ledgerOf(stage).domains).toEqual({
      shell_exec: expect.objectContaining({ score: 0.255, failures: 1, successes: 0, operations: 1 }),
    });
  });

  it("TR-84 TS-8 are not counted when the host says it was no failure, and the call stays open", async () => {
    const stage = openStage();
    const used = use("make", "a");
    drive(stage, [
      event(stage, "PreToolUse", used),
      event(stage, "PostToolUseFailure", { ...used, error: "x", is_error: false }),
    ]);
    expect(ledgerOf(stage).domains).toEqual({});
    expect(stateOf(stage).sessions["s1"]?.calls).toHaveProperty("a");
    drive(stage, [event(stage, "PostToolUseFailure", { ...used, error: "x", is_error: true })]);
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ failures: 1 });
  });

  it("TR-87 a refused call earns nothing and does not stay open", async () => {
    const stage = openStage();
    drive(stage, run(stage, "rm -rf /", "a"));
    expect(ledgerOf(stage).domains).toEqual({});
    expect(stateOf(stage).sessions["s1"]).toMatchObject({ calls: {}, outcomes: { refused: 1, success: 0 } });
  });

  it("of background work count when the host reports its end", async () => {
    const stage = openStage();
    const launched = (id: string) => [
      event(stage, "PreToolUse", use("make", id)),
      event(stage, "PostToolUse", { ...use("make", id), tool_response: { backgroundTaskId: "t1" } }),
    ];
    const notice = (id: string, status: string) => {
      const words = `<task-notification><tool-use-id>${id}</tool-use-id><status>${status}</status></task-notification>`;
      return event(stage, "UserPromptSubmit", { prompt: words });
    };
    drive(stage, [...launched("a"), ...launched("b")]);
    expect(ledgerOf(stage).domains).toEqual({});
    drive(stage, [notice("a", "completed"), notice("b", "failed"), notice("a", "completed"), notice("c", "completed")]);
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ successes: 1, failures: 1, operations: 2 });
  });

  it("AU-2 AU-3 TR-86 the record of an attempt has the scores, the agent and the call", async () => {
    const stage = openStage();
    const used = use("make", "a");
    const agent = { agent_id: "a1", agent_type: "Explore" };
    drive(stage, [
      event(stage, "PreToolUse", { ...used, ...agent }),
      event(stage, "PostToolUse", { ...used, ...agent, tool_response: {} }),
    ]);
    const [attempt, outcome] = verdictsOf(stage);
    expect(attempt).toMatchObject({
      session: "s1",
      tool: "Bash",
      call: "a",
      input: { command: "make" },
      agent: { id: "a1", type: "Explore" },
      operation: { domain: "shell_exec", risk: "medium" },
      weighed: { score: 0.3, autonomy: 0.65, grade: "logged_only", model: "opus", stance: "building" },
    });
    expect(outcome).toMatchObject({
      session: "s1",
      tool: "Bash",
      call: "a",
      changes: [expect.objectContaining({ do: "close", id: "a", outcome: "success" })],
    });
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ score: 0.335 });
  });
});

/** A separate network namespace without even loopback. */
const isolated = spawnSync("unshare", ["-rn", "true"]).status === 0;

describe.runIf(isolated)("TR-6 without a network", () => {
  it("TR-6 a whole turn is judged and counted as usual", () => {
    const stage = openStage();
    const alone = (name: Event, fields: object): Answer => {
      const { body: input } = event(stage, name, fields);
      return stage.run("unshare", ["-rn", ...stage.command(name)], { input });
    };
    alone("SessionStart", { source: "startup" });
    expect(alone("PreToolUse", use("make", "a"))).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(alone("PostToolUse", { ...use("make", "a"), tool_response: {} }).code).toBe(0);
    expect(alone("PreToolUse", use("rm -rf ~", "b")).code).toBe(2);
    expect(ledgerOf(stage).domains["shell_exec"]).toMatchObject({ score: 0.335, successes: 1 });
  });
});

describe("the profile oath", () => {
  const oath = (stage: Stage, more = ""): Stage => {
    stage.write(".sekisho/config.yaml", `profile: oath\n${more}`);
    stage.send("SessionStart", { source: "startup" });
    return stage;
  };
  const told = ({ stdout }: Answer) =>
    (JSON.parse(stdout || "{}") as { hookSpecificOutput?: Record<string, unknown> }).hookSpecificOutput ?? {};

  it("TR-64 TS-12 asks at starting trust and not once it is earned; approve answers for the person", async () => {
    const stage = oath(openStage());
    expect(told(stage.bash("make"))).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("[CONFIRM] Bash: shell_exec, medium risk"),
    });
    drive(stage, runs(stage, 31, "r"));
    expect(ledgerOf(stage).domains["shell_exec"]?.score).toBeLessThan(0.8);
    expect(verdictOf(stage.bash("make"))).toBe("ask");
    drive(stage, runs(stage, 1, "last"));
    expect(ledgerOf(stage).domains["shell_exec"]?.score).toBeGreaterThanOrEqual(0.8);
    expect(stage.bash("make")).toEqual({ code: 0, stdout: "", stderr: "" });
    oath(stage, "trust: { approve: true }\n");
    // A looser setting counts from the next session on.
    expect(told(stage.bash("make"))).toEqual({});
    stage.send("SessionStart", { source: "startup", session_id: "next" });
    expect(told(stage.bash("make", { session_id: "next" }))).toMatchObject({ permissionDecision: "allow" });
    expect(stage.bash("rm -rf /").code).toBe(2);
    // Earned for running commands, not for git; nothing outside the project is approved.
    expect(verdictOf(stage.bash("git commit -m x"))).toBe("ask");
    expect(told(stage.bash("touch /var/tmp/x"))).toEqual({});
  });
});

describe("both lanes", () => {
  it("give the same ledger and the same scores", async () => {
    const [plain, house] = [openStage(), openHouse()];
    plain.send("SessionStart", { source: "startup" });
    const days = (stage: Stage) => [
      ...runs(stage, 6, "r", (at) => at % 3 === 2),
      ...run(stage, "grep nothing hello.txt", "g", 1),
      ...run(stage, "git commit -m x", "c"),
      event(stage, "PostToolUse", { ...use("npm test", "late"), tool_response: {} }),
    ];
    drive(plain, days(plain));
    for (const { event: name, body } of days(house.stage)) expect((await house.postBytes(name, body)).status).toBe(200);
    const levelled = (ledger: TrustLedger) =>
      JSON.parse(
        JSON.stringify(ledger, (key, value) => (/^(?:lastAt|updatedAt)$/.test(key) ? 0 : value)),
      ) as TrustLedger;
    expect(levelled(ledgerOf(house.stage))).toEqual(levelled(ledgerOf(plain)));
    expect(ledgerOf(plain)).toMatchObject({
      operations: 9,
      domains: {
        shell_exec: { successes: 4, failures: 2 },
        file_read: { successes: 1, failures: 0 },
        git_local: { successes: 1 },
        test_run: { successes: 1 },
      },
    });
    const weighed = (stage: Stage) => verdictsOf(stage).flatMap((record) => record.weighed ?? []);
    expect(weighed(house.stage)).toEqual(weighed(plain));
  });
});
