/** What became of modes at an event, in words for the trail: when one began, why it ended. Refusals tell themselves. */
import type { ModeChange, ModeEnd } from "../state/modes.ts";
import type { VerdictRecord } from "../state/record.ts";

/** The detail of such an entry. */
export function modeTold({ changes = [] }: VerdictRecord): { readonly detail?: string } {
  const words = changes.flatMap((change) => (change.record === "mode" ? wordsOf(change) : []));
  return words.length === 0 ? {} : { detail: words.join(", ") };
}

function wordsOf(change: ModeChange): readonly string[] {
  switch (change.do) {
    case "start":
      return change.with === undefined ? [`${change.mode} begins`] : [];
    case "stop":
      return [`${change.mode ?? "every mode"} ends: ${END[change.why]}`];
    case "pause":
      return [`paused: ${change.why}`];
    case "claim":
      return ["takes up what waited"];
    case "adopt":
      return [`goes on with what ${change.from} has left`];
    default:
      return [];
  }
}

const END: Readonly<Record<ModeEnd, string>> = {
  done: "done",
  cancelled: "cancelled by the person",
  spent: "all its refusals are used up",
  stuck: "the same thing failed three times",
};
