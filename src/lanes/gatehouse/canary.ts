/** Sends a command that must be refused to the daemon, like the host would. The daemon does not record it. */

import { ask } from "../../daemon/ask.ts";
import { HOST, watches } from "../../hosts/index.ts";
import type { Canary } from "../../kernel/facts.ts";
import { CANARY } from "../../state/session/session.ts";

export async function sendCanary(
  { port, token }: { readonly port: number; readonly token: string },
  cwd: string,
  timeoutMs: number,
): Promise<Canary> {
  const { shellCall, isRefusal } = watches[HOST];
  const body = shellCall(CANARY, cwd, "rm -rf /");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await ask({ port, path: "/PreToolUse/any/canary", timeoutMs, headers, body });
  if ("silent" in answer) return { denied: false, detail: answer.silent };
  const denied = isRefusal(answer.text);
  return { denied, detail: denied ? "the gatehouse" : `the gatehouse answered ${answer.text.slice(0, 120)}` };
}
