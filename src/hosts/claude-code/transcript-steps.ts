/** Tool uses and their results in the entries of a transcript, in either form that Claude Code writes; everything else is talk. */
import type { Result, Step } from "../../evidence/told-results.ts";
import { type Fields, fieldsOf } from "./transcript.ts";

/** In transcript order. */
export function stepsIn(entries: readonly unknown[]): readonly Step[] {
  return entries.flatMap((value) => {
    const entry = fieldsOf(value);
    return entry ? partsOf(entry).flatMap((part) => stepOf(part, speakerOf(entry), entry)) : [];
  });
}

/** `message.content` as a list of parts; or the same list or a text in the entry itself. */
function partsOf(entry: Fields): readonly Fields[] {
  const content = fieldsOf(entry["message"])?.["content"] ?? entry["content"];
  if (isPart(entry)) return [entry];
  if (Array.isArray(content)) return content.map(fieldsOf).filter((part) => part !== undefined);
  return speakerOf(entry) === "tool" ? [{ ...entry, type: "tool_result" }] : [];
}

function isPart({ type }: Fields): boolean {
  return type === "tool_use" || type === "tool_result";
}

function speakerOf(entry: Fields): unknown {
  return fieldsOf(entry["message"])?.["role"] ?? entry["role"] ?? entry["type"];
}

function stepOf(part: Fields, speaker: unknown, { cwd }: Fields): readonly Step[] {
  if (part["type"] === "tool_use" && (speaker === "assistant" || speaker === "tool_use")) {
    const use = useIn(textIn(part["name"]), fieldsOf(part["input"]) ?? {});
    return [{ step: "use", id: textIn(part["id"]), ...use, cwd: typeof cwd === "string" ? cwd : undefined }];
  }
  return part["type"] === "tool_result" && speaker !== "assistant" ? resultIn(part) : [];
}

function useIn(tool: string, input: Fields): { readonly command?: string; readonly edits?: readonly string[] } {
  if (tool === "Bash") return typeof input["command"] === "string" ? { command: input["command"] } : {};
  if (!EDITING.test(tool)) return {};
  return { edits: [input["file_path"], input["notebook_path"]].filter((path) => typeof path === "string") };
}

const EDITING = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;

/** A rejected call has a text of its own, for instance a refusal of Sekisho, but nothing ran. */
function resultIn(part: Fields): readonly Result[] {
  const text = textIn(part["content"]);
  const failed = /^(?:Error: )?Exit code [1-9]/.test(text);
  if (part["is_error"] === true && !failed) return [];
  return [{ step: "result", id: textIn(part["tool_use_id"] ?? part["tool_call_id"]), text, failed }];
}

/** A text, or the texts in a list of parts. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const texts = value.map((part) => fieldsOf(part)?.["text"]);
  return texts.filter((text) => typeof text === "string").join("\n");
}
