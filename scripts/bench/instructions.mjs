/** Counts the instructions of a process by valgrind: counts do not depend on the load of the machine. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** V8 takes stored code only with the flags it was stored with. */
const FLAGS = ["--hash-seed=1", "--random-seed=1", "--single-threaded"];
const ALWAYS_STORED = "const { random } = Math; Math.random = () => random() / 1000;";
const COUNTED = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
/** Afterwards the code caches hold all that an event uses, and none is stored again: code is stored seven times. */
export const WARMING = 9;

/** Runs and counts events of stages (`openStage`) as Node runs them. */
export function openCounting(scratch) {
  const preload = join(scratch, "always-stored.cjs");
  writeFileSync(preload, ALWAYS_STORED);
  return {
    run(stage, event) {
      const { args, input } = argumentsOf(stage, event);
      started(process.execPath, [...FLAGS, "--require", preload, ...args], { ...stage, input });
    },
    count(stage, event) {
      const { args, input } = argumentsOf(stage, event);
      return counted(args, { ...stage, input });
    },
    idle: (stage) => counted(["-e", "0"], { ...stage, input: "{}" }),
  };
}

/** What Node runs for an event. */
function argumentsOf(stage, event) {
  const { args, input } = stage.callOf(event);
  return { args: args.slice(args.indexOf(process.execPath) + 1), input };
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
