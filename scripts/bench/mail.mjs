/**
 * Measures messages through the daemon: 20 senders × 500, while senders and workers are killed. Limits: 1,000 messages per
 * second and 50 ms at the 99th percentile, and nothing lost. Usage: node scripts/bench/mail.mjs [writers] [each]
 */

import { stormIn } from "../mail-stage.mjs";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile } from "./bench.mjs";

const [writers, each] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 500)];
const KILLS = { sender: 5, worker: 1, supervisor: 0 };

const { answers, firsts, seconds, killed, violations } = await stormIn(scratchDirectory("bench"), {
  ...{ writers, each, kills: KILLS, isRead: false },
});
const rate = (writers * (each - 1)) / seconds;
const ms = (values, q) => `${quantile(values, q).toFixed(1)} ms`;
console.log(`  ${writers} senders × ${each}, killed: ${JSON.stringify(killed)}`);
console.log(`  ${rate.toFixed(0)} messages/s; per send p50 ${ms(answers, 0.5)}, p99 ${ms(answers, 0.99)}`);
console.log(`  the first send of a process, with its start: p50 ${ms(firsts, 0.5)}`);
violations.slice(0, 10).forEach((line) => void console.log(`  ${line}`));
judge([
  ["milliseconds per message, all senders together ≤ 1", 1000 / rate, 1, " ms"],
  ["p99 per send ≤ 50 ms", quantile(answers, 0.99), 50, " ms"],
  ["lost, doubled, halved or out of order", violations.length, 0],
]);
process.exit();
