/** Whether a prompt is a person's own: only that refills, starts or cancels anything. */
import type { Session } from "../state/session.ts";
import type { HookEvent } from "./event.ts";

const WORDS_CHARS = 80;

/** How a prompt that the agent has sent later would be known again. Its sentinels become other words on the way. */
export function sentWords(prompt: string): string {
  const words = spelled(prompt);
  return words.startsWith("<<") ? "" : words.slice(0, WORDS_CHARS);
}

/**
 * The client's own notes are not, nor is what the agent had sent to itself or what stands in the client's file of prompts
 * to come; where nobody knows the words of those, none is.
 */
export function isPersons(
  event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">,
  { proof }: Pick<Session, "proof">,
  scheduled: readonly string[] = [],
): boolean {
  if (event.name === "UserPromptSubmit" && (event.notification || event.automatic)) return false;
  const sent = [...(proof?.sent ?? []), ...scheduled];
  if (sent.length === 0) return true;
  const said = spelled(event.name === "UserPromptSubmit" ? event.prompt : `/${event.command} ${event.args}`);
  return !sent.some((words) => isSent(words, said));
}

/** What is short stands in many prompts: those are the agent's only as a whole. Where nobody knows the words, all may be. */
function isSent(words: string, said: string): boolean {
  return words === "" || words === said || (words.length >= TELLING_CHARS && said.includes(words));
}

const TELLING_CHARS = 12;

/** Signs that nobody sees may be lost on the way. */
function spelled(words: string): string {
  return words
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
