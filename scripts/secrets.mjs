/**
 * Plants made-up secrets through every way into the built program and searches its state directory for them.
 *
 * node scripts/secrets.mjs [--seed 1] [--all]
 *
 * Prints by kind how many were planted and how many can be read. Exits 1 if any can.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { scratchDirectory } from "./scratch.mjs";
import { openGround, plantAll, readable } from "./secrets/plant.mjs";

const { values } = parseArgs({ options: { seed: { type: "string", default: "1" }, all: { type: "boolean" } } });
const program = join(import.meta.dirname, "../dist/sekisho.cjs");
const ground = openGround(scratchDirectory("secrets"), program);
const planted = plantAll(ground, { seed: Number(values.seed) });
const found = readable(ground, planted);

const kinds = [...new Set(planted.map(({ kind }) => kind))];
const ways = [...new Set(planted.map(({ way }) => way))];
const width = Math.max(...kinds.map((kind) => kind.length));
for (const kind of kinds) {
  const of = planted.filter((one) => one.kind === kind).length;
  const read = found.filter((one) => one.kind === kind);
  const where = read.map(({ way, file }) => `${way}: ${file.slice(ground.state.length + 1)}`).join("; ");
  if (values.all || read.length > 0) console.log(`${kind.padEnd(width)}  ${read.length} of ${of}  ${where}`);
}
console.log(
  `${planted.length} secrets of ${kinds.length} kinds by ${ways.length} ways: ${found.length} can be read in the state directory.`,
);
process.exit(found.length === 0 ? 0 : 1);
