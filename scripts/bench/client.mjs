/**
 * Measures how much the fast lane adds to a tool call in the real host: the time between the model's answer and the
 * host's next request. Background load lasts longer than one call, so compared calls run next to each other. For gate
 * and outcome, the file that is read selects whether the daemon or an idle server answers, all in one registration.
 * PostToolBatch cannot be selected by file, so two hosts take turns and swap servers with every leg. Usage: node
 * scripts/bench/client.mjs
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { bundled, judge, quantile, sources } from "./bench.mjs";
import { openGatehouse } from "./gatehouse.mjs";

/** The host gets slower as a session grows, so several short sessions are measured. */
const SESSIONS = 7;
const ROUNDS = 60;
const LEGS = 6;
const PAIRS = 75;
/** The first calls of a host and of a worker are excluded, because they compile code that later calls reuse. */
const WARMING = 6;

/**
 * Per round: one gate call, one gate-and-outcome call, and the batch events of all five calls. Per pair: one of the two
 * batch events.
 */
const EVENTS_OF_NOBODY = SESSIONS * ROUNDS * (3 + 5) + LEGS * PAIRS;
/** In a pair the daemon also answers gate and outcome of both calls. */
const EVENTS_OF_OURS = SESSIONS * ROUNDS * 3 + LEGS * PAIRS * 5;

const scratch = scratchDirectory("bench");
const { slots } = await sources(scratch);
const { clientBinary, startModel, towardsModel, use } = await client();
const binary = clientBinaryOrLeave();
const gatehouse = openGatehouse(scratch);
const idle = await serverThatDoesNothing();

const program = { node: process.execPath, bundle: gatehouse.bundle };
const TURNS = ["SessionStart", "UserPromptSubmit"];
const TOOLS = ["PreToolUse", "PostToolUse"];

/** Each kind of call reads its own file; its hooks match only that file and point to that endpoint. */
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
/**
 * `taken` measures until the host's next request. `takenByHooks` stops when the hooks are done, so it contains less
 * noise from the host.
 */
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

/** Plays one session. Each round has one call of every kind; the calls of a pair are adjacent, in random order. */
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
  // The idle server always gets PostToolBatch: it marks the moment a call ends and the host starts its next request.
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

/**
 * Runs two sessions side by side that differ only in the endpoint for PostToolBatch; the model makes one wait while the
 * other works.
 */
async function playPairs(doors) {
  const order = Array.from({ length: PAIRS }, () => shuffled([0, 1])).flat();
  const turns = order.map(latch);
  const openAll = () => turns.forEach(({ open }) => void open());
  turns[0].open();
  const sides = doors.map((door, side) => {
    const own = order.flatMap((whose, turn) => (whose === side ? [turn] : []));
    // A host that has exited must not block the other one.
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

/** The last call ends when the host asks the model once more. */
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

/** Both calls of a pair get an `if` condition, so the host's cost of evaluating it cancels out. */
function forFile(hook, file) {
  return file === undefined ? hook : { ...hook, if: `Read(/${file})` };
}

/** Renames hooks that point to the idle server; otherwise the session start would move them back to the plain lane. */
function foreign(hook) {
  if (!hook.url?.startsWith(`http://127.0.0.1:${idle.door.port}/`)) return hook;
  return { ...hook, url: hook.url.replace("the-sekisho-gatehouse", "a-server-of-nobodys-x") };
}

/** A promise that a step waits for; it may be opened before or after the wait starts. */
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

/** Sums over all threads of the worker how long they ran and how long they waited for a CPU, in ms. */
function spentByWorker() {
  const children = readFileSync(`/proc/${gatehouse.pid}/task/${gatehouse.pid}/children`, "utf8");
  const worker = children.trim().split(" ")[0];
  const rows = readdirSync(`/proc/${worker}/task`).map((thread) =>
    readFileSync(`/proc/${worker}/task/${thread}/schedstat`, "utf8").split(" ").map(Number),
  );
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0) / 1e6;
  return { worker, ran: sum(0), waited: sum(1) };
}

/** If the host ignored the `if` condition, every call would go to both servers or to none. */
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

/** The median of the differences within pairs, with a 95 % bootstrap confidence interval (`low` to `high`). */
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

/** Loads the helpers of the host tests: the host binary and the scripted model. */
function client() {
  return bundled(scratch, "client", [
    'export { towardsModel } from "./src/hosts/claude-code/trial/messages-api.ts";',
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
