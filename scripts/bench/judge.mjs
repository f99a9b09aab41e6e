/**
 * What a warm judgement costs: the median, the 99th percentile and the worst of many lines, as ratios to a fixed piece of
 * work on the same machine, and in milliseconds for the reader. Real commands are taken if they exist beside the project,
 * otherwise the frozen corpus. Usage: node scripts/bench/judge.mjs
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { rowsOf } from "../corpus/rows.mjs";
import { scratchDirectory } from "../scratch.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const ROUNDS = 3;
const LINES_MAX = 4000;

const outfile = join(scratchDirectory("bench-judge"), "judge.mjs");
await build({
  absWorkingDir: root,
  stdin: { contents: `export * from "./test/fuzz/judge.ts";`, resolveDir: root },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  logLevel: "warning",
});
const { judgeLine } = await import(pathToFileURL(outfile).href);

const lines = commands().slice(0, LINES_MAX);
const padded = [
  ["2 MB of padding", `echo ${"a".repeat(2_000_000)}; some-runner 'rm -rf ~'`],
  ["600 nested substitutions", `${"$(".repeat(600)}echo a${")".repeat(600)}`],
  ["5,000 segments", `echo a${";echo a".repeat(5_000)}`],
  ["a text of 60 kB with 5,000 commands", `some-runner '${"rm -rf a;".repeat(5_000)}'`],
];

for (const line of lines) judgeLine(line);
const times = lines.map((line) => best(() => judgeLine(line))).sort((a, b) => a - b);
const unit = best(fixedWork);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
for (const [name, ms] of [
  ["median", at(0.5)],
  ["p99", at(0.99)],
  ["worst", at(1)],
  ...padded.map(([name, line]) => [name, best(() => judgeLine(line))]),
])
  console.log(
    `${name.padEnd(40)} ${ms.toFixed(2).padStart(8)} ms ${(ms / unit).toFixed(2).padStart(8)} × the fixed work`,
  );

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

function fixedWork() {
  let sum = 0;
  for (let n = 0; n < 200_000; n += 1) sum += `${n}`.length;
  return sum;
}

function commands() {
  const real = rowsOf("real/commands.jsonl");
  if (real) return real.map(({ command }) => command).filter((command) => typeof command === "string");
  const corpus = join(root, "test", "corpus");
  return readdirSync(corpus)
    .flatMap((name) => readFileSync(join(corpus, name), "utf8").trim().split("\n"))
    .flatMap((line) => JSON.parse(line).command ?? []);
}
