/**
 * The fast lane of two builds, in turns, so that a busy machine is busy for both: what a challenge costs (the door
 * alone), what an event costs, and how many a second are answered over eight lines. Processor time is the worker's own.
 * Usage: node scripts/bench/doors.mjs <dist of one build> <dist of another> [turns]
 */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join, resolve } from "node:path";
import { scratchDirectory } from "../scratch.mjs";
import { quantile } from "./bench.mjs";
import { openGatehouse, openSession } from "./gatehouse.mjs";

const [, , one, other, turns = "300"] = process.argv;
if (other === undefined) throw new Error("Usage: node scripts/bench/doors.mjs <dist> <dist> [turns]");

const LINES = 8;
const SLICE_MS = 1500;
const SLICES = 6;
/** Of the kernel's clock, in which it counts a process's time. */
const TICK_MS = 10;

const builds = await Promise.all([one, other].map(open));

async function open(dist) {
  const scratch = scratchDirectory("bench");
  const gatehouse = openGatehouse(scratch, resolve(dist));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const challenge = () => ask(agent, gatehouse.door.port);
  const { pid } = (await challenge()).answer;
  const lines = Array.from({ length: LINES }, (_, at) => openSession(gatehouse, `s${at}`, join(scratch, `p${at}`)));
  return { dist, pid, challenge, lines, challenges: [], events: [], answered: 0, ms: 0, cpu: 0 };
}

function ask(agent, port) {
  const started = performance.now();
  return new Promise((done, fail) => {
    const sent = get({ agent, host: "127.0.0.1", port, path: `/challenge/${"ab".repeat(16)}` }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => done({ ms: performance.now() - started, answer: JSON.parse(text) }));
    });
    sent.on("error", fail);
  });
}

function event(send, call) {
  const fields = { tool_name: "Read", tool_input: { file_path: "/work/a.ts" }, tool_use_id: `r${call}` };
  const done = { event: "PostToolUse", fields: { ...fields, tool_response: {} } };
  return send(call % 2 === 0 ? { event: "PreToolUse", fields } : done);
}

function cpuOf(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

for (let call = 0; call < Number(turns) + 100; call++) {
  for (const build of call % 2 === 0 ? builds : [...builds].reverse()) {
    const { ms } = await build.challenge();
    const took = await event(build.lines[0], call);
    // The first hundred warm the process up.
    if (call >= 100) {
      build.challenges.push(ms);
      build.events.push(took);
    }
  }
}

for (let slice = 0; slice < SLICES; slice++) {
  for (const build of slice % 2 === 0 ? builds : [...builds].reverse()) {
    const [cpu, started] = [cpuOf(build.pid), performance.now()];
    const end = started + SLICE_MS;
    await Promise.all(
      build.lines.map(async (send) => {
        for (let call = 0; performance.now() < end; call++, build.answered++) await event(send, call);
      }),
    );
    build.ms += performance.now() - started;
    build.cpu += cpuOf(build.pid) - cpu;
  }
}

const figures = {
  "challenge, median ms": ({ challenges }) => quantile(challenges, 0.5),
  "challenge, p95 ms": ({ challenges }) => quantile(challenges, 0.95),
  "event, median ms": ({ events }) => quantile(events, 0.5),
  "event, p95 ms": ({ events }) => quantile(events, 0.95),
  [`events a second over ${LINES} lines`]: ({ answered, ms }) => (answered / ms) * 1000,
  "processor ms for an event": ({ answered, cpu }) => cpu / answered,
};
for (const [what, figure] of Object.entries(figures)) {
  const [a, b] = builds.map(figure);
  console.log(
    `${what.padEnd(34)} ${a.toFixed(3).padStart(9)} ${b.toFixed(3).padStart(9)}   ratio ${(b / a).toFixed(3)}`,
  );
}
process.exit();
