/**
 * Scores `judge` against published cases of other guards, if they exist beside the project (../shared/corpus). The
 * cases are not part of the project; without them this does nothing. Usage: npm run corpus [-- --misses [file…]]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { quantile } from "./bench/bench.mjs";
import { scratchDirectory } from "./scratch.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const corpus = join(root, "..", "shared", "corpus");
const words = process.argv.slice(2);
const showsMisses = words.includes("--misses");
const wanted = words.filter((word) => !word.startsWith("--"));

if (!existsSync(corpus)) {
  console.log("no corpus beside the project (../shared/corpus): nothing to score");
  process.exit(0);
}

const scratch = scratchDirectory("corpus");
const project = join(scratch, "home", "project");
mkdirSync(join(project, ".git"), { recursive: true });

function judge(commands) {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist", "sekisho.cjs"), "judge", "--jsonl", "--cwd", project],
    {
      input: commands.map((command) => JSON.stringify({ command })).join("\n"),
      env: { PATH: process.env.PATH, HOME: join(scratch, "home"), LANG: "C.UTF-8" },
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const cells = ["file", "n", "denied", "asked", "passed", "deny %", "ask %", "pass %", "warm ms", "worst"];
const print = (row) => console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(8))).join(""));
print(cells);
for (const file of readdirSync(corpus)
  .filter((name) => name.endsWith(".jsonl"))
  .sort()) {
  const name = basename(file, ".jsonl");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const rows = readFileSync(join(corpus, file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))
    .filter(({ command }) => typeof command === "string");
  if (rows.length === 0) continue;
  const commands = rows.map(({ command }) => command);
  // Every command is judged twice; the reported times are those of the second, warm run.
  const all = judge([...commands, ...commands]);
  const verdicts = all.slice(0, rows.length);
  const times = all.slice(rows.length).map(({ ms }) => ms);
  const count = (verdict) => verdicts.filter((line) => line.verdict === verdict).length;
  const [denied, asked, passed] = [count("deny"), count("ask"), count("pass")];
  const share = (part) => `${((100 * part) / rows.length).toFixed(1)}`;
  print([
    name,
    `${rows.length}`,
    `${denied}`,
    `${asked}`,
    `${passed}`,
    share(denied),
    share(asked),
    share(passed),
    quantile(times, 0.5).toFixed(2),
    Math.max(...times).toFixed(1),
  ]);
  if (!showsMisses) continue;
  rows.forEach(({ command, expected }, at) => {
    const verdict = verdicts[at]?.verdict;
    const said = verdict === "pass" ? "allow" : verdict;
    if (said !== expected) console.log(`  ${said} (expected ${expected}): ${JSON.stringify(command).slice(0, 160)}`);
  });
}
