/** Prints words of other agents: nothing in them reaches the terminal as a command. */
import { inline } from "../../lib/text.ts";
import type { LetterView } from "../../views/inbox.ts";
import { columnTime } from "../../views/time.ts";
import { paint, say } from "../print.ts";

/** The body keeps its lines and tabs, and loses every other control character. */
export function harmless(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(CONTROL, "\uFFFD"))
    .join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not reach a terminal.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

export function printLetter({ id, from, kind, subject, body, created_at: at, ...rest }: LetterView): void {
  const marks = [
    ...(rest.importance === "normal" ? [] : [rest.importance]),
    ...(rest.ack_required ? ["to be acknowledged"] : []),
    ...(rest.reply_to === null ? [] : [`reply to ${rest.reply_to}`]),
    ...(rest.request_id === null ? [] : [`request ${rest.request_id}`]),
  ];
  say(paint.bold(`${inline(from, 40)}: ${inline(subject)}`));
  say(paint.dim(`${id}  ${columnTime(at)} UTC  ${kind}${marks.length === 0 ? "" : `  ${marks.join(", ")}`}`));
  if (body !== subject) say(harmless(body));
  say();
}
