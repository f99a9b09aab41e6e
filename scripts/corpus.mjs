/** Judges the shared corpus of commands and prints what was denied, asked and passed. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const corpus = join(root, "..", "shared", "corpus");
const binary = join(root, "dist", "sekisho.cjs");
const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith("--")));
const only = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const HOME = "/home/dev";
const PROJECT = "/home/dev/project";

if (!existsSync(corpus)) {
  console.log(`no corpus at ${corpus}: nothing to judge`);
  process.exit(0);
}

const judge = flags.has("--direct") ? await direct() : viaBinary;
console.log("file                          n  denied   asked  passed   deny%    ask%   pass%  median ms   worst ms");
for (const file of readdirSync(corpus).filter((name) => name.endsWith(".jsonl") && !name.startsWith("keyword"))) {
  const name = file.replace(/\.jsonl$/, "");
  if (only.length > 0 && !only.includes(name)) continue;
  report(name, rowsOf(join(corpus, file)));
}

function rowsOf(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter(({ command }) => typeof command === "string");
}

function report(name, rows) {
  const verdicts = judge(rows.map(({ command }) => command));
  const count = (decision) => verdicts.filter((verdict) => verdict.decision === decision).length;
  const share = (number) => `${((100 * number) / rows.length).toFixed(1)} %`.padStart(8);
  const [denied, asked, passed] = [count("deny"), count("ask"), count("pass")];
  const times = verdicts.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
  const time = (value) => (value === undefined ? "–" : value.toFixed(3)).padStart(11);
  const cells = [rows.length, denied, asked, passed].map((number) => String(number).padStart(8)).join("");
  const timing = time(times[Math.floor(times.length / 2)]) + time(times[times.length - 1]);
  console.log(`${name.padEnd(23)}${cells}${share(denied)}${share(asked)}${share(passed)}${timing}`);
  if (flags.has("--misses")) listMisses(rows, verdicts);
}

function listMisses(rows, verdicts) {
  for (const [index, { command, expected }] of rows.entries()) {
    const verdict = verdicts[index];
    const wanted = expected === "allow" ? "pass" : expected;
    if (verdict.decision === wanted) continue;
    console.log(
      `  ${verdict.decision.padEnd(4)} (wanted ${wanted})  ${JSON.stringify(command).slice(0, 150)}  ${verdict.what ?? ""}`,
    );
  }
}

function viaBinary(commands) {
  if (!existsSync(binary)) {
    console.log("dist/sekisho.cjs is not built: run `npm run build`, or use --direct");
    process.exit(1);
  }
  const input = commands.map((command) => JSON.stringify({ command, cwd: PROJECT })).join("\n");
  const { stdout } = spawnSync(process.execPath, [binary, "judge", "--jsonl"], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Without the binary: the policy alone, on what the operation says. */
async function direct() {
  const { build } = await import("esbuild");
  const directory = mkdtempSync(join(tmpdir(), "sekisho-corpus-"));
  const outfile = join(directory, "direct.mjs");
  const contents = `export { operationOf } from "./src/kernel/operation.ts";
export { noDestructiveCommand } from "./src/policies/access/no-destructive-command.ts";`;
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
  });
  const { operationOf, noDestructiveCommand } = await import(pathToFileURL(outfile).href);
  rmSync(directory, { recursive: true });
  const facts = { places: { home: HOME, project: PROJECT } };
  return (commands) =>
    commands.map((command) => {
      const started = performance.now();
      const tool = { kind: "bash", name: "Bash", command, background: false };
      const event = { name: "PreToolUse", cwd: PROJECT, tool };
      const operation = operationOf(tool, { cwd: PROJECT, home: HOME });
      const { decision, what } = noDestructiveCommand.check({ event, operation, facts });
      return { decision, what: what?.en, ms: performance.now() - started };
    });
}
