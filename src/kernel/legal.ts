/** The decisions that a host supports at each event. */
import type { Decision } from "../state/decision.ts";
import type { EventName } from "./event.ts";

/**
 * Every event supports pass, and only PreToolUse supports ask. At other events the host ignores or misreads a refusal.
 */
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
    case "TeammateIdle":
    case "PreCompact":
    case "PreModelSwitch":
    case "ConfigChange":
      return true;
    default:
      return false;
  }
}

/** The closest supported decision, stricter rather than milder. */
export function legal(event: EventName, decision: Decision): Decision {
  if (decision === "pass" || (decision === "ask" && event === "PreToolUse")) return decision;
  return mayDeny(event) ? "deny" : "pass";
}
