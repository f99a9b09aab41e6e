/** Sends one message, or one per line of standard input. */
import { type MessageWish, openSender, type SentMessage, sendMessage } from "../../app/actions/inbox-send.ts";
import { isProblem, Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { inline } from "../../lib/text.ts";
import { sayDone, sayJson } from "../print.ts";
import { linesOfInput, pipedText } from "../tty.ts";

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

type Options = Readonly<Record<string, string | boolean | undefined>>;

export function sendWish([to, ...words]: readonly string[], options: Options): MessageWish {
  if (to === undefined || words.length === 0) throw new Problem("sekisho inbox send TO TEXT");
  const text = (name: string): string | undefined => (typeof options[name] === "string" ? options[name] : undefined);
  return {
    to: to.split(","),
    text: words.length === 1 && words[0] === "-" ? pipedText(TEXT_BYTES_MAX) : words.join(" "),
    ...{ subject: text("subject"), type: text("type"), importance: text("importance"), ack: options["ack"] === true },
    ...{ thread: text("thread"), reply_to: text("reply-to"), request_id: text("request-id"), payload: text("payload") },
    ...{ expires: text("expires"), id: text("id") },
  };
}

/** The order of arguments of the original writer. */
export function writeWish([to = "", text = "", type = "wake_up", from, ...more]: readonly string[]): MessageWish {
  if (to === "" || text === "" || more.length > 0) throw new Problem("sekisho inbox write TO TEXT [TYPE] [FROM]");
  return { to: [to], text, type, from };
}

/** Kept is not delivered, so it says neither "sent" nor "delivered". */
export async function send(wish: MessageWish, json: boolean): Promise<number> {
  const sent = await sendMessage(here(), wish);
  if (json) sayJson(sent);
  else
    for (const { id, to } of sent) sayDone(`Queued for ${to} (${id}). \`sekisho inbox list\` shows when it was read.`);
  return 0;
}

/** A message that can't be sent is answered too, and the next one is read. */
export async function sendStream(words: readonly string[]): Promise<number> {
  if (words.length > 0) throw new Problem("sekisho inbox send --stdin takes its messages from standard input.");
  const sender = openSender(here());
  let problems = 0;
  let line = 0;
  try {
    for await (const text of linesOfInput(TEXT_BYTES_MAX)) {
      line++;
      if (text.trim() === "") continue;
      const sending = async (): Promise<readonly SentMessage[]> => sender.send(wishIn(text));
      const answer = await sending().then(
        (sent) => ({ line, sent }),
        (error: unknown) => ({ line, problem: wordsOf(error) }),
      );
      if ("problem" in answer) problems++;
      process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
  } finally {
    sender.close();
  }
  return problems === 0 ? 0 : 1;
}

function wordsOf(error: unknown): string {
  if (isProblem(error)) return error.message;
  throw error;
}

const TEXTS = ["text", "subject", "type", "importance", "thread", "reply_to", "request_id", "expires", "id", "from"];

function wishIn(line: string): MessageWish {
  const value = valueIn(line);
  const { to, ack, payload, ...texts } = value;
  const wrong = Object.entries(texts).find(([name, text]) => !TEXTS.includes(name) || typeof text !== "string");
  if (wrong)
    throw new Problem(
      `"${inline(wrong[0], 40)}" is none of ${["to", "ack", "payload", ...TEXTS].join(", ")}, or no text.`,
    );
  const names = typeof to === "string" ? to.split(",") : to;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) throw new Problem('"to" is missing.');
  return {
    text: "",
    ...texts,
    ...{ to: names as readonly string[], ack: ack === true },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  };
}

function valueIn(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Problem("A message is a JSON object on one line.");
}
