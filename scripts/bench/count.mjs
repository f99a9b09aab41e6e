/**
 * Counts the instructions that each event of a small session costs on the plain lane, above a Node process that does
 * nothing, for this checkout and others. Needs valgrind. Counts do not depend on the load of the machine, so small
 * changes show; `count-fast.mjs` does the same for the daemon. All checkouts must be built.
 * Usage: node scripts/bench/count.mjs [other checkout ...]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { root, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openStage } from "./stage.mjs";

/** V8 takes stored code only with the flags it was stored with. */
const FLAGS = ["--hash-seed=1", "--random-seed=1", "--single-threaded"];
/** Afterwards the code caches hold all that these events use, and none is stored again: code is stored seven times. */
const WARMING = 9;
const ALWAYS_STORED = "const { random } = Math; Math.random = () => random() / 1000;";
const COUNTED = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];

const scratch = scratchDirectory("count");
const { slots } = await sources(scratch);
const checkouts = [root, ...process.argv.slice(2).map((path) => resolve(path))];
const stages = checkouts.map((checkout, n) => {
  mkdirSync(join(scratch, `${n}`));
  return openStage(join(scratch, `${n}`), slots, checkout);
});

const preload = join(scratch, "always-stored.cjs");
writeFileSync(preload, ALWAYS_STORED);
for (const stage of stages) {
  run(stage, { event: "SessionStart", fields: { source: "startup" } });
  for (let call = 0; call < WARMING; call++) for (const make of Object.values(EVENTS)) run(stage, make(call));
}

const [{ env, project }] = stages;
const idle = counted(["-e", "0"], { env, project, input: "{}" });
console.log(`node -e 0: ${millions(idle)}; above it, in millions: ${["this", ...checkouts.slice(1)].join(", ")}`);
for (const [name, make] of Object.entries(EVENTS)) {
  const counts = stages.map((stage) => {
    const { args, input } = argumentsOf(stage, make("counted"));
    return counted(args, { ...stage, input });
  });
  console.log(`  ${name.padEnd(18)} ${counts.map((count) => millions(count - idle).padStart(7)).join(" ")}`);
}

/** What Node runs for an event. */
function argumentsOf(stage, event) {
  const { args, input } = stage.callOf(event);
  return { args: args.slice(args.indexOf(process.execPath) + 1), input };
}

function run(stage, event) {
  const { args, input } = argumentsOf(stage, event);
  started(process.execPath, [...FLAGS, "--require", preload, ...args], { ...stage, input });
}

function counted(args, where) {
  const all = [...COUNTED, process.execPath, ...FLAGS, ...args];
  // On a busy machine an event can reach its own deadline, slowed down as it is.
  const stderr = tried(() => started("valgrind", all, where));
  const [, count] = /I +refs: +([\d,]+)/.exec(stderr) ?? [];
  if (count === undefined) throw new Error(`valgrind: ${stderr}`);
  return Number(count.replaceAll(",", ""));
}

function tried(run, times = 4) {
  try {
    return run();
  } catch (error) {
    if (times === 1) throw error;
    return tried(run, times - 1);
  }
}

function started(program, args, { env, project, input }) {
  const { status, stderr, error } = spawnSync(program, args, { env, input, cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: exit ${status} ${error ?? stderr}`);
  return stderr;
}

function millions(count) {
  return (count / 1e6).toFixed(2);
}
