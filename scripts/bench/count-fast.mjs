/**
 * Counts the instructions that each event of a small session costs the daemon, for this checkout and others, by event and
 * process. Needs valgrind. Counts do not depend on the load of the machine; what the kernel does is not in them. All
 * checkouts must be built. Usage: node scripts/bench/count-fast.mjs [other checkout ...]
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { quantile, root } from "./bench.mjs";
import { openCounted } from "./count-daemon.mjs";
import { EVENTS } from "./events.mjs";
import { openSession } from "./gatehouse.mjs";

/** Until every function has run and is compiled. */
const WARMING = 25;
/** Reading the counts takes half a second, so it is done once for several events of a kind. */
const [BLOCKS, BLOCK] = [3, 8];

const scratch = scratchDirectory("count-fast");
const checkouts = [root, ...process.argv.slice(2).map((path) => resolve(path))];
const figures = [];
for (const [n, checkout] of checkouts.entries()) figures.push(await countsOf(checkout, join(scratch, `${n}`)));

console.log(
  `millions of instructions in the worker, and in the supervisor: ${["this", ...checkouts.slice(1)].join(", ")}`,
);
for (const name of Object.keys(EVENTS)) row(name, (figure) => figure[name]);
row("a turn", (figure) => Object.values(figure).reduce(sum, { worker: 0, supervisor: 0 }));
process.exit();

async function countsOf(checkout, directory) {
  mkdirSync(directory);
  const daemon = await openCounted(directory, join(checkout, "dist"));
  const send = openSession(daemon, "count", join(directory, "project"));
  for (let call = 0; call < WARMING; call++) for (const make of Object.values(EVENTS)) await send(make(call));
  const blocks = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, []]));
  let before = daemon.counts();
  for (let block = 0; block < BLOCKS; block++) {
    for (const [name, make] of Object.entries(EVENTS)) {
      for (let call = 0; call < BLOCK; call++) await send(make(`${block}-${call}`));
      const after = daemon.counts();
      const each = (process) => (after[process] - before[process]) / BLOCK / 1e6;
      blocks[name].push({ worker: each("worker"), supervisor: each("supervisor") });
      before = after;
    }
  }
  const median = (all, process) =>
    quantile(
      all.map((one) => one[process]),
      0.5,
    );
  const both = (all) => ({ worker: median(all, "worker"), supervisor: median(all, "supervisor") });
  return Object.fromEntries(Object.entries(blocks).map(([name, all]) => [name, both(all)]));
}

function sum(one, two) {
  return { worker: one.worker + two.worker, supervisor: one.supervisor + two.supervisor };
}

function row(name, figureOf) {
  const cells = figures.map(figureOf);
  const shown = cells.map(({ worker, supervisor }) => `${worker.toFixed(2).padStart(7)} ${supervisor.toFixed(2)}`);
  const [own, other] = cells;
  const ratio = other ? `   this / first other ${(own.worker / other.worker).toFixed(3)}` : "";
  console.log(`  ${name.padEnd(18)} ${shown.join("   ")}${ratio}`);
}
