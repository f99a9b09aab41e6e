/** What a host can be told at which event. */
import type { Decision } from "../state/decision.ts";
import type { EventName } from "./event.ts";

/** Every event may be told to go on, and only one may be told to ask. Elsewhere the host ignores or misreads an answer. */
function mayDeny(event: EventName): boolean {
  switch (event) {
    case "PreToolUse":
    case "PermissionRequest":
    case "UserPromptSubmit":
    case "UserPromptExpansion":
    case "Stop":
    case "SubagentStop":
    case "TaskCreated":
    case "TaskCompleted":
    case "PreCompact":
    case "PreModelSwitch":
    case "ConfigChange":
      return true;
    default:
      return false;
  }
}

/** The nearest answer that the event has, never a milder one where a stricter one exists. */
export function legal(event: EventName, decision: Decision): Decision {
  if (decision === "pass" || (decision === "ask" && event === "PreToolUse")) return decision;
  return mayDeny(event) ? "deny" : "pass";
}
