/**
 * What the fast lane adds to a tool call in the real client: the time between the model's answer and the client's next
 * request. Whatever the machine is busy with lasts longer than a call, so calls that are compared stand beside one
 * another. For gate and outcome it is the file that is read which chooses who answers, the gatehouse or a server that
 * does nothing, all in one registration. PostToolBatch cannot be told apart so: two clients take turns instead, and swap
 * their servers with every leg. Usage: node scripts/bench/client.mjs
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled, judge, quantile, sources } from "./bench.mjs";
import { openGatehouse } from "./gatehouse.mjs";

/** The session grows with every call, and the client slows down with it: rather several short ones. */
const SESSIONS = 7;
const ROUNDS = 60;
const LEGS = 6;
const PAIRS = 75;
/** The first calls of a client, and of a worker, compile what the later ones run. */
const WARMING = 6;

/** Gate, then gate and outcome in a round, and there the batch of all five calls; one of the two batches in a pair. */
const EVENTS_OF_NOBODY = SESSIONS * ROUNDS * (3 + 5) + LEGS * PAIRS;
/** In a pair the gatehouse also answers for gate and outcome of both calls. */
const EVENTS_OF_OURS = SESSIONS * ROUNDS * 3 + LEGS * PAIRS * 5;

const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
const { slots } = await sources(scratch);
const { clientBinary, startModel, towardsModel, use } = await client();
const binary = clientBinaryOrLeave();
const gatehouse = openGatehouse(scratch);
const idle = await serverThatDoesNothing();

const program = { node: process.execPath, bundle: gatehouse.bundle };
const TURNS = ["SessionStart", "UserPromptSubmit"];
const TOOLS = ["PreToolUse", "PostToolUse"];

/** A kind of call is a file of its own; the hooks of the events stand for that file only, and lead to that door. */
const KINDS = {
  "no hooks": { events: [], door: idle.door },
  "the gate": { events: ["PreToolUse"], door: gatehouse.door },
  "the gate, nobody thinks": { events: ["PreToolUse"], door: idle.door },
  "gate and outcome": { events: TOOLS, door: gatehouse.door },
  "gate and outcome, nobody thinks": { events: TOOLS, door: idle.door },
};
const PAIR_KINDS = [
  ["the gate", "the gate, nobody thinks"],
  ["gate and outcome", "gate and outcome, nobody thinks"],
];
const BATCH = ["the batch", "the batch, nobody thinks"];
/** Until the client's next request, and only until its hooks are through: less of the client's own, so less noise. */
const taken = Object.fromEntries([...Object.keys(KINDS), ...BATCH].map((kind) => [kind, []]));
const takenByHooks = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));

const before = spentByWorker();
for (let n = 1; n <= SESSIONS; n++) {
  progress(`gate and outcome: session ${n} of ${SESSIONS}, ${ROUNDS} rounds of ${Object.keys(KINDS).length} calls`);
  await playRounds(projectAt("rounds"));
}
for (let n = 1; n <= LEGS; n++) {
  progress(`PostToolBatch: leg ${n} of ${LEGS}, two clients, ${PAIRS} pairs of calls`);
  const doors = [gatehouse.door, idle.door];
  await playPairs(n % 2 ? doors : doors.reverse());
}
const spent = spentByWorker();

checkThatEverybodyWasAsked();
report();
process.exit();

/** One session. A round is a call of every kind; those of a pair follow each other, whoever comes first. */
async function playRounds(project) {
  register(project, [
    { events: TURNS, door: gatehouse.door },
    { events: ["PostToolBatch"], door: idle.door },
    ...Object.entries(KINDS).map(([kind, { events, door }]) => ({ events, door, file: fileOf(project, kind) })),
  ]);
  let last;
  const noteIn = (times) => {
    if (last?.isTimed) times[last.kind].push(performance.now() - last.answeredAt);
  };
  const note = () => {
    noteIn(taken);
    last = undefined;
  };
  // Always the idle server's, so that it tells when a call is over and the client begins to write its next request.
  idle.onBatch = () => noteIn(takenByHooks);
  const calls = Array.from({ length: ROUNDS }, (_, round) =>
    shuffled([["no hooks"], ...PAIR_KINDS.map(shuffled)])
      .flat()
      .map((kind) => () => {
        note();
        last = { kind, isTimed: round >= WARMING, answeredAt: performance.now() };
        return use("Read", { file_path: fileOf(project, kind) });
      }),
  ).flat();
  await play(project, [...calls, ended(note)]);
  idle.onBatch = () => undefined;
}

/** Two sessions side by side; while one is at work, the model lets the other wait. They differ in the batch's door. */
async function playPairs(doors) {
  const order = Array.from({ length: PAIRS }, () => shuffled([0, 1])).flat();
  const turns = order.map(latch);
  const openAll = () => turns.forEach(({ open }) => void open());
  turns[0].open();
  const sides = doors.map((door, side) => {
    const own = order.flatMap((whose, turn) => (whose === side ? [turn] : []));
    // Nobody waits for a client that is gone.
    return playSide(projectAt(`batch-${side}`), door, own, turns).finally(openAll);
  });
  await Promise.all(sides);
}

function playSide(project, door, own, turns) {
  register(project, [
    { events: [...TURNS, ...TOOLS], door: gatehouse.door },
    { events: ["PostToolBatch"], door },
  ]);
  const times = taken[BATCH[door === gatehouse.door ? 0 : 1]];
  let last;
  const note = () => {
    if (last === undefined) return;
    if (last.turn >= 2 * WARMING) times.push(performance.now() - last.answeredAt);
    turns[last.turn + 1]?.open();
    last = undefined;
  };
  const calls = own.map((turn) => async () => {
    note();
    await turns[turn].opened;
    last = { turn, answeredAt: performance.now() };
    return use("Read", { file_path: fileOf(project, "batch") });
  });
  return play(project, [...calls, ended(note)]);
}

/** The last call is over when the model is asked once more. */
function ended(note) {
  return () => {
    note();
    return { text: "The end." };
  };
}

async function play(project, steps) {
  const model = await startModel(steps, []);
  const options = ["-p", "--output-format", "stream-json", "--verbose", "--allowedTools", "Read", "--", "go"];
  const env = { ...gatehouse.env, TMPDIR: scratch, ...towardsModel(model.url) };
  const child = spawn(binary, options, { cwd: project, env, stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "close");
  await model.close();
}

function projectAt(name) {
  const project = join(scratch, name);
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, ".claude"), { recursive: true });
  for (const kind of [...Object.keys(KINDS), "batch"]) writeFileSync(fileOf(project, kind), "hello\n");
  return project;
}

function fileOf(project, kind) {
  return join(project, `${kind.replaceAll(/\W+/g, "-")}.txt`);
}

function register(project, parts) {
  const hooks = {};
  for (const { events, door, file } of parts)
    for (const { event, matcher, hook } of slots(events, { ...program, door }, "fast")) {
      hooks[event] ??= [];
      hooks[event].push({ ...(matcher && { matcher }), hooks: [forFile(foreign(hook), file)] });
    }
  writeFileSync(join(project, ".claude", "settings.local.json"), JSON.stringify({ hooks }));
}

/** A condition for both of a pair: what the client needs for it is in both. */
function forFile(hook, file) {
  return file === undefined ? hook : { ...hook, if: `Read(/${file})` };
}

/** Hooks of ours that led to the idle server would be moved back to the plain lane when the session begins. */
function foreign(hook) {
  if (!hook.url?.startsWith(`http://127.0.0.1:${idle.door.port}/`)) return hook;
  return { ...hook, url: hook.url.replace("the-sekisho-gatehouse", "a-server-of-nobodys-x") };
}

/** What a step waits for, whether it comes before or after. */
function latch() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function shuffled(values) {
  return values
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}

/** All threads of the worker: how long they ran, how long they were kept from running, in ms. */
function spentByWorker() {
  const children = readFileSync(`/proc/${gatehouse.pid}/task/${gatehouse.pid}/children`, "utf8");
  const worker = children.trim().split(" ")[0];
  const rows = readdirSync(`/proc/${worker}/task`).map((thread) =>
    readFileSync(`/proc/${worker}/task/${thread}/schedstat`, "utf8").split(" ").map(Number),
  );
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0) / 1e6;
  return { worker, ran: sum(0), waited: sum(1) };
}

/** A condition that the client did not know would send every call to both servers, or to none. */
function checkThatEverybodyWasAsked() {
  for (const [kind, { length }] of Object.entries(taken)) {
    const expected = BATCH.includes(kind) ? LEGS * (PAIRS - WARMING) : SESSIONS * (ROUNDS - WARMING);
    if (length !== expected) throw new Error(`the client did not play the whole session: ${kind}, ${length}`);
  }
  if (idle.answered !== EVENTS_OF_NOBODY)
    throw new Error(`the idle server was asked ${idle.answered} times, not ${EVENTS_OF_NOBODY}`);
  if (recordsOfTools() !== EVENTS_OF_OURS)
    throw new Error(`the journals hold ${recordsOfTools()} events of tools, not ${EVENTS_OF_OURS}`);
  if (spent.worker !== before.worker) throw new Error("the worker was replaced meanwhile");
}

function recordsOfTools() {
  const state = join(gatehouse.env.HOME, ".local", "state", "sekisho");
  const journals = readdirSync(state, { recursive: true }).filter((path) => /journal\.\d+\.jsonl$/.test(path));
  return journals
    .map((path) => readFileSync(join(state, path), "utf8").match(/"event":"(Pre|Post)Tool/g)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);
}

function report() {
  for (const [kind, values] of Object.entries(taken))
    console.log(`  ${kind.padEnd(32)} median ${quantile(values, 0.5).toFixed(1).padStart(6)} ms   n ${values.length}`);
  const own = PAIR_KINDS.map(([, idly]) => `${idly} ${said(extra(idly, "no hooks"))}`);
  console.log(`over no hooks at all, the client's own: ${own.join("; ")}`);
  const [ran, waited] = [spent.ran - before.ran, spent.waited - before.waited].map((ms) => ms / EVENTS_OF_OURS);
  console.log(
    `the worker itself, per event: ${ran.toFixed(2)} ms at work on a processor, all its threads, what it does later and ` +
      `what a session's beginning asks included; ${waited.toFixed(2)} ms waiting for one`,
  );
  console.log("PostToolBatch comes once for all calls of an answer, not per call: measured apart, between two clients");
  const sharper = PAIR_KINDS.map(([ours, idly]) => `${ours} ${said(extra(ours, idly, takenByHooks))}`);
  console.log(`what we add until the hooks of the call are through, with less noise: ${sharper.join("; ")}`);
  const [gate, both, batch] = [...PAIR_KINDS, BATCH].map(([ours, idly]) => extra(ours, idly));
  judge([
    [`what we add to the gate ≤ 3 ms per call, median of the pairs, ${said(gate)}`, gate.ms, 3, " ms"],
    [`what we add to gate and outcome together ≤ 3 ms per call, the same, ${said(both)}`, both.ms, 3, " ms"],
    [`what we add to PostToolBatch ≤ 3 ms per batch, the same, ${said(batch)}`, batch.ms, 3, " ms"],
  ]);
}

/** The median of the differences within pairs; `low` and `high` hold it 19 times out of 20, by drawing pairs again. */
function extra(ours, idly, times = taken) {
  const differences = times[ours].map((ms, n) => ms - times[idly][n]);
  const drawn = () => differences.map(() => differences[Math.floor(Math.random() * differences.length)]);
  const medians = Array.from({ length: 1000 }, () => quantile(drawn(), 0.5));
  return { ms: quantile(differences, 0.5), low: quantile(medians, 0.025), high: quantile(medians, 0.975) };
}

function said({ ms, low, high }) {
  return `${ms.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

function progress(line) {
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line} …`);
}

async function serverThatDoesNothing() {
  const idle = { answered: 0, onBatch: () => undefined };
  const server = createServer((request, response) => {
    idle.answered++;
    if (request.url.startsWith("/PostToolBatch/")) idle.onBatch();
    request.resume();
    request.on("end", () => response.end("{}"));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(idle, { door: { port: server.address().port, token: "none" } });
}

/** The client and the model of the stories. */
function client() {
  return bundled(scratch, "client", [
    'export { towardsModel } from "./src/cli/doctor/messages-api.ts";',
    'export { clientBinary } from "./test/client/client.ts";',
    'export { startModel, use } from "./test/client/scripted-model.ts";',
  ]);
}

function clientBinaryOrLeave() {
  try {
    return clientBinary();
  } catch (error) {
    console.log(`skipped: ${error.message} \`npm run test:client\` installs it.`);
    process.exit(0);
  }
}
