/** A command that must be refused, sent through the door as the client would send it. The gatehouse keeps no record of it. */
import type { Canary } from "../kernel/facts.ts";
import { CANARY } from "../state/session.ts";
import { ask } from "./ask.ts";

export async function sendCanary(
  { port, token }: { readonly port: number; readonly token: string },
  cwd: string,
  timeoutMs: number,
): Promise<Canary> {
  const body = JSON.stringify({
    session_id: CANARY,
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "rm -rf /" },
    tool_use_id: "",
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await ask({ port, path: "/PreToolUse/any/canary", timeoutMs, headers, body });
  if ("silent" in answer) return { denied: false, detail: answer.silent };
  const denied = /"permissionDecision":"deny"/.test(answer.text);
  return { denied, detail: denied ? "the gatehouse" : `the gatehouse answered ${answer.text.slice(0, 120)}` };
}
