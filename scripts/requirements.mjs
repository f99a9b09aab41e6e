#!/usr/bin/env node
/**
 * Lists the requirements of the specification that no test title claims. The specification lies outside this repository
 * (../shared/spec/SPEC.md, or a path as the first argument); without it there is nothing to compare, and the script says so.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SPEC = process.argv[2] ?? join(ROOT, "..", "shared", "spec", "SPEC.md");
const ID = /\b(?:HK|ST|TR|AU|GT|MD|PL|PB|IN|EH|TS|DF)-\d+\b/g;

if (!existsSync(SPEC)) {
  console.log(`Skipped: the specification is not at ${SPEC}.`);
  process.exit(0);
}

/** The ids that begin a row of a table, in their order. */
const spec = readFileSync(SPEC, "utf8");
const required = [...new Set([...spec.matchAll(/^\| ([A-Z]{2}-\d+) \|/gm)].map(([, id]) => id))];

/** Words that begin the title of a test: `it("…`, `describe.each(rows)("…`, and the cases of `describePolicy`. */
const TITLE = /(?:\b(?:it|test|describe|denies|asks|passes)(?:\.\w+)*|\))\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** Titles also stand in tables, as keys or in rows: a text that begins with an id is one. */
const ROW = /(["'`])([A-Z]{2}-\d+\b(?:\\.|(?!\1)[^\\])*)\1/gs;

/** By id: whether a test claims it that `npm run check` runs; the stories in the real host are run apart. */
const claimed = new Map();
for (const file of testFiles()) {
  const text = readFileSync(file, "utf8");
  const isChecked = !file.startsWith(join(ROOT, "test", "client"));
  for (const [, , title] of [...text.matchAll(TITLE), ...text.matchAll(ROW)])
    for (const id of idsIn(title)) claimed.set(id, isChecked || claimed.get(id) === true);
}

/** A defect of the register is covered by the requirement that its row names. */
for (const [, id, fixes] of spec.matchAll(/^\| (DF-\d+) \|.*\|([^|]*)\|$/gm))
  if (idsIn(fixes).length > 0 && idsIn(fixes).every((fix) => claimed.has(fix))) claimed.set(id, true);

/** Where the program does something else, and why. */
const argued = new Set(idsIn(readFileSync(join(ROOT, "docs", "deviations.md"), "utf8")));

const open = required.filter((id) => !claimed.has(id));
for (const [area, ids] of byArea(open)) {
  console.log(`${area}: ${ids.map((id) => (argued.has(id) ? `(${id})` : id)).join(" ")}`);
}
const left = open.filter((id) => !argued.has(id));
console.log(
  `${required.length} requirements, ${required.length - open.length} claimed by a test title, ${open.length} not. Of those ${open.length - left.length} are in docs/deviations.md (in brackets), ${left.length} nowhere.`,
);
const apart = required.filter((id) => claimed.get(id) === false);
if (apart.length > 0) console.log(`Claimed only by a story in the client: ${apart.join(" ")}`);
const stray = [...claimed.keys()].filter((id) => !required.includes(id)).sort();
if (stray.length > 0) {
  console.log(`Claimed by a test title, but not in the specification: ${stray.join(" ")}`);
  process.exitCode = 1;
}

function testFiles() {
  return ["src", "test"].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(ROOT, directory, name)),
  );
}

function idsIn(text) {
  return [...text.matchAll(ID)].map(([id]) => id);
}

function byArea(ids) {
  const areas = new Map();
  for (const id of ids) areas.set(id.slice(0, 2), [...(areas.get(id.slice(0, 2)) ?? []), id]);
  return areas;
}
