/**
 * The text that wakes an agent. It is typed into a terminal, where the host takes it for a person's words, so it is known by
 * its form: a prompt that has it counts for nothing a person could say, whatever token it has and whoever typed it.
 */

/** Fixed words and a token. A shell that got them by mistake would find no such command, and nothing in them to expand or to run. */
export function wakeText(token: string): string {
  return `Messages or tasks are waiting for you. Look with sekisho inbox read and sekisho task list. [sekisho wake ${token}]`;
}

/** Without regard to case, width, spaces and invisible characters: the transcript may spell the same words another way. */
export function isWakeText(words: string): boolean {
  return words.normalize("NFKC").replace(HIDDEN, "").toLowerCase().includes("[sekishowake");
}

const HIDDEN = /[\p{Cf}\p{Cc}\s]+/gu;
