/**
 * Holds the keyword reader against prompts of another project, if they lie beside this one (../shared/corpus). They are
 * data from elsewhere and no part of it: without them there is nothing to do. Usage: node scripts/keyword-corpus.mjs
 * [--misses] [file]
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
const file =
  words.find((word) => !word.startsWith("--")) ?? join(root, "..", "shared", "corpus", "keyword-prompts.jsonl");
/** Their names for what is ours. */
const OURS = { ralph: "persistent", autopilot: "turbo", ultrawork: "turbo", cancel: "cancel" };
/** What changes how the session goes on; the others only bring instructions. */
const MODES = ["cancel", "persistent", "turbo", "web-qa"];

if (!existsSync(file)) {
  console.log("no prompts beside the project (../shared/corpus): nothing to score");
  process.exit(0);
}

/** The sources are TypeScript, so they are bundled first. */
async function reader() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `export { keywordsIn } from "./src/kernel/keywords.ts";`, resolveDir: root },
    bundle: true,
    format: "cjs",
    platform: "node",
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", outputFiles[0].text)(module, module.exports);
  return module.exports.keywordsIn;
}

const keywordsIn = await reader();
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
const started = loud.filter(({ said }) => said.some((name) => MODES.includes(name)));
console.log(
  `prompts that must do nothing: ${silent.length}; modes started or cancelled: ${started.length}; anything: ${loud.length}`,
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
