/** A tool use as one text: what a person's leave is bound to, by its digest. */
import { type HookEvent, isAttempt } from "./event.ts";

/**
 * Tool, place and input. Two uses have the same text only if they are the same to the letter, in whatever order their
 * fields stand. Undefined for what is not a tool use, or is nested beyond reason.
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

/** Lists and maps are told apart by their first item. */
function ordered(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEPTH_MAX) throw new RangeError("nested too deeply");
  if (Array.isArray(value)) return ["list", ...value.map((item) => ordered(item, depth + 1))];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ["map", ...entries.map(([key, item]) => [key, ordered(item, depth + 1)])];
}
