/**
 * What a hook costs, as ratios within one interleaved run: the plain lane against a Node that does nothing, on an empty
 * journal and on one of 100,000 records. Absolute figures move with the machine, the ratios do not.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { reducerHash } from "./reducer-hash.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const rounds = Number(process.argv[2] ?? 80);
const records = 100_000;
const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** The store and the names of directories, from the sources, to fill a journal quickly. */
async function loadSources() {
  const outfile = join(scratch, "sources.cjs");
  const entry = `export { openJournal } from "./src/store/disk.ts"; export { placesOf } from "./src/world/places.ts"; export { slots } from "./src/hosts/claude-code/hooks.ts";`;
  const stdin = { contents: entry, resolveDir: root, loader: "ts" };
  await build({ stdin, bundle: true, platform: "node", format: "cjs", outfile, define: { __REDUCER_HASH__: JSON.stringify(reducerHash()) } });
  return createRequire(import.meta.url)(outfile);
}

const { openJournal, placesOf, slots } = await loadSources();
const program = { node: process.execPath, bundle: join(root, "dist", "sekisho.cjs") };
const [gate] = slots(["PreToolUse"], program);

function stage(name) {
  const project = join(scratch, name, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: join(scratch, name, "home"), CLAUDE_PROJECT_DIR: project, CLAUDE_PID: String(process.pid), LANG: "C.UTF-8" };
  mkdirSync(env.HOME);
  const payload = {
    session_id: "bench-session",
    transcript_path: join(env.HOME, "t.jsonl"),
    cwd: project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git status --short && npm test -- --reporter=dot 2>&1 | tail -20", description: "Run the tests" },
  };
  let call = 0;
  return { project, env, input: () => JSON.stringify({ ...payload, tool_use_id: `toolu_${call++}` }) };
}

function fill({ env, project }) {
  const store = openJournal({ directory: placesOf(env, project, []).journal });
  const started = performance.now();
  for (let n = 0; n < records; n++) {
    const kept = store.append(
      {
        kind: "verdict",
        event: n % 2 ? "PostToolUse" : "PreToolUse",
        session: `session-${Math.floor(n / 2000)}`,
        decision: "pass",
        tool: "Bash",
        call: `toolu_${n >> 1}`,
        input: { command: "npm test -- --reporter=dot", description: "Run the tests of the project" },
        operation: { class: "exec", domain: "test_run", risk: "low" },
        changes: [n % 2 ? { record: "call", do: "close", id: `toolu_${n >> 1}`, outcome: "success" } : { record: "call", do: "open", id: `toolu_${n >> 1}`, tool: "Bash" }],
        ms: 2.5,
      },
      1_700_000_000_000 + n * 1000,
    );
    if ("fault" in kept) throw new Error(kept.fault);
  }
  console.log(`filled a journal with ${records} records in ${Math.round(performance.now() - started)} ms`);
}

const empty = stage("empty");
const full = stage("full");
fill(full);
writeFileSync(join(scratch, "noop.cjs"), "0");

const cases = {
  "node -e 0": () => spawnSync(process.execPath, ["-e", "0"], { env: empty.env, input: empty.input() }),
  "plain lane, empty journal": () => spawnSync(gate.hook.command, gate.hook.args, { env: empty.env, input: empty.input(), cwd: empty.project }),
  [`plain lane, ${records} records`]: () => spawnSync(gate.hook.command, gate.hook.args, { env: full.env, input: full.input(), cwd: full.project }),
};
const names = Object.keys(cases);
const times = Object.fromEntries(names.map((name) => [name, []]));
for (const name of names) for (let n = 0; n < 3; n++) cases[name]();
for (let round = 0; round < rounds; round++) {
  // Another order each time, so that nobody always runs after the same neighbour.
  for (let at = 0; at < names.length; at++) {
    const name = names[(at + round) % names.length];
    const started = performance.now();
    const { status, stderr } = cases[name]();
    times[name].push(performance.now() - started);
    if (status !== 0) throw new Error(`${name}: exit ${status} ${stderr}`);
  }
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.floor(values.length * q)];
const rows = names.map((name) => ({ name, median: quantile(times[name], 0.5), p95: quantile(times[name], 0.95) }));
const [base, onEmpty, onFull] = rows;
for (const { name, median, p95 } of rows) {
  console.log(`${name.padEnd(30)} median ${median.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   × ${(median / base.median).toFixed(2)}`);
}
const checks = [
  ["plain lane ≤ 1.35 × node -e 0", onEmpty.median / base.median, 1.35],
  ["100,000 records ≤ 1.2 × empty", onFull.median / onEmpty.median, 1.2],
];
let failed = false;
for (const [what, ratio, limit] of checks) {
  const good = ratio <= limit;
  failed ||= !good;
  console.log(`${good ? "ok  " : "MISS"} ${what}: ${ratio.toFixed(3)}`);
}
process.exitCode = failed ? 1 : 0;
