/** Changes of modes by an event, in words for the trail: started, ended and why, paused, moved. */

import type { VerdictRecord } from "../state/record.ts";
import type { ModeEnd } from "../state/session/modes.ts";

/** Empty when no mode changed. Refusals are left out, because they are entries of their own. */
export function modeMoves({ changes = [] }: VerdictRecord): readonly string[] {
  return changes.flatMap((change): readonly string[] => {
    if (change.record !== "mode") return [];
    switch (change.do) {
      case "start":
        return [`${change.mode} began (by ${change.by})`];
      case "stop":
        return [`${change.mode ?? "every mode"} ended: ${END[change.why]}`];
      case "pause":
        return [`paused: ${change.why}`];
      case "claim":
        return ["took up what waited"];
      case "adopt":
        return [`taken over from session ${change.from}`];
      default:
        return [];
    }
  });
}

const END: Readonly<Record<ModeEnd, string>> = {
  done: "done",
  cancelled: "cancelled by the person",
  spent: "all its refusals are used up",
  stuck: "the same thing failed three times",
};
