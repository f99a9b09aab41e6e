/** A record is small, and changes that do not fit take the verdict with them. At a turn's ends that must not be. */
import type { Change } from "../state/change.ts";
import type { EventName } from "./event.ts";
import { briefTask } from "./mode-start.ts";

/** What is left of a record for them, with all that it cannot do without. */
const BYTES_MAX = 1600;

/**
 * A refusal that is not kept is not spoken: whoever makes the rest long enough would be let go. So what holds and frees
 * comes first, and of the rest as much as there is room for; it is looked at again when the turn ends the next time.
 */
export function fitting(event: EventName, given: readonly Change[]): readonly Change[] {
  if (!TURNS.has(event)) return given;
  const first = given.filter((change) => weightOf(change) <= OF_MODES);
  const changes = first.reduce((sum, change) => sum + bytesOf(change), 0) > BYTES_MAX ? given.map(inShort) : given;
  let left = BYTES_MAX;
  const kept = new Set(
    [...changes]
      .sort((a, b) => weightOf(a) - weightOf(b))
      .filter((change) => {
        const bytes = bytesOf(change);
        if (bytes > left) return false;
        left -= bytes;
        return true;
      }),
  );
  return changes.filter((change) => kept.has(change));
}

const TURNS: ReadonlySet<EventName> = new Set<EventName>(["Stop", "UserPromptSubmit", "UserPromptExpansion"]);

function bytesOf(change: Change): number {
  return Buffer.byteLength(JSON.stringify(change)) + 1;
}

/** A mode that begins with less of its task is better than none: the person was told that it has begun. */
function inShort(change: Change): Change {
  if (change.record !== "mode" || change.do !== "start") return change;
  return { ...change, task: briefTask(change.task) };
}

const OF_MODES = 1;

function weightOf({ record, do: what }: Change): number {
  if (what === "refuse-stop" || what === "begin" || what === "prompt") return 0;
  if (record === "mode") return OF_MODES;
  return record === "session" ? 2 : 3;
}
