/**
 * Measures what records cost an event that doesn't need them (ADR 0028): a PreToolUse on a journal with 100,000 records
 * of a kind that the state doesn't fold, against the same event on an empty journal. Also, without a limit, while ten
 * more such records arrive before every event. Usage: node scripts/bench/parts.mjs [rounds]
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";
import { openStage } from "./stage.mjs";

const rounds = Number(process.argv[2] ?? 60);
const RECORDS = 100_000;
const RECORDS_PER_EVENT = 10;

const scratch = scratchDirectory("bench");
const { layout, openJournal, placesOf, slots } = await sources(scratch);
// It removes the directory at the end.
const gatehouse = openGatehouse(scratch);

const GATES = Object.entries(EVENTS).filter(([name]) => name.startsWith("PreToolUse"));

/** Appends records that only an inbox would fold. Without snapshots, so that every event finds them unread. */
function inboxOf(env, project) {
  const { journal: directory } = placesOf(layout, env, project, []);
  const stores = { filled: openJournal({ directory }), fresh: openJournal({ directory, limits: NO_SNAPSHOTS }) };
  let count = 0;
  const append = (store) => {
    const body = { kind: "letter", from: `agent-${count % 7}`, text: `${count} `.padEnd(200, "lorem ipsum ") };
    const kept = store.append(body, 1_700_000_000_000 + count++ * 1000);
    if ("fault" in kept) throw new Error(kept.fault);
  };
  console.log(`filling a journal with ${RECORDS} records …`);
  while (count < RECORDS) append(stores.filled);
  return () => {
    for (let n = 0; n < RECORDS_PER_EVENT; n++) append(stores.fresh);
  };
}

const NO_SNAPSHOTS = { snapshotAfter: Number.POSITIVE_INFINITY, snapshotAlwaysAfter: Number.POSITIVE_INFINITY };

let calls = 0;

/** Both sides of a pair run next to each other, in turns first, so that background load affects both. */
async function compare(lane, times, { onEmpty, onFull, more = () => undefined }) {
  const ratios = [];
  for (let round = -5; round < times; round++) {
    for (const [name, make] of GATES) {
      const event = make(calls++);
      more();
      const order = round % 2 ? ["empty", "full"] : ["full", "empty"];
      const took = {};
      for (const side of order) took[side] = await { empty: onEmpty, full: onFull }[side](event);
      if (round >= 0) ratios.push({ name, ...took, ratio: took.full / took.empty });
    }
  }
  for (const [name] of GATES)
    row(
      `${lane}, ${name}`,
      ratios.filter((pair) => pair.name === name),
    );
  row(lane, ratios);
  return quantile(
    ratios.map(({ ratio }) => ratio),
    0.5,
  );
}

function row(name, pairs) {
  const median = (of) =>
    quantile(
      pairs.map((pair) => pair[of]),
      0.5,
    )
      .toFixed(2)
      .padStart(7);
  console.log(
    `  ${name.padEnd(28)} empty ${median("empty")} ms   with records ${median("full")} ms   × ${median("ratio")}`,
  );
}

async function bothWays(lane, times, { more, ...sides }) {
  const ratio = await compare(lane, times, sides);
  await compare(`${lane}, growing`, times, { more, ...sides });
  return ratio;
}

async function plainLane() {
  const [empty, full] = ["empty", "full"].map((name) => {
    mkdirSync(join(scratch, name));
    return openStage(join(scratch, name), slots);
  });
  const more = inboxOf(full.env, full.project);
  for (const { send } of [empty, full]) send({ event: "SessionStart", fields: { source: "startup" } });
  return bothWays("plain lane", rounds, { onEmpty: empty.send, onFull: full.send, more });
}

async function fastLane() {
  const projects = ["fast-empty", "fast-full"].map((name) => join(scratch, name));
  for (const project of projects) mkdirSync(join(project, ".git"), { recursive: true });
  const more = inboxOf(gatehouse.env, projects[1]);
  const [empty, full] = projects.map((project, n) => openSession(gatehouse, `bench-${n}`, project));
  return bothWays("fast lane", rounds * 5, { onEmpty: empty, onFull: full, more });
}

const [plain, fast] = [await plainLane(), await fastLane()];
judge([
  [`plain lane: PreToolUse with ${RECORDS} records it doesn't need ≤ 1.1 × an empty journal`, plain, 1.1],
  [`fast lane: the same ≤ 1.1 × an empty journal`, fast, 1.1],
]);
process.exit();
