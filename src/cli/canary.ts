/** Sends a command that must never run through a registered hook, as the client would, to see it refused. */
import { spawnSync } from "node:child_process";
import type { HookEntry, Slot } from "../hosts/claude-code/hooks.ts";
import { CANARY } from "../views/explain.ts";

/** Undefined when it was refused; else what happened in its place. */
export async function canary({ hook }: Slot, cwd: string): Promise<string | undefined> {
  const payload = JSON.stringify({
    session_id: CANARY,
    hook_event_name: "PreToolUse",
    cwd,
    tool_name: "Bash",
    tool_input: { command: "rm -rf /" },
    tool_use_id: "",
  });
  return hook.type === "http" ? post(hook, payload) : start(hook, payload, cwd);
}

function start(hook: Extract<HookEntry, { type: "command" }>, input: string, cwd: string): string | undefined {
  const options = { input, cwd, encoding: "utf8", timeout: hook.timeout * 1000, killSignal: "SIGKILL" } as const;
  const { status, signal, stderr, error } = spawnSync(hook.command, hook.args, options);
  if (status === 2) return undefined;
  if (status === null) return error ? error.message : `it was ended by ${signal}`;
  return [`exit ${status}`, stderr.trim()].filter(Boolean).join(", ");
}

async function post({ url, headers, timeout }: Extract<HookEntry, { type: "http" }>, body: string) {
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const answer = await fetch(url, { method: "POST", headers: { ...headers, ...JSON_BODY }, body, signal });
    const text = await answer.text();
    return answer.ok && isRefusal(text) ? undefined : `it answered ${answer.status} ${text.slice(0, 200)}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}

const JSON_BODY = { "content-type": "application/json" };

function isRefusal(text: string): boolean {
  try {
    const { hookSpecificOutput } = JSON.parse(text) as { hookSpecificOutput?: { permissionDecision?: unknown } };
    return hookSpecificOutput?.permissionDecision === "deny";
  } catch {
    // What is no JSON is no refusal either, and the client would say the same.
    return false;
  }
}
