/**
 * Measures what an inbox of 10,000 unread messages costs a Stop of its reader (limit 1.2 × an inbox with one message) and a
 * PreToolUse (limit 1.1 ×), side by side. Usage: node scripts/bench/inbox.mjs [rounds]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { judge, quantile, sources } from "./bench.mjs";
import { EVENTS } from "./events.mjs";
import { openStage } from "./stage.mjs";

const rounds = Number(process.argv[2] ?? 60);
const MESSAGES = 10_000;

const scratch = scratchDirectory("bench");
const { layout, openJournal, placesOf, slots } = await sources(scratch);

const GATES = Object.entries(EVENTS).filter(([name]) => name.startsWith("PreToolUse"));

function stageWith(name, messages) {
  mkdirSync(join(scratch, name));
  const stage = openStage(join(scratch, name), slots);
  mkdirSync(join(stage.project, ".sekisho"), { recursive: true });
  writeFileSync(join(stage.project, ".sekisho", "config.yaml"), "roles: { preset: lead }\ninbox: { deliveries: 10 }\n");
  stage.env.SEKISHO_AGENT = "worker1";
  stage.send({ event: "SessionStart", fields: { source: "startup" } });
  const { journal: directory } = placesOf(layout, stage.env, stage.project, []);
  const store = openJournal({ directory });
  for (let n = 0; n < messages; n++) {
    const subject = `message ${n} about something that takes a line of its own to say`;
    const body = {
      kind: "message",
      id: `message-${n}`,
      to: "worker1",
      from: "lead",
      type: "note",
      subject,
      body: subject,
    };
    const kept = store.append(body, Date.now());
    if ("fault" in kept) throw new Error(kept.fault);
  }
  // Whoever reads the inbox takes a snapshot with the next record.
  store.read(["inbox"]);
  store.append({ kind: "mail", do: "deliver", box: "worker1", upto: 0 }, Date.now(), { needs: ["inbox"] });
  store.close();
  return stage;
}

console.log(`filling an inbox with ${MESSAGES} messages …`);
const sides = { empty: stageWith("empty", 1), full: stageWith("full", MESSAGES) };
let calls = 0;

/** Both sides run next to each other, in turns first, so that background load affects both. */
async function compare(name, make) {
  const ratios = [];
  for (let round = -3; round < rounds; round++) {
    const event = make(calls++);
    const took = {};
    for (const side of round % 2 ? ["empty", "full"] : ["full", "empty"]) took[side] = await sides[side].send(event);
    if (round >= 0) ratios.push({ ...took, ratio: took.full / took.empty });
  }
  const at = (of, q) =>
    quantile(
      ratios.map((pair) => pair[of]),
      q,
    ).toFixed(2);
  console.log(
    `  ${name.padEnd(24)} empty ${at("empty", 0.5)} ms  full ${at("full", 0.5)} ms  × ${at("ratio", 0.5)} (${at("ratio", 0.25)} … ${at("ratio", 0.75)})`,
  );
  return quantile(
    ratios.map(({ ratio }) => ratio),
    0.5,
  );
}

const stop = { event: "Stop", fields: { stop_hook_active: false, last_assistant_message: "", background_tasks: [] } };
const stops = await compare("Stop", () => stop);
const gates = [];
for (const [name, make] of GATES) gates.push(await compare(name, make));
judge([
  [`Stop with ${MESSAGES} unread messages ≤ 1.2 × a Stop with one`, stops, 1.2],
  [`PreToolUse with ${MESSAGES} unread messages ≤ 1.1 × one with one`, Math.max(...gates), 1.1],
]);
process.exit();
