/**
 * Measures this checkout against another one in one interleaved run, on both lanes: each event is sent to both programs,
 * one right after the other, in alternating order. Ratios are used because absolute times vary with the machine. The
 * first rounds are not counted: a process stores its compiled code seven times, at random, and is slow when it does. Both
 * checkouts must be built. Usage: node scripts/bench/compare.mjs <other checkout> [rounds]
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile, root, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";
import { emptyNode, openStage } from "./stage.mjs";

const [other, rounds = "40"] = process.argv.slice(2);
if (other === undefined) throw new Error("Usage: node scripts/bench/compare.mjs <other checkout> [rounds]");
const CHECKOUTS = { this: root, other: resolve(other) };
/** Afterwards the code of nearly every event is stored for good. */
const WARMING = 25;
/** An event on the fast lane is short, so it is repeated more often. */
const FAST_FACTOR = 8;

const scratch = scratchDirectory("compare");
const { slots } = await sources(scratch);

const plain = mapOf(CHECKOUTS, (checkout, name) => {
  mkdirSync(join(scratch, name));
  return openStage(join(scratch, name), slots, checkout);
});
for (const { send } of Object.values(plain)) send({ event: "SessionStart", fields: { source: "startup" } });
const sendPlain = mapOf(plain, ({ send }) => send);
const figures = { plain: await measure(sendPlain, Number(rounds), () => emptyNode(plain.this.env)) };

const fast = mapOf(CHECKOUTS, (checkout, name) => {
  const gatehouse = openGatehouse(join(scratch, `fast-${name}`), join(checkout, "dist"));
  return openSession(gatehouse, "bench", join(scratch, `fast-${name}`, "project"));
});
await measure(fast, Number(rounds));
figures.fast = await measure(fast, Number(rounds) * FAST_FACTOR);

for (const [lane, rows] of Object.entries(figures)) print(lane, rows);
judge(
  Object.entries(figures).flatMap(([lane, rows]) => [
    [`${lane} lane, all events ≤ 1.1 × the other checkout`, ratio(Object.values(rows).flat()), 1.1],
    [`${lane} lane, a Bash gate ≤ 1.1 × the other checkout`, ratio(rows["PreToolUse Bash"]), 1.1],
  ]),
);
process.exit();

/** By event: the times of both programs and of `base`, taken next to each other. */
async function measure(send, count, base = () => Number.NaN) {
  const rows = mapOf(EVENTS, () => []);
  for (let round = -WARMING; round < count; round++) {
    for (const [name, make] of Object.entries(EVENTS)) {
      const order = round % 2 ? ["this", "other"] : ["other", "this"];
      const row = { base: base() };
      for (const side of order) row[side] = await send[side](make(`${count}-${round}`));
      if (round >= 0) rows[name].push(row);
    }
  }
  return rows;
}

function ratio(rows, [above, below] = ["this", "other"]) {
  return median(rows.map((row) => row[above] / row[below]));
}

function median(values) {
  return quantile(values, 0.5);
}

function print(lane, rows) {
  const all = { ...rows, "all events": Object.values(rows).flat() };
  console.log(`${lane} lane, medians of adjacent runs:`);
  for (const [name, of] of Object.entries(all)) {
    const ms = (side) => `${median(of.map((row) => row[side])).toFixed(2)} ms`;
    const bare = (side) => (Number.isNaN(of[0].base) ? "" : ` (× ${ratio(of, [side, "base"]).toFixed(3)})`);
    const [mine, theirs] = ["this", "other"].map((side) => `${side} ${ms(side)}${bare(side)}`);
    console.log(`  ${name.padEnd(18)} ${mine}   ${theirs}   this / other ${ratio(of).toFixed(3)}`);
  }
}

function mapOf(record, map) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
