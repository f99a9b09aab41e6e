/**
 * Measures the plain lane as ratios within one interleaved run: the events of a small session against a Node process
 * that does nothing, and a journal of 100,000 records against an empty one. Ratios are used because absolute times vary
 * with the machine. Usage: node scripts/bench/plain.mjs [rounds]
 */
import { join } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile, sources } from "./bench.mjs";
import { BASH, EVENTS } from "./events.mjs";
import { emptyNode, openStage } from "./stage.mjs";

const rounds = Number(process.argv[2] ?? 60);
const RECORDS = 100_000;
const scratch = scratchDirectory("bench");

const { layout, openJournal, placesOf, slots } = await sources(scratch);

function fill({ env, project }) {
  const store = openJournal({ directory: placesOf(layout, env, project, []).journal });
  for (let n = 0; n < RECORDS; n++) {
    const call = `toolu_${n >> 1}`;
    const change =
      n % 2
        ? { record: "call", do: "close", id: call, outcome: "success" }
        : { record: "call", do: "open", id: call, tool: "Bash" };
    const kept = store.append(
      {
        kind: "verdict",
        event: n % 2 ? "PostToolUse" : "PreToolUse",
        session: `s-${Math.floor(n / 2000)}`,
        decision: "pass",
        tool: "Bash",
        call,
        input: BASH,
        changes: [change],
        ms: 2.5,
      },
      1_700_000_000_000 + n * 1000,
    );
    if ("fault" in kept) throw new Error(kept.fault);
  }
}

const empty = openStage(join(scratch, "empty"), slots);
const full = openStage(join(scratch, "full"), slots);
console.log(`filling a journal with ${RECORDS} records …`);
fill(full);
for (const { send } of [empty, full]) send({ event: "SessionStart", fields: { source: "startup" } });

/** Each event is paired with adjacent runs, so background load affects both sides. */
const pairs = { "empty / node": [], "full / empty": [] };
const times = { "node -e 0": [], empty: [], full: [] };
const byEvent = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, []]));
console.log(`${rounds} rounds of ${Object.keys(EVENTS).length} events …`);
for (let round = -2; round < rounds; round++) {
  for (const [name, make] of Object.entries(EVENTS)) {
    const event = make(round + 2);
    const [base, onEmpty, onFull] = [emptyNode(empty.env), empty.send(event), full.send(event)];
    if (round < 0) continue;
    times["node -e 0"].push(base);
    times.empty.push(onEmpty);
    times.full.push(onFull);
    byEvent[name].push(onEmpty / base);
    pairs["empty / node"].push(onEmpty / base);
    pairs["full / empty"].push(onFull / onEmpty);
  }
}

const base = quantile(times["node -e 0"], 0.5);
const row = (name, values) =>
  console.log(
    `  ${name.padEnd(32)} median ${quantile(values, 0.5).toFixed(1).padStart(6)} ms   p95 ${quantile(values, 0.95).toFixed(1).padStart(6)} ms   × ${(quantile(values, 0.5) / base).toFixed(2)}`,
  );
row("node -e 0", times["node -e 0"]);
row("plain lane, empty journal", times.empty);
row(`plain lane, ${RECORDS} records`, times.full);
console.log("by event, median of the pairs with the node -e 0 before it:");
for (const [name, ratios] of Object.entries(byEvent))
  console.log(`  ${name.padEnd(32)} × ${quantile(ratios, 0.5).toFixed(2)}`);

// The median over a session hides the slower gate for shell commands, so the slowest event is printed separately.
const [dearest, ratios] = Object.entries(byEvent).sort(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))[0];
console.log(`note the dearest event is ${dearest}, × ${quantile(ratios, 0.5).toFixed(2)}: see docs/deviations.md`);
const checks = [
  ["the events of a small session ≤ 1.35 × node -e 0", quantile(pairs["empty / node"], 0.5), 1.35],
  ["100,000 records ≤ 1.2 × an empty journal", quantile(pairs["full / empty"], 0.5), 1.2],
];
judge(checks);
