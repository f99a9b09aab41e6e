/** Brings the gatehouse up, moves it to another program, and takes it down. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gatehouseIn } from "../store/door.ts";
import { type Environment, stateRoot } from "../world/places.ts";
import { notedSupervisor, noteProgram } from "./notes.ts";
import { type Probe, probeGatehouse } from "./probe.ts";

export type Started = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const START_MS_MAX = 5000;
const LOOK_EVERY_MS = 25;

/** Safe to call when it is up, and by several at once: the port belongs to the first. */
export async function startGatehouse(
  env: Environment,
  program: { readonly node: string; readonly bundle: string },
): Promise<Started> {
  const before = await probeGatehouse(env);
  if (before.state === "up") return { ok: true };
  if (before.state === "stranger" || before.state === "none") return { ok: false, reason: before.detail };
  noteProgram(stateRoot(env), program.bundle);
  // One that holds the port and does not answer is its supervisor's business: that one is told to begin anew.
  const holder = before.isVacant ? undefined : (before.supervisor ?? notedSupervisor(stateRoot(env)));
  if (holder === undefined) launch(env, program);
  else process.kill(holder, "SIGHUP");
  const after = await until(env, ({ state }) => state === "up");
  return after.state === "up" ? { ok: true } : { ok: false, reason: `it did not come up: ${after.detail}` };
}

export async function stopGatehouse(env: Environment): Promise<void> {
  const { supervisor } = await probeGatehouse(env);
  const holder = supervisor ?? notedSupervisor(stateRoot(env));
  if (holder === undefined) return;
  process.kill(holder, "SIGTERM");
  await until(env, ({ state }) => state === "down" || state === "none");
}

async function until(env: Environment, isEnough: (probe: Probe) => boolean): Promise<Probe> {
  const deadline = performance.now() + START_MS_MAX;
  for (;;) {
    const probe = await probeGatehouse(env, { timeoutMs: 500 });
    if (isEnough(probe) || performance.now() > deadline) return probe;
    await pause(LOOK_EVERY_MS);
  }
}

/** In a session of its own: whoever starts it may be ended, with everything in its process group. */
function launch(env: Environment, { node, bundle }: { readonly node: string; readonly bundle: string }): void {
  const directory = gatehouseIn(stateRoot(env));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const log = openLog(join(directory, "gatehouse.log"));
  try {
    const started = spawn(node, [bundle, "serve"], {
      cwd: "/",
      detached: true,
      stdio: ["ignore", log, log],
      env: plainEnvironment(env),
    });
    started.unref();
  } finally {
    closeSync(log);
  }
}

const LOG_BYTES_MAX = 1024 * 1024;

function openLog(path: string): number {
  const isFull = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX;
  return openSync(path, isFull ? "w" : "a", 0o600);
}

/** It outlives the session that started it: nothing of that session, and nothing that loads foreign code, goes along. */
const KEPT = ["HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_MESSAGES"];

function plainEnvironment(env: Environment): Record<string, string> {
  const kept = [...KEPT, "XDG_STATE_HOME", "XDG_CONFIG_HOME"];
  return Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])));
}
