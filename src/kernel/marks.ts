/** Marks by which the same command or the same words are recognized again, without keeping them. */
import { markOf } from "../lib/sha256.ts";
import type { Tool } from "../reading/tool.ts";

const CHARS_MAX = 4096;

/** Of a longer text the length and both ends: hashing all of it would slow the gate. */
function ends(text: string): string {
  if (text.length <= CHARS_MAX) return text;
  return `${text.slice(0, CHARS_MAX / 2)}\n${text.length}\n${text.slice(-CHARS_MAX / 2)}`;
}

export function commandMark(command: string): string {
  return markOf(ends(command));
}

/** Spaces and line ends may change on the way to the transcript. */
export function wordsMark(words: string): string {
  return markOf(ends(words.replace(/\s+/g, " ").trim()));
}

/** Of what a tool would do, where the host reports the same input before and after: shells and tools that write. */
export function toolMark(tool: Tool, input: unknown): string | undefined {
  if (tool.kind === "bash") return commandMark(tool.command);
  if (tool.kind !== "write" && tool.kind !== "edit" && tool.kind !== "notebook") return undefined;
  return markOf(ends(JSON.stringify(input) ?? ""));
}
