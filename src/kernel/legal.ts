/** What a host can be told at which event. */
import type { Decision } from "../state/decision.ts";
import type { EventName } from "./event.ts";

/** Which answers mean something at an event. Everywhere else the host ignores or misreads them. */
const MAY: Readonly<Partial<Record<EventName, readonly Decision[]>>> = {
  PreToolUse: ["pass", "ask", "deny"],
  PermissionRequest: ["pass", "deny"],
  UserPromptSubmit: ["pass", "deny"],
  UserPromptExpansion: ["pass", "deny"],
  Stop: ["pass", "deny"],
  SubagentStop: ["pass", "deny"],
  TaskCreated: ["pass", "deny"],
  TaskCompleted: ["pass", "deny"],
  PreCompact: ["pass", "deny"],
  PreModelSwitch: ["pass", "deny"],
  ConfigChange: ["pass", "deny"],
};

/** The nearest answer that the event has, never a milder one where a stricter one exists. */
export function legal(event: EventName, decision: Decision): Decision {
  const allowed = MAY[event] ?? ["pass"];
  if (allowed.includes(decision)) return decision;
  return decision === "ask" && allowed.includes("deny") ? "deny" : "pass";
}
