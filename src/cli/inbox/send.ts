/** Sends one message, or one per line of standard input. */
import { type MessageWish, openSender, type SentMessage, sendMessage } from "../../app/actions/inbox-send.ts";
import { agentHere } from "../../app/admission.ts";
import { isProblem, Problem } from "../../app/problem.ts";
import { type Here, here } from "../../app/project.ts";
import { absentOf } from "../../app/queries/inbox.ts";
import { inline } from "../../lib/text.ts";
import { sayDone, sayJson } from "../print.ts";
import { linesOfInput, pipedText } from "../tty.ts";

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

type Options = Readonly<Record<string, string | boolean | undefined>>;

export function sendWish(words: readonly string[], options: Options): MessageWish {
  const [to, rest] = targetsIn(words, options);
  if (to.length === 0 || rest.length === 0) throw new Problem("Usage: sekisho inbox send TO TEXT");
  const text = textIn(options);
  return {
    ...{ to, text: rest.length === 1 && rest[0] === "-" ? pipedText(TEXT_BYTES_MAX) : rest.join(" ") },
    ...{ subject: text("subject"), type: text("type"), importance: text("importance"), ack: options["ack"] === true },
    ...{ thread: text("thread"), reply_to: text("reply-to"), request_id: text("request-id") },
    ...{ expires: text("expires"), id: text("id"), payload: payloadIn(options) },
  };
}

/** The order of arguments of the original writer. */
export function writeWish(words: readonly string[], options: Options): MessageWish {
  const [to, [text = "", type = "wake_up", from, ...more]] = targetsIn(words, options);
  if (to.length === 0 || to.includes("") || text === "" || more.length > 0)
    throw new Problem("Usage: sekisho inbox write TO TEXT [TYPE] [FROM]");
  return { to, text, type, from, request_id: textIn(options)("request-id"), payload: payloadIn(options) };
}

/** The recipients and the other words. With `--targets` there is no word for them. */
function targetsIn(words: readonly string[], options: Options): readonly [readonly string[], readonly string[]] {
  const many = textIn(options)("targets");
  if (many !== undefined) return [many.split(","), words];
  return [words[0]?.split(",") ?? [], words.slice(1)];
}

const textIn =
  (options: Options) =>
  (name: string): string | undefined =>
    typeof options[name] === "string" ? options[name] : undefined;

const RETRIES_MAX = 2;

/** What the original writer has in fields of its own is data of the message here. */
function payloadIn(options: Options): string | undefined {
  const text = textIn(options);
  const [subtask, category, retries] = [text("subtask-id"), text("failure-category"), text("retry-count")];
  const payload = text("payload");
  if (subtask === undefined && category === undefined && retries === undefined) return payload;
  if (payload !== undefined)
    throw new Problem("--payload can't be used with --subtask-id, --failure-category or --retry-count.");
  if (retries !== undefined && !(/^\d$/.test(retries) && Number(retries) <= RETRIES_MAX))
    throw new Problem(`--retry-count is at most ${RETRIES_MAX}.`);
  return JSON.stringify({
    ...(subtask !== undefined && { subtask_id: subtask }),
    ...(category !== undefined && { failure_category: category }),
    ...(retries !== undefined && { retry_count: Number(retries) }),
  });
}

/** Kept is not delivered, so it says neither "sent" nor "delivered". */
export async function send(wish: MessageWish, json: boolean): Promise<number> {
  const place = here();
  const sent = await sendMessage(place, wish);
  if (json) sayJson(sent);
  else sayDone(`Queued for ${sent.map(({ to }) => to).join(", ")} (${sent[0]?.id}).${followUp(place, sent)}`);
  return 0;
}

/** Who gets it later, and where a person sees whether it was read; an agent may not look into that inbox. */
function followUp(place: Here, sent: readonly SentMessage[]): string {
  const names = sent.map(({ to }) => to);
  const absent = absentOf(place, names);
  const [first] = names;
  const whose = names.length === 1 ? first : "NAME";
  const later =
    absent.length === 0 ? "" : `\n  Not running now: ${absent.join(", ")}. Told when a session of that name begins.`;
  return agentHere() === undefined ? `${later}\n  See who has read it: \`sekisho inbox list --for ${whose}\`` : later;
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
  const unknown = Object.keys(texts).find((name) => !TEXTS.includes(name));
  if (unknown !== undefined)
    throw new Problem(`"${inline(unknown, 40)}" is none of ${["to", "ack", "payload", ...TEXTS].join(", ")}.`);
  const wrong = Object.entries(texts).find(([, value]) => typeof value !== "string");
  if (wrong) throw new Problem(`"${wrong[0]}" must be a string.`);
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
