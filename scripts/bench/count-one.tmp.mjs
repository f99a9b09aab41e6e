/**
 * Counts the instructions that each event of a small session costs on the plain lane, above a Node process that does
 * nothing, for this checkout and others. Needs valgrind. Counts do not depend on the load of the machine, so small
 * changes show; `count-fast.mjs` does the same for the daemon. All checkouts must be built.
 * Usage: node scripts/bench/count.mjs [other checkout ...]
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { root, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openCounting, WARMING } from "./instructions.mjs";
import { openStage } from "./stage.mjs";

const scratch = scratchDirectory("count");
const { slots } = await sources(scratch);
const checkouts = [root, ...process.argv.slice(2).map((path) => resolve(path))];
const stages = checkouts.map((checkout, n) => {
  mkdirSync(join(scratch, `${n}`));
  return openStage(join(scratch, `${n}`), slots, checkout);
});

const { run, count, idle: idleOf } = openCounting(scratch);
for (const stage of stages) {
  run(stage, { event: "SessionStart", fields: { source: "startup" } });
  for (let call = 0; call < WARMING; call++) for (const make of Object.values(EVENTS)) run(stage, make(call));
}

const idle = 93.42e6;
console.log(`node -e 0: ${millions(idle)}; above it, in millions: ${["this", ...checkouts.slice(1)].join(", ")}`);
for (const [name, make] of Object.entries(EVENTS).filter(([n]) => n === "PreToolUse Bash")) {
  const counts = stages.map((stage) => count(stage, make("counted")));
  console.log(`  ${name.padEnd(18)} ${counts.map((one) => millions(one - idle).padStart(7)).join(" ")}`);
}

function millions(count) {
  return (count / 1e6).toFixed(2);
}
