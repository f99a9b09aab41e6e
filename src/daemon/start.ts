/** Starts the daemon, moves it to another program, and stops it. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gatehouseIn } from "../store/door.ts";
import { lookUp } from "../world/machine/caller.ts";
import { type Environment, stateRoot } from "../world/machine/places.ts";
import { openLog } from "./log.ts";
import { notedSupervisor, noteProgram } from "./notes.ts";
import { type Probe, probeGatehouse } from "./probe.ts";

export type Started = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Starting {
  /** The result of an earlier probe, if there is one. */
  readonly before?: Probe;
  readonly withinMs?: number;
}

const START_MS_MAX = 5000;
const LOOK_EVERY_MS = 25;

/** Safe to call when the daemon runs, and concurrently: the first one gets the port. */
export async function startGatehouse(
  env: Environment,
  program: { readonly node: string; readonly bundle: string },
  { before: known, withinMs = START_MS_MAX }: Starting = {},
): Promise<Started> {
  const deadline = performance.now() + withinMs;
  const before = known ?? (await probeGatehouse(env, { timeoutMs: Math.min(1500, withinMs) }));
  if (before.state === "up") return { ok: true };
  if (before.state === "stranger" || before.state === "none") return { ok: false, reason: before.detail };
  noteProgram(stateRoot(env), program.bundle);
  // If a process holds the port but does not answer, its supervisor is told to start a new worker.
  const holder = before.isVacant ? undefined : (before.supervisor ?? notedSupervisor(stateRoot(env)));
  if (holder === undefined || !signal(holder, "SIGHUP")) launch(env, program);
  const after = await until(env, deadline, ({ state }) => state === "up" || state === "stranger");
  return after.state === "up" ? { ok: true } : { ok: false, reason: `it did not come up: ${after.detail}` };
}

/** For a person's command: also replaces a daemon that holds the port but hangs or is stopped. */
export async function reviveGatehouse(
  env: Environment,
  program: { readonly node: string; readonly bundle: string },
): Promise<Started> {
  const started = await startGatehouse(env, program);
  if (started.ok) return started;
  const { state, isVacant } = await probeGatehouse(env);
  if (state !== "down" || isVacant) return started;
  await stopGatehouse(env);
  return startGatehouse(env, program);
}

const STOP_MS_MAX = 2000;

/** Returns when the daemon has exited. A daemon that does not react is killed. */
export async function stopGatehouse(env: Environment): Promise<void> {
  const { supervisor } = await probeGatehouse(env);
  const holder = supervisor ?? notedSupervisor(stateRoot(env));
  if (holder === undefined) return;
  for (const name of ["SIGTERM", "SIGKILL"] as const) {
    if (!signal(holder, name)) return;
    const deadline = performance.now() + STOP_MS_MAX;
    while (isThere(holder) && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    if (!isThere(holder)) return;
  }
}

/** A zombie process still accepts signals, so the process table is checked too. */
function isThere(pid: number): boolean {
  return signal(pid, 0) && (process.platform !== "linux" || lookUp(pid) !== undefined);
}

/** False when the process does not exist or belongs to another user. */
function signal(pid: number, name: "SIGHUP" | "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    void error;
    return false;
  }
}

async function until(env: Environment, deadline: number, isEnough: (probe: Probe) => boolean): Promise<Probe> {
  for (;;) {
    const left = deadline - performance.now();
    const probe = await probeGatehouse(env, { timeoutMs: Math.max(50, Math.min(500, left)) });
    if (isEnough(probe) || performance.now() > deadline) return probe;
    await pause(LOOK_EVERY_MS);
  }
}

/** Starts it detached, so that it survives when the starting process group is killed. */
function launch(env: Environment, { node, bundle }: { readonly node: string; readonly bundle: string }): void {
  const directory = gatehouseIn(stateRoot(env));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const log = openLog(join(directory, "gatehouse.log"));
  try {
    const started = spawn(node, [bundle, "serve"], {
      cwd: "/",
      detached: true,
      stdio: ["ignore", log ?? "ignore", log ?? "ignore"],
      env: plainEnvironment(env),
    });
    // A failed start shows up as a daemon that is not running, which is reported.
    started.on("error", () => undefined);
    started.unref();
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/**
 * The daemon outlives the session that starts it, so it inherits nothing of that session and nothing that loads foreign
 * code.
 */
const KEPT = [
  "HOME",
  "USER",
  "LOGNAME",
  "PATH",
  "TMPDIR",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
];

function plainEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])));
}
