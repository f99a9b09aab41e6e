/**
 * Measures what an approved plan of 200 steps and 2,000 boxes adds to a PreToolUse, on both lanes, as ratios of adjacent
 * events in one run. Usage: node scripts/bench/plan.mjs [rounds]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { scratchDirectory } from "../scratch.mjs";
import { bundled, judge, quantile, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";
import { openStage } from "./stage.mjs";

const rounds = Number(process.argv[2] ?? 60);
const PATH = ".sekisho/playbooks/large.md";
/** A file that changed a moment ago is read again. */
const SETTLED_MS = 1100;
const LIMIT = 1.1;

const scratch = scratchDirectory("bench");
const { layout, openJournal, placesOf, slots } = await sources(scratch);
const { digestOf, partsOf, readPlaybook, traitsOf } = await bundled(scratch, "playbooks", [
  'export { digestOf, partsOf } from "./src/playbook/identity.ts";',
  'export { traitsOf } from "./src/playbook/traits.ts";',
  'export { readPlaybook } from "./src/playbook/read.ts";',
]);

const box = (step, at) =>
  `- [ ] ${step}.${at} Page ${step} shows ${at} values\n  Run: \`npm test -- ${step}.${at}\`\n  Expected: exit 0\n`;
const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
const step = (id) =>
  `\n## ${id} Step\n\n${numbers(10)
    .map((at) => box(id, at))
    .join("")}`;
const text = `# Large\n\nWhat: a plan\nWhy: to measure it\nDone when:\n- it is measured\n${numbers(200).map(step).join("")}`;

/** A setting that is held for the session costs something itself, so both projects have one. */
function withSettings({ project }, settings) {
  mkdirSync(join(project, ".sekisho", "playbooks"), { recursive: true });
  writeFileSync(join(project, ".sekisho", "config.yaml"), settings);
}

/** A project with the plan approved, as a record says it. */
function withPlan({ env, project }, session) {
  withSettings({ project }, "plan:\n  required: code\n");
  writeFileSync(join(project, PATH), text);
  const playbook = readPlaybook(text);
  const bound = { digest: digestOf(playbook), parts: partsOf(playbook), ...traitsOf(playbook, text.length) };
  const approval = { path: PATH, by: "prompt", ...bound };
  const changes = [{ record: "playbook", do: "approve", root: project, ...approval }];
  const store = openJournal({ directory: placesOf(layout, env, project, []).journal });
  const kept = store.append(
    { kind: "verdict", event: "UserPromptSubmit", session, decision: "pass", changes, ms: 1 },
    Date.now(),
  );
  if ("fault" in kept) throw new Error(kept.fault);
}

async function compared(bare, planned) {
  const [ratios, times] = [[], { bare: [], planned: [] }];
  for (let round = -5; round < rounds; round++) {
    const event = EVENTS["PreToolUse Edit"](round + 5);
    const isFirst = round % 2 === 0;
    const [one, other] = isFirst ? [bare, planned] : [planned, bare];
    const [a, b] = [await one(event), await other(event)];
    if (round < 0) continue;
    const [without, with_] = isFirst ? [a, b] : [b, a];
    times.bare.push(without);
    times.planned.push(with_);
    ratios.push(with_ / without);
  }
  for (const [name, values] of Object.entries(times))
    console.log(`  ${name}: median ${quantile(values, 0.5).toFixed(2)} ms`);
  return quantile(ratios, 0.5);
}

console.log(`a plan of ${text.length} characters, ${rounds} pairs on each lane`);
const [bare, planned] = ["bare", "planned"].map((name) => openStage(join(scratch, name), slots));
withSettings(bare, "publish:\n  share: ask\n");
withPlan(planned, "bench");
await pause(SETTLED_MS);
for (const { send } of [bare, planned]) send({ event: "SessionStart", fields: { source: "startup" } });
const plain = await compared(bare.send, planned.send);

const gatehouse = openGatehouse(scratch);
const places = ["fast-bare", "fast-planned"].map((name) => join(scratch, name));
for (const project of places) mkdirSync(join(project, ".git"), { recursive: true });
withSettings({ project: places[0] }, "publish:\n  share: ask\n");
withPlan({ env: { ...gatehouse.env, CLAUDE_PROJECT_DIR: places[1] }, project: places[1] }, "b2");
await pause(SETTLED_MS);
const [send1, send2] = [openSession(gatehouse, "b1", places[0]), openSession(gatehouse, "b2", places[1])];
const fast = await compared(send1, send2);

judge([
  [`plain lane: a large plan ≤ ${LIMIT} × without`, plain, LIMIT],
  [`fast lane: a large plan ≤ ${LIMIT} × without`, fast, LIMIT],
]);
