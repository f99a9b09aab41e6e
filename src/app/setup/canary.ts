/** Sends an event through a hook exactly as it is registered, and reports the answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnHook, Slot } from "../../hosts/registration.ts";
import { CANARY } from "../../state/session/session.ts";
import { setup } from "../host.ts";
import { type Run, run } from "./run.ts";

const { rehearsal } = setup;

export interface Shot {
  readonly answer: "refused" | "asked" | "passed" | "failed";
  /** The hook's message, or why it failed. Never a header, because one contains the token. */
  readonly detail: string;
  readonly ms: number;
}

export interface Range {
  readonly run: Run;
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  /** Timeout for the daemon, if shorter than the host's own timeout. */
  readonly patienceMs?: number;
}

/** A policy that cannot be switched off refuses this command; it is never run. */
export const FORBIDDEN = "sekisho uninstall";

/** An event with the least that the host would say; it is only ever looked at, never carried out. */
export function payloadFor(event: string, project: string, command?: string): object {
  return rehearsal.payload(event, { session: CANARY, project, ...(command !== undefined && { command }) });
}

export function readingPayload(project: string): object {
  return rehearsal.readingPayload({ session: CANARY, project });
}

export async function fire(hook: OwnHook, payload: object, range: Range): Promise<Shot> {
  return hook.hook["type"] === "http" ? fireHttp(hook, payload, range) : fireCommand(hook, payload, range);
}

/** Sends a forbidden command through a hook as it would be registered. Returns undefined when it was refused. */
export async function canary({ event, hook }: Slot, project: string): Promise<string | undefined> {
  const payload = payloadFor(event, project, "rm -rf /");
  const timed: Run = (command, args, options) => run(command, args, { ...options, timeoutMs: hook.timeout * 1000 });
  const shot = await fire({ event, hook: { ...hook } }, payload, { run: timed, env: process.env, project });
  return shot.answer === "refused" ? undefined : [`it ${shot.answer}`, shot.detail].filter(Boolean).join(", ");
}

async function fireCommand({ hook }: OwnHook, payload: object, { run, env, project }: Range): Promise<Shot> {
  const { args: words } = rehearsal.unwatching(hook);
  const args = Array.isArray(words) ? words.map(String) : [];
  const input = JSON.stringify(payload);
  const { code, stdout, stderr, ms, problem } = await run(String(hook["command"]), args, { cwd: project, env, input });
  if (problem !== undefined) return { answer: "failed", detail: problem, ms };
  const meaning = code === null ? undefined : rehearsal.exitCodes[code];
  if (meaning === "refused") return { answer: "refused", detail: stderr.trim(), ms };
  if (meaning === "said") return { ...rehearsal.answerIn(stdout), ms };
  return { answer: "failed", detail: `exit code ${code}: ${firstLine(stderr)}`, ms };
}

async function fireHttp({ hook }: OwnHook, payload: object, { patienceMs = Infinity }: Range): Promise<Shot> {
  const started = performance.now();
  const passed = (): number => performance.now() - started;
  try {
    const response = await fetch(String(hook["url"]), {
      method: "POST",
      headers: { "content-type": "application/json", ...(hook["headers"] as Record<string, string>) },
      body: JSON.stringify(payload),
      redirect: "manual",
      signal: AbortSignal.timeout(
        Math.min(patienceMs, typeof hook["timeout"] === "number" ? hook["timeout"] * 1000 : 10_000),
      ),
    });
    const body = await response.text();
    if (!response.ok) return { answer: "failed", detail: `HTTP status ${response.status}`, ms: passed() };
    return { ...rehearsal.answerIn(body), ms: passed() };
  } catch (error) {
    const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : "";
    return { answer: "failed", detail: `nobody answered at the gatehouse's port: ${cause}`, ms: passed() };
  }
}

export function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.slice(0, 200) ?? "";
}

/**
 * Uses a scratch state directory, so that the test writes to no real journal. Removes the host's variables from the
 * environment, so that the calls do not look like an agent's.
 */
export async function withScratchState<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "sekisho-doctor-"));
  const kept = Object.entries(environment).filter(([name]) => !setup.ownVariables.test(name));
  try {
    return await use({ ...Object.fromEntries(kept), XDG_STATE_HOME: scratch });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
