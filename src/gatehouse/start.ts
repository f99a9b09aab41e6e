/** Brings the gatehouse up, moves it to another program, and takes it down. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gatehouseIn } from "../store/door.ts";
import { lookUp } from "../world/caller.ts";
import { type Environment, stateRoot } from "../world/places.ts";
import { openLog } from "./log.ts";
import { notedSupervisor, noteProgram } from "./notes.ts";
import { type Probe, probeGatehouse } from "./probe.ts";

export type Started = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Starting {
  /** What was found, by whoever has looked already. */
  readonly before?: Probe;
  readonly withinMs?: number;
}

const START_MS_MAX = 5000;
const LOOK_EVERY_MS = 25;

/** Safe to call when it is up, and by several at once: the port belongs to the first. */
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
  // One that holds the port and does not answer is its supervisor's business: that one is told to begin anew.
  const holder = before.isVacant ? undefined : (before.supervisor ?? notedSupervisor(stateRoot(env)));
  if (holder === undefined || !signal(holder, "SIGHUP")) launch(env, program);
  const after = await until(env, deadline, ({ state }) => state === "up" || state === "stranger");
  return after.state === "up" ? { ok: true } : { ok: false, reason: `it did not come up: ${after.detail}` };
}

/** For a person who asks: one that holds the port and hears nothing, because it hangs or was stopped, gives way. */
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

/** Returns when it is gone. One that does not hear, because it hangs or was stopped, is ended the hard way. */
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

/** One that has ended and that nobody has asked after yet can still be told; the process table knows better. */
function isThere(pid: number): boolean {
  return signal(pid, 0) && (process.platform !== "linux" || lookUp(pid) !== undefined);
}

/** False when there is no such process any more, or it is not ours to tell. */
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

/** In a session of its own: whoever starts it may be ended, with everything in its process group. */
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
    // What could not be started will not be found up either, and that is told.
    started.on("error", () => undefined);
    started.unref();
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** It outlives the session that started it: nothing of that session, and nothing that loads foreign code, goes along. */
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
