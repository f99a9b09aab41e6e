/**
 * Breaks the journal on purpose and counts the losses.
 *
 * node scripts/chaos.mjs [--seconds 10] [--writers 16]
 *
 * First a storm: many writers are killed and replaced at random, while one process prunes and others read. Then machine
 * faults such as a full disk. Exits 1 if an acknowledged record is missing or duplicated, or if two readers disagree.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildSync } from "esbuild";
import { storeFaults } from "./chaos/faults.mjs";
import { hookFaults } from "./chaos/hook-faults.mjs";
import { mailFaults } from "./chaos/mail.mjs";
import { storm } from "./chaos/storm.mjs";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "10" }, writers: { type: "string", default: "16" } },
});

const home = mkdtempSync(join(tmpdir(), "sekisho-chaos-"));
const program = join(home, "store.cjs");
buildSync({
  stdin: {
    contents: `export { openJournal } from "./store/journal/archive.ts"; export { fold, newState } from "./state/state.ts";`,
    resolveDir: join(import.meta.dirname, "../src"),
  },
  bundle: true,
  platform: "node",
  format: "cjs",
  outfile: program,
  define: { __REDUCER_HASH__: '"chaos"' },
});

const rows = [
  ...(await storm({ home, program, seconds: Number(values.seconds), writers: Number(values.writers) })),
  ...storeFaults({ home, program }),
  ...hookFaults({ home }),
  ...(await mailFaults({ home })),
];

const width = Math.max(...rows.map(({ what }) => what.length));
for (const { what, found, holds } of rows) {
  console.log(`${holds === undefined ? "    " : holds ? "ok  " : "FAIL"} ${what.padEnd(width)}  ${found}`);
}
const failures = rows.filter(({ holds }) => holds === false).length;
if (failures === 0) rmSync(home, { recursive: true });
console.log(failures === 0 ? "\nNothing was lost." : `\n${failures} violation(s); everything is kept in ${home}.`);
process.exit(failures === 0 ? 0 : 1);
