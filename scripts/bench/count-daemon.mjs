/**
 * Runs a daemon whose supervisor and worker are counted by valgrind. The counts can be read while they run, so the
 * instructions of the events in between are known, whatever else the machine does.
 */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openGatehouse } from "./gatehouse.mjs";

/**
 * Without threads beside the main one, and with the same seeds, the same events need the same instructions. Without the
 * optimizing compiler the figures settle after some events; it would speed up both checkouts, at times of its own.
 */
const FLAGS = ["--hash-seed=1", "--random-seed=1", "--single-threaded", "--no-opt"];
const COUNTED = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--quiet"];
/**
 * A counted process is fifty times slower. It must not be taken for a hanging one, and what it does on a timer must not
 * fall on every event.
 */
const PATIENT = (node) => `
  for (const name of ["setInterval", "setTimeout"]) {
    const start = globalThis[name];
    globalThis[name] = (run, ms, ...more) => start(run, ms * 100, ...more);
  }
  if (process.argv.includes("serve")) process.execPath = ${JSON.stringify(node)};
`;
const UP_MS_MAX = 300_000;

/** The daemon of a built checkout, as `openSession` uses it, with `counts`: the instructions of each of its processes. */
export async function openCounted(scratch, dist) {
  const plain = openGatehouse(scratch, dist);
  process.kill(plain.pid, "SIGTERM");
  while (await answers(plain.door.port)) await pause(50);
  const [node, preload] = ["counted-node", "patient.cjs"].map((name) => join(scratch, name));
  const command = ["valgrind", ...COUNTED, process.execPath, ...FLAGS, "--require", preload];
  writeFileSync(preload, PATIENT(node));
  writeFileSync(node, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  chmodSync(node, 0o755);
  const log = [];
  const daemon = spawn(node, [plain.bundle, "serve"], { env: plain.env, cwd: "/" });
  for (const out of [daemon.stdout, daemon.stderr]) out.on("data", (chunk) => log.push(chunk));
  process.prependListener("exit", () => daemon.kill("SIGKILL"));
  const worker = await found(() => childOf(daemon.pid), log);
  await found(() => isReady(plain), log);
  return { ...plain, pid: daemon.pid, counts: () => ({ supervisor: countOf(daemon.pid), worker: countOf(worker) }) };
}

async function found(look, log) {
  for (const end = Date.now() + UP_MS_MAX; Date.now() < end; await pause(200)) {
    const is = await look();
    if (is) return is;
  }
  throw new Error(`the counted daemon is not up: ${log.join("")}`);
}

function childOf(pid) {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(child) || undefined;
}

async function isReady({ door }) {
  try {
    const response = await fetch(`http://127.0.0.1:${door.port}/challenge/${"0".repeat(32)}`);
    return response.ok;
  } catch {
    return false;
  }
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const end = (is) => {
      socket.destroy();
      resolve(is);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
  });
}

/** All threads of the process. */
function countOf(pid) {
  const { stdout, stderr } = spawnSync("callgrind_control", ["-e", String(pid)], { encoding: "utf8" });
  const counts = [...stdout.matchAll(/^ +Th \d+ +([\d,]+)/gm)].map(([, count]) => Number(count.replaceAll(",", "")));
  if (counts.length === 0) throw new Error(`callgrind_control: ${stdout}${stderr}`);
  return counts.reduce((sum, count) => sum + count, 0);
}
