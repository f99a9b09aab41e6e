/**
 * Measures the fast lane: an event over a kept-alive connection, with its record flushed to disk before the answer;
 * then the same while fifty projects share the daemon and one of them is very large. Usage: node scripts/bench/fast.mjs
 * [rounds]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";

const rounds = Number(process.argv[2] ?? 400);
const PROJECTS = 50;
const FILES = 100_000;
/** A busy agent produces an event about every 250 ms. */
const PAUSE_MS = 250;

const scratch = scratchDirectory("bench");
const gatehouse = openGatehouse(scratch);

/** The daemon answers reads like edits. */
const { "PreToolUse Read": _, ...TURN } = EVENTS;

async function turn(send, call, note) {
  for (const [name, make] of Object.entries(TURN)) note(name, await send(make(call)));
}

console.log(`one project, ${rounds} turns of ${Object.keys(TURN).length} events over one line …`);
const alone = Object.fromEntries(Object.keys(TURN).map((name) => [name, []]));
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
// Flush to disk first, so that the pending writes of the new project do not distort the measurement.
spawnSync("sync");
const others = [];
await Promise.all(
  Array.from({ length: PROJECTS }, async (_, n) => {
    const sendTo = openSession(gatehouse, `bench-${n}`, join(scratch, `project-${n}`));
    const end = performance.now() + 15_000;
    await pause(Math.random() * PAUSE_MS);
    for (let call = 0; performance.now() < end; call++) {
      for (const [name, make] of Object.entries(TURN)) {
        const ms = await sendTo(make(call));
        // The first call of each project opens a journal the daemon has not seen yet, so it is not counted.
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
