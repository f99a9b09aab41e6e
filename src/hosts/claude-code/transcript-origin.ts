/** Prompts in the host's transcript and where they came from. The hook is not told; only the transcript says it. */
import type { TranscriptPrompt } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { isWakeText } from "../../state/wakes/text.ts";
import { heardIn, isIntroduced } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;
type Origin = TranscriptPrompt["from"];

/** Content as text, or its blocks. */
export function promptsIn(entry: Fields, content: string | readonly Fields[], at: number): readonly TranscriptPrompt[] {
  const { type, isCompactSummary } = entry;
  const queued = type === "attachment" ? entry["attachment"] : undefined;
  if (isObject(queued)) return queuedIn(queued, at);
  const words = wordsIn(content);
  if (words === undefined || isCompactSummary === true) return [];
  if (type === "assistant") return [{ words, at, from: entry["isApiErrorMessage"] === true ? "break" : "said" }];
  if (type !== "user") return [];
  if (words.startsWith("[Request interrupted by user")) return [{ words, at, from: "break" }];
  // A teammate's message has no origin in the transcript.
  const from = words.startsWith("Another ") && isIntroduced(words) ? "peer" : originOf(entry, words);
  if (from === "peer") return [{ words: messageIn(words), at, from, ...heard(words) }];
  return [{ words: commandIn(words) ?? words, at, from }];
}

/** The words of another session, which the hook was given, stand between a line and a paragraph of the host's. */
function messageIn(words: string): string {
  return /^[^\n]*:\n([\s\S]*)\n\n[^\n]*$/.exec(words)?.[1] ?? words;
}

function heard(words: string): Pick<TranscriptPrompt, "heard"> {
  const found = heardIn(words);
  return found ? { heard: found } : {};
}

/** Words typed or sent while a turn was running. */
function queuedIn(attachment: Fields, at: number): readonly TranscriptPrompt[] {
  const { type, prompt, commandMode } = attachment;
  if (type !== "queued_command") return [];
  const words = typeof prompt === "string" ? prompt : wordsIn(Array.isArray(prompt) ? prompt.filter(isObject) : []);
  if (words === undefined) return [];
  return [{ words, at, from: commandMode === "task-notification" ? "task" : originOf(attachment, words) }];
}

/** For the host, what we type to wake an agent is typed by a person. */
function originOf(entry: Fields, words: string): Origin {
  const origin = namedOrigin(entry);
  return (origin === "person" || origin === "program") && isWakeText(words) ? "other" : origin;
}

/** `origin` says who; a slash command has only `turnOrigin`. */
function namedOrigin(entry: Fields): Origin {
  const { origin, turnOrigin, promptSource, isMeta } = entry;
  const kind = isObject(origin) ? origin["kind"] : undefined;
  const said = [kind, turnOrigin, promptSource].find((one) => typeof one === "string");
  if (said === undefined) return isMeta === true ? "other" : "program";
  return own(ORIGINS, said as string) ?? "other";
}

const ORIGINS: Readonly<Record<string, Origin | undefined>> = {
  human: "person",
  typed: "person",
  sdk: "program",
  peer: "peer",
  "task-notification": "task",
  task_notification: "task",
};

/** A slash command is written in tags; the hook was given it as it was typed. */
function commandIn(words: string): string | undefined {
  const part = (tag: string): string | undefined => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(words)?.[1];
  const name = words.startsWith("<command-") ? part("command-name") : undefined;
  return name === undefined ? undefined : `${name} ${part("command-args") ?? ""}`;
}

function wordsIn(content: string | readonly Fields[]): string | undefined {
  if (typeof content === "string") return content;
  if (content.some(({ type }) => type === "tool_result")) return undefined;
  const texts = content.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
