/**
 * Reads real plans of many tools, which exist beside the project (../shared/artefacts), and each again after what editors,
 * other systems and accidents do to files: the same boxes must be found, and what is broken must be called so. Counts come
 * from FACTS.tsv, made by another reader. Without the plans nothing is done. Usage: node scripts/plans.mjs
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { bundled } from "./bench/bench.mjs";
import { root } from "./corpus/rows.mjs";
import { scratchDirectory } from "./scratch.mjs";

const plans = join(root, "..", "shared", "artefacts");
const KINDS =
  "t4cc-v16-md t4cc-old-md speckit-tasks kiro-tasks kiro-ccsdd openspec-tasks superpowers-plans plain-plans ralph-plans gsd-planning";
/** What a file goes through without losing a box. */
const HARMLESS = {
  "line ends of Windows": (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"),
  "a byte order mark": (text) => `\ufeff${text}`,
  "tabs for indentation": (text) => text.replace(/^( {2})+/gm, (blanks) => "\t".repeat(blanks.length / 2)),
  "blanks at the ends of lines": (text) => text.replaceAll("\n", "  \n"),
  "other bullets": (text) => text.replace(/^(\s*)- \[/gm, "$1* ["),
  "numbers for bullets": (text) => text.replace(/^(\s*)- \[/gm, "$11. ["),
  "decomposed letters": (text) => text.normalize("NFD"),
};
const withConflict = (text) => `<<<<<<< HEAD\n${text}`;
const tooLong = (text) => text + "\n- words\n".repeat(600_000);

async function everyPlan() {
  const reader = await bundled(scratchDirectory("plans"), "plans", [
    'export { claimsIn } from "./src/playbook/claims.ts";',
    'export { subtasksOf } from "./src/playbook/playbook.ts";',
    'export { readPlaybook } from "./src/playbook/read.ts";',
    'export { readV16 } from "./src/playbook/v16.ts";',
    'export { readV2 } from "./src/playbook/v2.ts";',
  ]);
  const rows = factsIn(join(plans, "FACTS.tsv"));
  const markdown = rows.filter(({ kind, file }) => KINDS.split(" ").includes(kind) && file.endsWith(".md"));
  const json = rows.filter(({ kind, file }) => kind === "t4cc-v2-json" && file.endsWith("plan.json"));
  const wrong = [...markdown.flatMap((row) => inMarkdown(row, reader)), ...json.flatMap((row) => inJson(row, reader))];
  const { faults } = reader.readPlaybook(tooLong(textOf(markdown[0])));
  if (!faults.some(({ kind }) => kind === "too-long")) wrong.push("a file of 5 MB is taken for a plan");
  for (const line of wrong) console.log(line);
  console.log(`${markdown.length + json.length} plans, ${wrong.length} read wrong`);
  printClaims(rows, reader);
  return wrong.length === 0;
}

function factsIn(path) {
  const [head, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  const names = head.split("\t");
  return rows.map((row) => Object.fromEntries(row.split("\t").map((value, at) => [names[at], value])));
}

const textOf = ({ kind, file }) => readFileSync(join(plans, kind, file), "utf8");
const readAs = ({ readPlaybook, readV16 }, kind, text) =>
  kind === "t4cc-v16-md" ? readV16(text, parse) : readPlaybook(text);

function inMarkdown(row, reader) {
  const text = textOf(row);
  const boxes = (read) => reader.subtasksOf(read).map(({ mark }) => mark);
  const found = boxes(readAs(reader, row.kind, text));
  const said = (words) => `${row.kind}/${row.file}: ${words}`;
  const harmed = Object.entries(HARMLESS).flatMap(([name, change]) => {
    const again = boxes(readAs(reader, row.kind, change(text)));
    return again.join() === found.join() ? [] : [said(`${found.length} boxes, with ${name} ${again.length}`)];
  });
  const { faults } = readAs(reader, row.kind, withConflict(text));
  const silent = faults.some(({ kind }) => kind === "conflict") ? [] : [said("a conflict is not seen")];
  for (let part = 1; part < 10; part++) readAs(reader, row.kind, text.slice(0, (text.length * part) / 10));
  const wanted = Number(row.boxes);
  // The other reader ends a fence of four marks at three, and takes words of two letters in brackets for a mark.
  if (found.length !== wanted) console.log(said(`${found.length} boxes, ${wanted} by the other reader`));
  return [...harmed, ...silent];
}

function inJson(row, { readV2 }) {
  return readV2(JSON.parse(textOf(row)))?.steps.length ? [] : [`${row.kind}/${row.file}: no steps`];
}

/** What the plans claim and nothing in them supports: none of it may be accepted. */
function printClaims(rows, reader) {
  const counts = new Map();
  for (const row of rows) {
    const isPlan = row.kind === "t4cc-v16-md" || (row.kind === "t4cc-v2-json" && row.file.endsWith("plan.json"));
    if (!isPlan) continue;
    const claims = reader.claimsIn(
      row.kind === "t4cc-v16-md" ? readAs(reader, row.kind, textOf(row)) : v2(row, reader),
    );
    for (const { kind, count } of claims) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  console.log([...counts].map(([kind, count]) => `${kind} ${count}`).join(", "));
}

function v2(row, { readV2 }) {
  const progress = join(plans, row.kind, row.file.replace(/plan\.json$/, "progress.json"));
  return readV2(JSON.parse(textOf(row)), existsSync(progress) ? JSON.parse(readFileSync(progress, "utf8")) : undefined);
}

if (!existsSync(plans)) console.log("no plans beside the project (../shared/artefacts)");
else process.exitCode = (await everyPlan()) ? 0 : 1;
