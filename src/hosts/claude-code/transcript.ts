/** The client's transcript, a line at a time: which tools were used, and which of them ran. */
import type { TranscriptLine, TranscriptResult, TranscriptUse } from "../../kernel/facts.ts";
import { clip } from "../../kernel/text.ts";
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
  // A time that cannot be read is before everything, and what is from then is not judged.
  const at = typeof timestamp === "string" ? Date.parse(timestamp) || 0 : 0;
  return [{ id: callId(id), tool: clip(typeof name === "string" ? name : "", 40), at }];
}

function resultIn(block: Fields, entry: Fields): readonly TranscriptResult[] {
  const { type, tool_use_id: id } = block;
  if (type !== "tool_result" || typeof id !== "string" || id === "") return [];
  return [{ id: callId(id), ran: block["is_error"] !== true || ranAndFailed(block, entry) }];
}

/**
 * An error is also what the client writes for a call that it turned away before it asked anybody: a tool it does not
 * know, input of a wrong shape, an edit of text that is not there, a call that was interrupted while it waited. What it
 * let run carries its permission to; older clients tell of a failed command by its exit code only.
 */
function ranAndFailed({ content }: Fields, { permissionDecision }: Fields): boolean {
  if (fieldsOf(permissionDecision)?.["decision"] === "accept") return true;
  return typeof content === "string" && /^Exit code \d/.test(content);
}

export function parsed(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // Cut off, or written by somebody else: it tells nothing.
    return undefined;
  }
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
