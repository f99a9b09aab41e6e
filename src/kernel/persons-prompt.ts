/** Tells whether a person wrote a prompt: only such a prompt refills, starts or cancels anything. */
import type { Session } from "../state/session/session.ts";
import { isWakeText } from "../state/wakes/text.ts";
import type { HookEvent } from "./event.ts";

const WORDS_CHARS = 80;

/**
 * Normalizes a prompt that the agent sends, to recognize the prompt later. Sentinels (`<<…`) change on the way and
 * become "".
 */
export function sentWords(prompt: string): string {
  const words = spelled(prompt);
  return words.startsWith("<<") ? "" : words.slice(0, WORDS_CHARS);
}

/**
 * False for the host's own notes, prompts the agent sent to itself, prompts in the host's schedule file, and our own text that
 * wakes an agent. If the words of a sent prompt are unknown, no prompt counts as a person's.
 */
export function isPersons(
  event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">,
  { proof }: Pick<Session, "proof">,
  scheduled: readonly string[] = [],
): boolean {
  if (event.name === "UserPromptSubmit" && (event.notification || event.automatic)) return false;
  const words = event.name === "UserPromptSubmit" ? event.prompt : `/${event.command} ${event.args}`;
  if (isWakeText(words)) return false;
  const sent = [...(proof?.sent ?? []), ...scheduled];
  if (sent.length === 0) return true;
  const said = spelled(words);
  return !sent.some((words) => isSent(words, said));
}

/** A short text must match the whole prompt, since it may be part of many. An unknown text matches every prompt. */
function isSent(words: string, said: string): boolean {
  return words === "" || words === said || (words.length >= TELLING_CHARS && said.includes(words));
}

const TELLING_CHARS = 12;

/** Drops invisible characters, which may get lost on the way. */
function spelled(words: string): string {
  return words
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
