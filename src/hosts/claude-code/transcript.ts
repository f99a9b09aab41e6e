/** Reads tool uses from the host's transcript, one line at a time, and whether they ran. */
import type { TranscriptLine, TranscriptResult, TranscriptUse } from "../../kernel/facts.ts";
import { clip } from "../../lib/text.ts";
import { callId } from "./parse.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function readTranscriptLine(line: string): TranscriptLine | undefined {
  const entry = parsed(line);
  const content: unknown = fieldsOf(entry?.["message"])?.["content"];
  if (!entry || !Array.isArray(content)) return undefined;
  const blocks = (content as readonly unknown[]).map(fieldsOf).filter((block) => block !== undefined);
  const type = entry["type"];
  return {
    uses: type === "assistant" ? blocks.flatMap((block) => useIn(block, entry)) : [],
    results: type === "user" ? blocks.flatMap((block) => resultIn(block, entry)) : [],
    aside: entry["isSidechain"] === true,
  };
}

export function transcriptOfAgent(transcript: string, agent: string): string | undefined {
  if (!transcript.endsWith(".jsonl") || !/^[\w-]+$/.test(agent)) return undefined;
  return `${transcript.slice(0, -".jsonl".length)}/subagents/agent-${agent}.jsonl`;
}

function useIn({ type, id, name }: Fields, { timestamp }: Fields): readonly TranscriptUse[] {
  if (type !== "tool_use" || typeof id !== "string" || id === "") return [];
  // An unreadable time counts as 0, and entries that old are not judged.
  const at = typeof timestamp === "string" ? Date.parse(timestamp) || 0 : 0;
  return [{ id: callId(id), tool: clip(typeof name === "string" ? name : "", 40), at }];
}

function resultIn(block: Fields, entry: Fields): readonly TranscriptResult[] {
  const { type, tool_use_id: id } = block;
  if (type !== "tool_result" || typeof id !== "string" || id === "") return [];
  return [{ id: callId(id), ran: block["is_error"] !== true || ranAndFailed(block, entry) }];
}

/**
 * The host also writes an error for calls it rejected itself: unknown tools, malformed input, edits of missing text,
 * interrupted calls. A call that ran carries an accepted permission; older hosts show a failed command only by its exit
 * code.
 */
function ranAndFailed({ content }: Fields, { permissionDecision }: Fields): boolean {
  if (fieldsOf(permissionDecision)?.["decision"] === "accept") return true;
  return typeof content === "string" && /^Exit code \d/.test(content);
}

export function parsed(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // A truncated or foreign line contains nothing.
    return undefined;
  }
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
