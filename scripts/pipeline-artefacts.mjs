/**
 * Validates real workflow files of other projects, which are not part of this one: `node scripts/pipeline-artefacts.mjs`
 * (../shared/artefacts, or a directory as the first argument). None may crash the validator, and those of
 * oh-my-claude-code must have no problem. Without the files there is nothing to do, and the script says so.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const place = process.argv[2] ?? join(root, "..", "shared", "artefacts");
const KINDS = ["omcc-pipelines", "archon-workflows", "ralph-presets", "shogun-chains", "speckit-workflow"];
const CLEAN = "omcc-pipelines";

if (!existsSync(place)) console.log(`There is nothing at ${place}: skipped.`);
else for (const kind of KINDS.filter((one) => existsSync(join(place, one)))) judge(kind);

function judge(kind) {
  const files = readdirSync(join(place, kind)).filter((name) => /[.]ya?ml$/.test(name));
  const results = files.map((name) => ({ name, ...validated(join(place, kind, name)) }));
  const bad = results.filter(
    ({ status, lines }) => (status !== 0 && status !== 2) || !lines || (kind === CLEAN && status !== 0),
  );
  for (const { name, status, stderr } of bad) console.error(`${kind}/${name}: exit ${status} ${stderr.slice(0, 200)}`);
  console.log(`${kind}: ${files.length} files, ${bad.length} not as they should be`);
  if (bad.length > 0) process.exitCode = 1;
}

/** `lines`: every problem has a file and a line. */
function validated(path) {
  const words = [join(root, "dist", "sekisho.cjs"), "pipeline", "validate", path, "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  try {
    const { files } = JSON.parse(stdout);
    return { status, stderr, lines: files.every(({ problems }) => problems.every(({ at }) => /:\d+$/.test(at))) };
  } catch (error) {
    return { status: null, stderr: String(error) + stderr, lines: false };
  }
}
