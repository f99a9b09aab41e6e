/** Sends an event through a hook exactly as it is registered, and tells what came back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HARMLESS, type Slot, WATCHING } from "../hosts/claude-code/hooks.ts";
import type { OwnHook } from "../hosts/claude-code/registered.ts";
import { CANARY } from "../state/session.ts";
import { type Run, run } from "./run.ts";

export interface Shot {
  readonly answer: "refused" | "asked" | "passed" | "failed";
  /** The hook's own words, or why it failed. Never a header: the token is in one. */
  readonly detail: string;
  readonly ms: number;
}

export interface Range {
  readonly run: Run;
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  /** How long to wait at the gatehouse, where that is less than the client would. */
  readonly patienceMs?: number;
}

/** Refused by a policy that cannot be switched off; nothing runs it. */
export const FORBIDDEN = "sekisho uninstall";

/** Each event with the least a client would say; it is only ever looked at, never carried out. */
export function payloadFor(event: string, project: string, command?: string): object {
  const tool = { tool_name: "Bash", tool_input: { command: command ?? "git status" }, tool_use_id: "" };
  return {
    session_id: CANARY,
    cwd: project,
    permission_mode: "default",
    hook_event_name: event,
    ...(/ToolUse/.test(event) && tool),
    ...(event === "PostToolUse" && { tool_response: {} }),
    ...(event === "PostToolUseFailure" && { error: "Exit code 1", is_interrupt: false }),
    ...(event === "PostToolBatch" && { tool_calls: [] }),
    ...(/Stop$/.test(event) && { stop_hook_active: false, last_assistant_message: "" }),
    ...(event === "SessionStart" && { source: "startup" }),
    ...(event === "SessionEnd" && { reason: "other" }),
    ...(event === "UserPromptSubmit" && { prompt: "hello" }),
    ...(event === "ConfigChange" && { source: "local_settings", file_path: join(project, ".claude", "none.json") }),
  };
}

export function readingPayload(project: string): object {
  const tool = { tool_name: "Read", tool_input: { file_path: join(project, "README.md") }, tool_use_id: "" };
  return { ...payloadFor("PreToolUse", project), ...tool };
}

/** The gate that reading passes through: it stays open when we are broken. */
export function isHarmlessGate({ hook }: OwnHook): boolean {
  const words = Array.isArray(hook["args"]) ? hook["args"] : String(hook["url"]).split("/");
  return words.includes(HARMLESS);
}

export async function fire(hook: OwnHook, payload: object, range: Range): Promise<Shot> {
  return hook.hook["type"] === "http" ? fireHttp(hook, payload, range) : fireCommand(hook, payload, range);
}

/** Sends what must never run through a hook as it would be registered. Undefined when it was refused. */
export async function canary({ event, hook }: Slot, project: string): Promise<string | undefined> {
  const payload = payloadFor(event, project, "rm -rf /");
  const timed: Run = (command, args, options) => run(command, args, { ...options, timeoutMs: hook.timeout * 1000 });
  const shot = await fire({ event, hook: { ...hook } }, payload, { run: timed, env: process.env, project });
  return shot.answer === "refused" ? undefined : [`it ${shot.answer}`, shot.detail].filter(Boolean).join(", ");
}

/** In a scratch state there is no gatehouse, and a hook that sees to it would start one there. All else stays. */
export function unwatching(hook: OwnHook["hook"]): OwnHook["hook"] {
  const { args } = hook;
  return Array.isArray(args) && args.at(-1) === WATCHING ? { ...hook, args: args.slice(0, -1) } : hook;
}

async function fireCommand({ hook }: OwnHook, payload: object, { run, env, project }: Range): Promise<Shot> {
  const { args: words } = unwatching(hook);
  const args = Array.isArray(words) ? words.map(String) : [];
  const input = JSON.stringify(payload);
  const { code, stdout, stderr, ms, problem } = await run(String(hook["command"]), args, { cwd: project, env, input });
  if (problem !== undefined) return { answer: "failed", detail: problem, ms };
  if (code === 2) return { answer: "refused", detail: stderr.trim(), ms };
  if (code === 0) return { ...answerIn(stdout), ms };
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
    return { ...answerIn(body), ms: passed() };
  } catch (error) {
    const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : "";
    return { answer: "failed", detail: `nobody answered at the gatehouse's port: ${cause}`, ms: passed() };
  }
}

/** As the client reads it: nothing and `{}` are no opinion, and anything but an object is a failure. */
function answerIn(body: string): Pick<Shot, "answer" | "detail"> {
  if (body.trim() === "") return { answer: "passed", detail: "" };
  try {
    const { hookSpecificOutput: said } = JSON.parse(body) as { hookSpecificOutput?: Readonly<Record<string, unknown>> };
    const decision = said?.["permissionDecision"];
    const detail = String(said?.["permissionDecisionReason"] ?? "");
    return { answer: decision === "deny" ? "refused" : decision === "ask" ? "asked" : "passed", detail };
  } catch {
    return { answer: "failed", detail: "the answer is not the JSON that the client expects" };
  }
}

export function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.slice(0, 200) ?? "";
}

/**
 * With a state directory of its own: what is tried here is nobody's session, and belongs in nobody's journal. What the
 * client leaves in its children's environment goes, so that nothing here is taken for an agent's.
 */
export async function withScratchState<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "sekisho-doctor-"));
  const foreign = /^(?:CLAUDE|AI_AGENT$)/;
  const kept = Object.entries(environment).filter(([name]) => !foreign.test(name));
  try {
    return await use({ ...Object.fromEntries(kept), XDG_STATE_HOME: scratch });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
