/**
 * A record has a size limit, and too many changes would make it fail with its verdict. At the start and end of a turn
 * the less important ones are dropped instead.
 */
import type { Change } from "../state/change.ts";
import type { EventName } from "./event.ts";
import { briefTask } from "./mode-start.ts";

/** The space for changes in a record, next to its required fields. */
const BYTES_MAX = 1600;

/**
 * A refusal that cannot be recorded is not sent, so an agent could escape it by making the other changes long. Changes
 * that block or release therefore come first, then as many others as fit; those are found again at the next end of
 * turn.
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

/** Shortens the task of a starting mode instead of dropping the mode, because the person was told that it started. */
function inShort(change: Change): Change {
  if (change.record !== "mode" || change.do !== "start") return change;
  return { ...change, task: briefTask(change.task) };
}

const OF_MODES = 1;

function weightOf({ record, do: what }: Change): number {
  if (what === "refuse-stop" || what === "begin" || what === "prompt" || what === "witness") return 0;
  if (record === "mode") return OF_MODES;
  return record === "session" ? 2 : 3;
}
