/**
 * Sends generated command lines through the policies: none may throw or take long, and no wrapping may make a verdict
 * milder. Usage: npm run fuzz [-- --lines 100000 --seed 1]. Cases of other guards are mutated too, if they exist beside
 * the project.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { scratchDirectory } from "./scratch.mjs";

const BATCH = 500;
/** A line that takes this long counts as a hang. */
const HANG_SECONDS = 60;
const SHOWN_MAX = 20;

if (isMainThread) await main();
else await work();

async function main() {
  const { values } = parseArgs({ options: { lines: { type: "string" }, seed: { type: "string" } } });
  const total = Number(values.lines ?? 100_000);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const scratch = scratchDirectory("fuzz");
  const bundle = await bundled(scratch);
  const written = writtenLines();
  console.log(`${total} lines, seed ${seed}, mutating ${written.length} written ones`);

  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { bundle, written, total, seed, done } });
  const found = [];
  const { batch } = await import(pathToFileURL(bundle).href);
  let [seen, since] = [-1, Date.now()];
  const watch = setInterval(() => {
    const at = Atomics.load(done, 0);
    if (at !== seen) [seen, since] = [at, Date.now()];
    if (Date.now() - since < HANG_SECONDS * 1000) return;
    const line = batch(written, seed + Math.floor(at / BATCH), BATCH)[at % BATCH];
    console.log(`HANG at line ${at}: ${JSON.stringify(line)}`);
    process.exit(1);
  }, 1000);
  const counts = await new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("message", (message) => {
      if (message.counts) resolve(message.counts);
      else if (message.progress) console.log(message.progress);
      else found.push(message.problem);
    });
  });
  clearInterval(watch);
  report(counts, found);
  process.exit(found.length > 0 ? 1 : 0);
}

function report({ pass, ask, deny, wrapped, slowest }, found) {
  console.log(`passed ${pass}, asked ${ask}, denied ${deny}; ${wrapped} of them wrapped`);
  console.log(`slowest: ${slowest.ms.toFixed(1)} ms: ${JSON.stringify(slowest.line).slice(0, 200)}`);
  for (const problem of found.slice(0, SHOWN_MAX)) console.log(`\n${problem}`);
  if (found.length > SHOWN_MAX) console.log(`\n… and ${found.length - SHOWN_MAX} more`);
  console.log(found.length === 0 ? "\nnothing found" : `\n${found.length} counterexamples`);
}

async function work() {
  const { bundle, written, total, seed, done } = workerData;
  const { batch, judgeLine, milderBy } = await import(pathToFileURL(bundle).href);
  const counts = { pass: 0, ask: 0, deny: 0, wrapped: 0, slowest: { ms: 0, line: "" } };
  for (let from = 0; from < total; from += BATCH) {
    const lines = batch(written, seed + from / BATCH, Math.min(BATCH, total - from));
    for (const [at, line] of lines.entries()) {
      Atomics.store(done, 0, from + at);
      examine(line);
    }
    const upTo = from + lines.length;
    if (upTo % 10_000 === 0) parentPort.postMessage({ progress: `${upTo} lines` });
  }
  parentPort.postMessage({ counts });

  function examine(line) {
    try {
      const started = performance.now();
      const judged = judgeLine(line);
      const ms = performance.now() - started;
      if (ms > counts.slowest.ms) counts.slowest = { ms, line };
      counts[judged.verdict] += 1;
      if (judged.verdict !== "pass") counts.wrapped += 1;
      for (const problem of milderBy(line, judged))
        parentPort.postMessage({ problem: `MILDER ${JSON.stringify(problem)}` });
    } catch (error) {
      parentPort.postMessage({ problem: `THROWN ${JSON.stringify(line)}\n${error.stack}` });
    }
  }
}

/** Bundles the policies from the sources into one file that a worker can load. */
async function bundled(scratch) {
  const { build } = await import("esbuild");
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const outfile = join(scratch, "fuzz.mjs");
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `export * from "./test/fuzz/judge.ts"; export { batch } from "./test/fuzz/lines.ts";`,
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "warning",
  });
  return outfile;
}

function writtenLines() {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const beside = join(root, "..", "shared", "corpus");
  const corpora = [join(root, "test", "corpus"), ...(existsSync(beside) ? [beside] : [])];
  return corpora.flatMap((corpus) =>
    readdirSync(corpus)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(corpus, name), "utf8").trimEnd().split("\n"))
      .flatMap((row) => JSON.parse(row).command ?? [])
      .filter((command) => command.length < 2_000),
  );
}
