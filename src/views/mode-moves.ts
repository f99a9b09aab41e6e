/** What an event has done to modes, in words for the trail: begun, ended and why, paused, handed on. */
import type { ModeEnd } from "../state/modes.ts";
import type { VerdictRecord } from "../state/record.ts";

/** Empty where it has done nothing of the kind. A refusal only counts, and is an entry of its own. */
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
