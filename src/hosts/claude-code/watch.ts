/** The parts of Claude Code that checking on the daemon needs. */
import type { Door } from "../registration.ts";
import type { HostWatch } from "../setup.ts";
import { isOurs, readSettings } from "./hooks.ts";
import { layout } from "./layout.ts";

export const watch: HostWatch = { layout, callsElsewhere, shellCall, isRefusal };

interface Entry {
  readonly type?: unknown;
  readonly url?: unknown;
  readonly headers?: { readonly Authorization?: unknown };
}

function callsElsewhere(text: string, door: Door | undefined): boolean {
  const hooks = Object.values(readSettings(text)?.hooks ?? {}).flat() as readonly { readonly hooks?: unknown }[];
  return hooks
    .flatMap((group) => (Array.isArray(group?.hooks) ? (group.hooks as readonly Entry[]) : []))
    .some((hook) => isOurs(hook) && hook.type === "http" && !(door && isAt(hook, door)));
}

function isAt({ url, headers }: Entry, { port, token }: Door): boolean {
  return String(url).startsWith(`http://127.0.0.1:${port}/`) && headers?.Authorization === `Bearer ${token}`;
}

function shellCall(session: string, cwd: string, command: string): string {
  return JSON.stringify({
    session_id: session,
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "",
  });
}

function isRefusal(answer: string): boolean {
  return /"permissionDecision":"deny"/.test(answer);
}
