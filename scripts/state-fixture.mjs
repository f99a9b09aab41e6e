/**
 * Makes a state directory that holds everything the program can write, and saves it together with the program's output.
 *
 *   node scripts/state-fixture.mjs <program> <out-dir>
 *
 * <program> is a built sekisho.cjs. The script only uses its hooks and commands. It prints how often each kind of record
 * and change was written, and exits 1 if one is missing. Run it in your own terminal: some commands refuse to run in the
 * shell of an agent.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { coverageOf, IMPOSSIBLE, KINDS } from "./state-fixture/coverage.mjs";
import * as place from "./state-fixture/place.mjs";
import { askAll, queriesSince } from "./state-fixture/queries.mjs";
import { beginning, playEverything } from "./state-fixture/scenario.mjs";

/** How this script starts itself to play the client. */
const PLAY = "--play";
/** The output is recorded this long after the last event. */
const READ_AFTER_MS = 140_000;

/** Files outside the segments that must exist. A name may be cut: `snap.` stands for every snapshot. */
const FILES = [
  ...["sessions/s-main", "sessions/s-long.context", "registrations/", "gatehouse/door.json", "versions/"],
  ...["<project>/snap.", "<project>/settings.json", "<project>/handover/", "<project>/undo/", "<project>/trees/"],
  ...["<pruned>/snap.", "<pruned>/journal.00000002.jsonl"],
];

const [program, out] = process.argv.slice(2);
if (program === PLAY) {
  const begin = beginning(Date.now());
  process.stdout.write(JSON.stringify({ begin, end: playEverything(begin) }));
} else if (program === undefined || out === undefined) {
  console.error("Usage: node scripts/state-fixture.mjs <program> <out-dir>");
  process.exitCode = 1;
} else {
  await place.claimPlace();
  try {
    process.exitCode = make();
  } finally {
    place.releasePlace();
  }
}

function make() {
  place.installProgram(program);
  const { begin, end } = play();
  if (!isCovered()) return 1;
  const archive = join(out, "state.tar.gz");
  place.packPlace(archive);
  // The commands run on the unpacked archive, as they do in the test.
  place.emptyPlace();
  place.unpackPlace(program, archive);
  const now = end + READ_AFTER_MS;
  const answers = askAll(queriesSince(begin), now);
  const failed = Object.entries(answers).filter(([, { error }]) => error !== undefined);
  for (const [name, { error }] of failed) console.error(`${name}: ${error}`);
  if (failed.length > 0) return 1;
  const outputs = join(out, "outputs.json.gz");
  writeFileSync(outputs, gzipSync(JSON.stringify({ begin, now, answers }), { level: 9 }));
  for (const file of [archive, outputs]) console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} KB`);
  return 0;
}

/** In a separate process, because `status` and `mode list` depend on whether the client of a session is running. */
function play() {
  const { status, stdout } = spawnSync(process.execPath, [import.meta.filename, PLAY], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error("The scenario failed.");
  return JSON.parse(stdout.toString());
}

function isCovered() {
  const records = [place.PROJECT, place.PRUNED].flatMap(place.recordsOf);
  const { covered, missing, unlisted, wronglyImpossible } = coverageOf(records);
  for (const [what, values] of Object.entries(KINDS)) {
    const found = values.filter((value) => covered.has(`${what}: ${value}`));
    console.log(`${what}: ${found.length} of ${values.length}`);
    console.log(`  ${values.map((value) => `${value} ${covered.get(`${what}: ${value}`) ?? 0}`).join(", ")}`);
  }
  for (const [what, why] of Object.entries(IMPOSSIBLE)) console.log(`not covered: ${what} (${why})`);
  const faults = [
    ...missing.map((one) => `missing: ${one}`),
    ...unlisted.map((one) => `not in the lists: ${one}`),
    ...wronglyImpossible.map((one) => `listed as impossible, but found: ${one}`),
    ...FILES.filter((file) => !isThere(file)).map((one) => `missing file: ${one}`),
  ];
  for (const fault of faults) console.error(fault);
  console.log(
    `${records.length} records, ${faults.length === 0 ? "everything is covered" : `${faults.length} faults`}.`,
  );
  return faults.length === 0;
}

function isThere(file) {
  const [directory = "", begins = ""] = file.split("/");
  const journals = { "<project>": place.journalOf(place.PROJECT), "<pruned>": place.journalOf(place.PRUNED) };
  const path = journals[directory] ?? join(place.STATE, "sekisho", directory);
  return existsSync(path) && readdirSync(path).some((name) => name.startsWith(begins));
}
