/** Reads tool uses, their results and prompts from the host's transcript, one line at a time. */
import type { TranscriptLine, TranscriptResult, TranscriptUse } from "../../kernel/facts.ts";
import { clip } from "../../lib/text.ts";
import { callId } from "./parse.ts";
import { promptsIn } from "./transcript-origin.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function readTranscriptLine(line: string): TranscriptLine | undefined {
  const entry = parsed(line);
  if (!entry) return undefined;
  const content: unknown = fieldsOf(entry["message"])?.["content"];
  const list: readonly unknown[] = Array.isArray(content) ? content : [];
  const blocks = list.map(fieldsOf).filter((block) => block !== undefined);
  const type = entry["type"];
  if (type === "system") return entry["subtype"] === STOPPED ? { ...NOTHING, ends: [timeOf(entry)] } : undefined;
  const prompts = promptsIn(entry, typeof content === "string" ? content : blocks, timeOf(entry));
  if (!Array.isArray(content) && prompts.length === 0) return undefined;
  return {
    uses: type === "assistant" ? blocks.flatMap((block) => useIn(block, entry)) : [],
    results: type === "user" ? blocks.flatMap((block) => resultIn(block, entry)) : [],
    ...(prompts.length > 0 && { prompts }),
    aside: entry["isSidechain"] === true,
  };
}

/** The host writes it after the hooks of every Stop, refused or not. */
const STOPPED = "stop_hook_summary";
const NOTHING = { uses: [], results: [], aside: false };

/** The host names the file for the session, also when it moves the file. */
export function isTranscriptOf(transcript: string, session: string): boolean {
  return transcript.endsWith(`/${session}.jsonl`);
}

export function transcriptOfAgent(transcript: string, agent: string): string | undefined {
  if (!transcript.endsWith(".jsonl") || !/^[\w-]+$/.test(agent)) return undefined;
  return `${transcript.slice(0, -".jsonl".length)}/subagents/agent-${agent}.jsonl`;
}

function useIn({ type, id, name, input }: Fields, entry: Fields): readonly TranscriptUse[] {
  if (type !== "tool_use" || typeof id !== "string" || id === "") return [];
  const command = name === "Bash" ? fieldsOf(input)?.["command"] : undefined;
  const tool = clip(typeof name === "string" ? name : "", 40);
  return [{ id: callId(id), tool, at: timeOf(entry), ...(typeof command === "string" && { command }) }];
}

/** An unreadable time counts as 0, and entries that old are not judged. */
function timeOf({ timestamp }: Fields): number {
  return typeof timestamp === "string" ? Date.parse(timestamp) || 0 : 0;
}

function resultIn(block: Fields, entry: Fields): readonly TranscriptResult[] {
  const { type, tool_use_id: id } = block;
  if (type !== "tool_result" || typeof id !== "string" || id === "") return [];
  const failed = block["is_error"] === true && { failed: true as const };
  return [{ id: callId(id), ran: !failed || ranAndFailed(block, entry), ...failed }];
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
