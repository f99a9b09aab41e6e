/**
 * What the fast lane costs: an event over one line that stays open, its record flushed to the disk before the answer;
 * and the same while fifty projects share the gatehouse and one of them is very large.
 * Usage: node scripts/bench/fast.mjs [rounds]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { judge, quantile } from "./bench.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";

const rounds = Number(process.argv[2] ?? 400);
const PROJECTS = 50;
const FILES = 100_000;
/** A busy agent makes an event every quarter of a second or so. */
const PAUSE_MS = 250;

const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
const gatehouse = openGatehouse(scratch);

const bash = {
  command: "git status --short && npm test -- --reporter=dot 2>&1 | tail -20",
  description: "Run the tests",
};
const edit = { file_path: "/work/a.ts", old_string: "const a = 1;", new_string: "const a = 2;", replace_all: false };

/** The events of a turn that the gatehouse answers for; `call` names the tool use. */
const EVENTS = {
  "PreToolUse Bash": (call) => ["PreToolUse", { tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}` }],
  "PostToolUse Bash": (call) => [
    "PostToolUse",
    { tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}`, tool_response: { stdout: "ok", stderr: "" } },
  ],
  "PreToolUse Edit": (call) => ["PreToolUse", { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}` }],
  "PostToolUse Edit": (call) => [
    "PostToolUse",
    { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}`, tool_response: {} },
  ],
  PostToolBatch: (call) => ["PostToolBatch", { tool_calls: [{ tool_name: "Bash", tool_use_id: `b${call}` }] }],
};

async function turn(send, call, note) {
  for (const [name, make] of Object.entries(EVENTS)) note(name, await send(...make(call)));
}

console.log(`one project, ${rounds} turns of ${Object.keys(EVENTS).length} events over one line …`);
const alone = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, []]));
const send = openSession(gatehouse, "bench", join(scratch, "project"));
for (let call = 0; call < 50; call++) await turn(send, call, () => undefined);
for (let call = 50; call < 50 + rounds; call++) await turn(send, call, (name, ms) => alone[name].push(ms));
for (const [name, values] of Object.entries(alone)) row(name, values);

console.log(`${PROJECTS} projects, one of them with ${FILES} files, an event every ${PAUSE_MS} ms or so in each …`);
const large = join(scratch, "project-0");
for (let n = 0; n < FILES; n++) {
  const directory = join(large, `d${Math.floor(n / 500)}`);
  if (n % 500 === 0) mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `f${n}.ts`), "x");
}
// It is a project that has been there for a while, not one whose files are still on their way to the disk.
spawnSync("sync");
const others = [];
await Promise.all(
  Array.from({ length: PROJECTS }, async (_, n) => {
    const sendTo = openSession(gatehouse, `bench-${n}`, join(scratch, `project-${n}`));
    const end = performance.now() + 15_000;
    await pause(Math.random() * PAUSE_MS);
    for (let call = 0; performance.now() < end; call++) {
      for (const [name, make] of Object.entries(EVENTS)) {
        const ms = await sendTo(...make(call));
        // The first of each is the opening of a journal that the gatehouse has not seen.
        if (n > 0 && call > 0) others.push(ms);
        void name;
        await pause(PAUSE_MS * (0.5 + Math.random()));
      }
    }
  }),
);
row(`the ${PROJECTS - 1} others`, others);

const all = Object.values(alone).flat();
judge([
  ["an event on the fast lane ≤ 1.5 ms, median", quantile(all, 0.5), 1.5, " ms"],
  [`${PROJECTS} projects ≤ 25 ms, p99 of the others`, quantile(others, 0.99), 25, " ms"],
]);
process.exit();

function row(name, values) {
  const at = (q) => `${quantile(values, q).toFixed(2).padStart(7)} ms`;
  console.log(`  ${name.padEnd(22)} median ${at(0.5)}   p95 ${at(0.95)}   p99 ${at(0.99)}   n ${values.length}`);
}
