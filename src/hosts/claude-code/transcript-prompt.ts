/** The client's transcript, a line at a time: what a person has written. */
import { fieldsOf, parsed } from "./transcript.ts";

/** Undefined for whatever is no person's: what a tool said, a subagent, the client itself, a summary. */
export function readPrompt(line: string): string | undefined {
  const entry = parsed(line);
  if (entry?.["type"] !== "user" || NOT_SAID.some((mark) => entry[mark] === true)) return undefined;
  const words = wordsIn(fieldsOf(entry["message"])?.["content"])?.trim() ?? "";
  return words === "" || NOTE.test(words) ? undefined : words;
}

const NOT_SAID = ["isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];

/** In tags of the client's own, as commands and notifications are, or in its own words. */
const NOTE =
  /^(?:<[a-z]+(?:-[a-z]+)+[\s>]|\[Request interrupted by user|Caveat: The messages below|Stop hook feedback:)/;

function wordsIn(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const blocks = (content as readonly unknown[]).map(fieldsOf);
  if (blocks.some((block) => block?.["type"] === "tool_result")) return undefined;
  return blocks.flatMap((block) => (typeof block?.["text"] === "string" ? [block["text"]] : [])).join("\n");
}
