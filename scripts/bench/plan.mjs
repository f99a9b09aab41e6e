/**
 * Measures what an approved plan of 200 steps and 2,000 boxes adds to a PreToolUse, on both lanes: a plan whose steps limit
 * nothing, and one whose steps depend on others and have a scope and an executor. As ratios of adjacent events in one run,
 * or, with --count, of instructions, which do not depend on the load of the machine (needs valgrind).
 * Usage: node scripts/bench/plan.mjs [rounds | --count]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { scratchDirectory } from "../scratch.mjs";
import { bundled, judge, quantile, root, sources } from "./bench.mjs";
import { openCounted } from "./count-daemon.mjs";
import { EVENTS } from "./events.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";
import { openCounting, WARMING } from "./instructions.mjs";
import { openStage } from "./stage.mjs";

const isCounted = process.argv[2] === "--count";
const rounds = isCounted ? 0 : Number(process.argv[2] ?? 60);
const PATH = ".sekisho/playbooks/large.md";
/** A file that changed a moment ago is read again. */
const SETTLED_MS = 1100;
const LIMIT = 1.1;

const scratch = scratchDirectory("bench");
const { layout, openJournal, placesOf, slots } = await sources(scratch);
const { digestOf, lengthOf, partsOf, readPlaybook } = await bundled(scratch, "playbooks", [
  'export { digestOf, partsOf } from "./src/playbook/identity.ts";',
  'export { lengthOf } from "./src/playbook/ladder.ts";',
  'export { readPlaybook } from "./src/playbook/read.ts";',
]);

const box = (step, at) =>
  `- [ ] ${step}.${at} Page ${step} shows ${at} values\n  Run: \`npm test -- ${step}.${at}\`\n  Expected: exit 0\n`;
const numbers = (count) => Array.from({ length: count }, (_, at) => at + 1);
const step = (id, fields) =>
  `\n## ${id} Step\n\n${fields}${numbers(10)
    .map((at) => box(id, at))
    .join("")}`;
const HEAD = "# Large\n\nWhat: a plan\nWhy: to measure it\nDone when:\n- it is measured\n";
const limits = (id) => `${id > 1 ? `Depends on: ${id - 1}\n` : ""}Executor: worker\nScope: *.ts, src/**\n\n`;
const PLANS = {
  "a large plan":
    HEAD +
    numbers(200)
      .map((id) => step(id, ""))
      .join(""),
  "a large plan with limits":
    HEAD +
    numbers(200)
      .map((id) => step(id, limits(id)))
      .join(""),
};

/** A setting that is held for the session costs something itself, so both projects have one. */
function withSettings({ project }, settings) {
  mkdirSync(join(project, ".sekisho", "playbooks"), { recursive: true });
  writeFileSync(join(project, ".sekisho", "config.yaml"), settings);
}

/** A project with the plan approved, as a record says it. */
function withPlan({ env, project }, session, text) {
  withSettings({ project }, "plan:\n  required: code\n");
  writeFileSync(join(project, PATH), text);
  const playbook = readPlaybook(text);
  const bound = { digest: digestOf(playbook), parts: partsOf(playbook), ...lengthOf(text.length) };
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

const BARE = "publish:\n  share: ask\n";
const named = (name) => name.replaceAll(" ", "-");
const [eventOf, start] = [EVENTS["PreToolUse Edit"], { event: "SessionStart", fields: { source: "startup" } }];

/** One stage without a plan, and one for each. */
async function openStages() {
  const bare = openStage(join(scratch, "bare"), slots);
  withSettings(bare, BARE);
  const planned = Object.entries(PLANS).map(([name, text]) => {
    const stage = openStage(join(scratch, named(name)), slots);
    withPlan(stage, "bench", text);
    return [name, stage];
  });
  await pause(SETTLED_MS);
  return { bare, planned };
}

/** The same on a daemon: functions that send an event. */
async function openSessions(gatehouse) {
  const open = (id, prepare) => {
    const project = join(scratch, `fast-${id}`);
    mkdirSync(join(project, ".git"), { recursive: true });
    prepare({ env: { ...gatehouse.env, CLAUDE_PROJECT_DIR: project }, project });
    return { id, project };
  };
  const bare = open("bare", (stage) => withSettings(stage, BARE));
  const planned = Object.entries(PLANS).map(([name, text]) => [
    name,
    open(named(name), (stage) => withPlan(stage, named(name), text)),
  ]);
  await pause(SETTLED_MS);
  const sending = ({ id, project }) => openSession(gatehouse, id, project);
  return { bare: sending(bare), planned: planned.map(([name, one]) => [name, sending(one)]) };
}

async function timed() {
  console.log(`${rounds} pairs of events for each plan and lane`);
  const { bare, planned } = await openStages();
  for (const { send } of [bare, ...planned.map(([, stage]) => stage)]) send(start);
  const rows = [];
  for (const [name, stage] of planned) rows.push([`plain lane: ${name}`, await compared(bare.send, stage.send)]);
  const fast = await openSessions(openGatehouse(scratch));
  for (const [name, send] of fast.planned) rows.push([`fast lane: ${name}`, await compared(fast.bare, send)]);
  return rows;
}

const [DAEMON_WARMING, DAEMON_EVENTS] = [40, 25];

async function counts() {
  const { run, count } = openCounting(scratch);
  const { bare, planned } = await openStages();
  const ofStage = (stage) => {
    run(stage, start);
    for (let call = 0; call < WARMING; call++) run(stage, eventOf(call));
    return count(stage, eventOf("counted"));
  };
  const without = ofStage(bare);
  const rows = planned.map(([name, stage]) => [`plain lane: ${name}`, ofStage(stage) / without]);
  const daemon = await openCounted(scratch, join(root, "dist"));
  const fast = await openSessions(daemon);
  const ofSession = async (send) => {
    for (let call = 0; call < DAEMON_WARMING; call++) await send(eventOf(call));
    const each = [];
    for (let call = 0; call < DAEMON_EVENTS; call++) {
      const before = daemon.counts().worker;
      await send(eventOf(`counted-${call}`));
      each.push(daemon.counts().worker - before);
    }
    // Between some events the daemon collects garbage or looks after itself: with few events that decides a mean.
    return quantile(each, 0.5);
  };
  const free = await ofSession(fast.bare);
  for (const [name, send] of fast.planned) rows.push([`fast lane, worker: ${name}`, (await ofSession(send)) / free]);
  return rows;
}

const rows = await (isCounted ? counts() : timed());
judge(rows.map(([what, ratio]) => [`${what} ≤ ${LIMIT} × without`, ratio, LIMIT]));
if (isCounted) process.exit();
