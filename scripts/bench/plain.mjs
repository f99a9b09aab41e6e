/**
 * What the plain lane costs, as ratios within one interleaved run: the events of a small session against a Node that
 * does nothing, on an empty journal and on one of 100,000 records. Absolute figures move with the machine, ratios do
 * not. Usage: node scripts/bench/plain.mjs [rounds]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge, quantile, root, sources } from "./bench.mjs";

const rounds = Number(process.argv[2] ?? 60);
const RECORDS = 100_000;
const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const { openJournal, placesOf, slots } = await sources(scratch);
const program = { node: process.execPath, bundle: join(root, "dist", "sekisho.cjs") };

const bash = {
  command: "git status --short && npm test -- --reporter=dot 2>&1 | tail -20",
  description: "Run the tests",
};
const edit = { file_path: "/work/a.ts", old_string: "const a = 1;", new_string: "const a = 2;", replace_all: false };

/** The events of a turn in the order of the client; `call` names the tool use. */
const EVENTS = {
  "PreToolUse Bash": (call) => ["PreToolUse", 0, { tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}` }],
  "PostToolUse Bash": (call) => [
    "PostToolUse",
    0,
    { tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}`, tool_response: { stdout: "ok", stderr: "" } },
  ],
  "PreToolUse Edit": (call) => ["PreToolUse", 0, { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}` }],
  "PostToolUse Edit": (call) => [
    "PostToolUse",
    0,
    { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}`, tool_response: {} },
  ],
  "PreToolUse Read": (call) => [
    "PreToolUse",
    1,
    { tool_name: "Read", tool_input: { file_path: "/work/a.ts" }, tool_use_id: `r${call}` },
  ],
  PostToolBatch: (call) => ["PostToolBatch", 0, { tool_calls: [{ tool_name: "Bash", tool_use_id: `b${call}` }] }],
};

function stage(name) {
  const project = join(scratch, name, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: join(scratch, name, "home"),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: String(process.pid),
    LANG: "C.UTF-8",
  };
  mkdirSync(env.HOME);
  const send = (event, gate, fields) => {
    const { hook } = slots([event], program)[gate];
    const input = JSON.stringify({
      session_id: "bench",
      transcript_path: "/t.jsonl",
      cwd: project,
      permission_mode: "default",
      hook_event_name: event,
      ...fields,
    });
    const started = performance.now();
    const { status, stderr } = spawnSync(hook.command, hook.args, { env, input, cwd: project });
    const ms = performance.now() - started;
    if (status !== 0) throw new Error(`${event}: exit ${status} ${stderr}`);
    return ms;
  };
  return { project, env, send };
}

function fill({ env, project }) {
  const store = openJournal({ directory: placesOf(env, project, []).journal });
  for (let n = 0; n < RECORDS; n++) {
    const call = `toolu_${n >> 1}`;
    const change =
      n % 2
        ? { record: "call", do: "close", id: call, outcome: "success" }
        : { record: "call", do: "open", id: call, tool: "Bash" };
    const kept = store.append(
      {
        kind: "verdict",
        event: n % 2 ? "PostToolUse" : "PreToolUse",
        session: `s-${Math.floor(n / 2000)}`,
        decision: "pass",
        tool: "Bash",
        call,
        input: bash,
        changes: [change],
        ms: 2.5,
      },
      1_700_000_000_000 + n * 1000,
    );
    if ("fault" in kept) throw new Error(kept.fault);
  }
}

const empty = stage("empty");
const full = stage("full");
console.log(`filling a journal with ${RECORDS} records …`);
fill(full);
for (const { send } of [empty, full]) send("SessionStart", 0, { source: "startup" });

/** Each event is paired with the runs right beside it: a machine that is busy for a while is busy for both. */
const pairs = { "empty / node": [], "full / empty": [] };
const times = { "node -e 0": [], empty: [], full: [] };
const byEvent = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, []]));
const noop = () => {
  const started = performance.now();
  spawnSync(process.execPath, ["-e", "0"], { env: empty.env, input: "{}" });
  return performance.now() - started;
};
console.log(`${rounds} rounds of ${Object.keys(EVENTS).length} events …`);
for (let round = -2; round < rounds; round++) {
  for (const [name, make] of Object.entries(EVENTS)) {
    const event = make(round + 2);
    const [base, onEmpty, onFull] = [noop(), empty.send(...event), full.send(...event)];
    if (round < 0) continue;
    times["node -e 0"].push(base);
    times.empty.push(onEmpty);
    times.full.push(onFull);
    byEvent[name].push(onEmpty / base);
    pairs["empty / node"].push(onEmpty / base);
    pairs["full / empty"].push(onFull / onEmpty);
  }
}

const base = quantile(times["node -e 0"], 0.5);
const row = (name, values) =>
  console.log(
    `  ${name.padEnd(32)} median ${quantile(values, 0.5).toFixed(1).padStart(6)} ms   p95 ${quantile(values, 0.95).toFixed(1).padStart(6)} ms   × ${(quantile(values, 0.5) / base).toFixed(2)}`,
  );
row("node -e 0", times["node -e 0"]);
row("plain lane, empty journal", times.empty);
row(`plain lane, ${RECORDS} records`, times.full);
console.log("by event, median of the pairs with the node -e 0 before it:");
for (const [name, ratios] of Object.entries(byEvent))
  console.log(`  ${name.padEnd(32)} × ${quantile(ratios, 0.5).toFixed(2)}`);

// The medians of the pairs. A middle over a session hides the gate for shell commands, so that is said beside it.
const [dearest, ratios] = Object.entries(byEvent).sort(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))[0];
console.log(`note the dearest event is ${dearest}, × ${quantile(ratios, 0.5).toFixed(2)}: see docs/deviations.md`);
const checks = [
  ["the events of a small session ≤ 1.35 × node -e 0", quantile(pairs["empty / node"], 0.5), 1.35],
  ["100,000 records ≤ 1.2 × an empty journal", quantile(pairs["full / empty"], 0.5), 1.2],
];
judge(checks);
