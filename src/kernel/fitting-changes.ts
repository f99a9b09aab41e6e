/** A record is small, and changes that do not fit take the verdict with them. At a turn's ends that must not be. */
import type { Change } from "../state/change.ts";
import type { EventName } from "./event.ts";

/** What is left of a record for them, with all that it cannot do without. */
const BYTES_MAX = 1600;

/**
 * A refusal that is not kept is not spoken: whoever makes the rest long enough would be let go. So what holds and frees
 * comes first, and of the rest as much as there is room for; it is looked at again when the turn ends the next time.
 */
export function fitting(event: EventName, changes: readonly Change[]): readonly Change[] {
  if (!TURNS.has(event)) return changes;
  let left = BYTES_MAX;
  const kept = new Set(
    [...changes]
      .sort((a, b) => weightOf(a) - weightOf(b))
      .filter((change) => {
        const bytes = Buffer.byteLength(JSON.stringify(change)) + 1;
        if (bytes > left) return false;
        left -= bytes;
        return true;
      }),
  );
  return changes.filter((change) => kept.has(change));
}

const TURNS: ReadonlySet<EventName> = new Set<EventName>(["Stop", "UserPromptSubmit", "UserPromptExpansion"]);

function weightOf({ record, do: what }: Change): number {
  if (what === "refuse-stop" || what === "begin" || what === "prompt") return 0;
  if (record === "mode") return 1;
  return record === "session" ? 2 : 3;
}
