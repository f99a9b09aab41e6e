/**
 * Compares the keyword reader with prompts of another project, if they exist beside this one (../shared/corpus). The
 * prompts are not part of the project; without them this does nothing. Usage: node scripts/keyword-corpus.mjs
 * [--misses] [file]
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reader } from "./corpus/reader.mjs";
import { root } from "./corpus/rows.mjs";

const words = process.argv.slice(2);
const file =
  words.find((word) => !word.startsWith("--")) ?? join(root, "..", "shared", "corpus", "keyword-prompts.jsonl");
/** Maps the other project's keyword names to ours. */
const OURS = { ralph: "persistent", autopilot: "turbo", ultrawork: "turbo", cancel: "cancel" };
/** Keywords that change how the session continues; the others only add instructions. */
const MODES = ["cancel", "persistent", "turbo", "web-qa"];

/** Whole prompts that are strong patterns of the vocabulary we took over (MD-24); the other project has other words. */
const OUR_PATTERNS = /^(?:don't stop|keep going|you must complete)(?: this task| until done)?[.!]?$/i;

if (!existsSync(file)) {
  console.log("no prompts beside the project (../shared/corpus): nothing to score");
  process.exit(0);
}

const { keywordsIn } = await reader();
const rows = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line))
  .map((row) => ({ ...row, said: keywordsIn(row.prompt) }));
const tell = ({ prompt, expected, said }) => {
  if (words.includes("--misses"))
    console.log(`  ${said} (expected ${expected}): ${JSON.stringify(prompt).slice(0, 160)}`);
};

const silent = rows.filter(({ expected }) => expected.length === 0);
const loud = silent.filter(({ said }) => said.length > 0);
const isMode = ({ said }) => said.some((name) => MODES.includes(name));
const ours = loud.filter((row) => isMode(row) && OUR_PATTERNS.test(row.prompt.trim()));
const started = loud.filter((row) => isMode(row) && !ours.includes(row));
console.log(
  `prompts that must do nothing: ${silent.length}; modes started or cancelled: ${started.length}; anything: ${loud.length}; of these patterns of our own vocabulary: ${ours.length}`,
);
loud.forEach(tell);
for (const [theirs, ours] of Object.entries(OURS)) {
  const wanted = rows.filter(({ expected }) => expected.includes(theirs));
  const missed = wanted.filter(({ said }) => !said.includes(ours));
  console.log(`${theirs} met by ${ours}: ${wanted.length - missed.length} of ${wanted.length}`);
  missed.forEach(tell);
}
const others = rows.filter(
  ({ expected, said }) =>
    expected.length > 0 && said.some((name) => MODES.includes(name) && !expected.some((one) => OURS[one] === name)),
);
console.log(`modes in prompts that name something else: ${others.length}`);
others.forEach(tell);
if (started.length > 0) process.exitCode = 1;
