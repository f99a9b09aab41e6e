/** How a failed hook can still block: only exit code 2 stops Claude Code. */
import { HARMLESS } from "../marks.ts";

/** Used when the rest of the program cannot be loaded. `event` and `gate` are the hook's arguments. */
export function failureCode(event: string, gate: string): 0 | 2 {
  const isGate = event === "" || event === "PreToolUse" || event === "ConfigChange";
  return isGate && gate !== HARMLESS ? 2 : 0;
}
