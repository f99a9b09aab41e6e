/** Reads the person's prompts from the host's transcript, one line at a time. */
import { fieldsOf, parsed } from "./transcript.ts";

/** Undefined for lines that no person wrote: tool results, subagents, host messages, summaries. */
export function readPrompt(line: string): string | undefined {
  const entry = parsed(line);
  if (entry?.["type"] !== "user" || NOT_SAID.some((mark) => entry[mark] === true)) return undefined;
  const words = wordsIn(fieldsOf(entry["message"])?.["content"])?.trim() ?? "";
  return words === "" || NOTE.test(words) ? undefined : words;
}

const NOT_SAID = ["isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"];

/** Messages of the host itself, in tags (commands, notifications) or as fixed texts. */
const NOTE =
  /^(?:<[a-z]+(?:-[a-z]+)+[\s>]|\[Request interrupted by user|Caveat: The messages below|Stop hook feedback:)/;

function wordsIn(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const blocks = (content as readonly unknown[]).map(fieldsOf);
  if (blocks.some((block) => block?.["type"] === "tool_result")) return undefined;
  return blocks.flatMap((block) => (typeof block?.["text"] === "string" ? [block["text"]] : [])).join("\n");
}
