/** A tool use as one text; grants are bound to its digest. */
import { type HookEvent, isAttempt } from "./event.ts";

/**
 * Contains tool, directory and input. Two uses have the same text only if they are identical, apart from the order of
 * fields. Undefined for other events and for deeply nested input.
 */
export function effectText(event: HookEvent): string | undefined {
  if (!isAttempt(event)) return undefined;
  try {
    return JSON.stringify([event.tool.name, event.cwd, ordered(event.effect ?? event.input, 0)]);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const DEPTH_MAX = 200;

/** The first item distinguishes lists from maps. */
function ordered(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEPTH_MAX) throw new RangeError("nested too deeply");
  if (Array.isArray(value)) return ["list", ...value.map((item) => ordered(item, depth + 1))];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ["map", ...entries.map(([key, item]) => [key, ordered(item, depth + 1)])];
}
