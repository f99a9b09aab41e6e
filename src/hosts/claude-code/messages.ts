/** The host's own messages between agents: what its tool answered the sender, and how a message reaches its reader. */
import type { DeliveryNotice, HeardMessage, SentMessage } from "../../kernel/event.ts";
import { own } from "../../lib/keyed.ts";
import { string } from "../fields.ts";

type Fields = Readonly<Record<string, unknown>>;

const ANSWER_CHARS = 300;

/** A message without words (a request to be told when somebody is idle, or to shut down) is none. */
export function sentIn({ tool_input: input, tool_response: answer }: Fields): { sent?: SentMessage } {
  if (!isObject(input) || !isObject(answer)) return {};
  const { to, message, summary } = input;
  if (typeof to !== "string" || typeof message !== "string" || message.trim() === "") return {};
  const { success, message: said, msg_id: ref } = answer;
  return {
    sent: {
      to,
      body: message,
      ...(typeof summary === "string" && summary.trim() !== "" && { subject: summary }),
      isTaken: success !== false,
      reach: reachOf(to, answer),
      ...(typeof ref === "string" && ref !== "" && { ref }),
      answer: string(said).slice(0, ANSWER_CHARS),
    },
  };
}

/** Only the form of the answer tells who the recipient is. */
function reachOf(to: string, { pin, routing }: Fields): SentMessage["reach"] {
  if (to === "main") return "main";
  if (isObject(pin)) return "agent";
  return isObject(routing) ? "team" : "session";
}

const TAGS: Readonly<Record<string, HeardMessage["reach"]>> = {
  "cross-session-message": "session",
  "agent-message": "main",
  "teammate-message": "team",
};

/** In the transcript the host writes a line before the message and a warning after it. */
const INTRODUCED = /^Another Claude session sent a message[^\n]*:\n/;

export function isIntroduced(words: string): boolean {
  return INTRODUCED.test(words);
}

/** The message in a prompt or in a line of the transcript. */
export function heardIn(words: string): HeardMessage | undefined {
  const text = words.replace(INTRODUCED, "").trimStart();
  const [opening = "", tag = "", marks = ""] =
    /^<([a-z]+(?:-[a-z]+)+)((?:\s+[a-z_-]+="[^"]*")*)\s*>\n?/.exec(text) ?? [];
  const reach = own(TAGS, tag);
  if (reach === undefined) return undefined;
  // A body may hold the closing tag too; the host's own is the last one.
  const end = text.lastIndexOf(`</${tag}>`);
  if (end < opening.length) return undefined;
  const body = text.slice(opening.length, end);
  // The host itself tells a lead in this form that a teammate is idle, or wants to end.
  if (reach === "team" && body.startsWith('{"type":"')) return undefined;
  return {
    from: markIn(marks, "from-name") ?? markIn(marks, "teammate_id") ?? markIn(marks, "from") ?? "",
    reach,
    body,
  };
}

function markIn(marks: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(marks)?.[1];
}

const NOTICE = "[Cross-session ";
/** By the words of the notice, in the order in which they are looked for. */
const FATES: readonly (readonly [RegExp, DeliveryNotice["fate"]])[] = [
  [/\bapproved and released\b/, "released"],
  [/\bnot approved before expiry\b/, "expired"],
  [/\bdenied by\b/, "denied"],
  [/\bheld by\b/, "held"],
  [/\brefused\b/, "refused"],
];

export function isNotice(prompt: string): boolean {
  return prompt.startsWith(NOTICE);
}

/** One notice may be about several messages. */
export function noticeIn(prompt: string): DeliveryNotice | undefined {
  if (!isNotice(prompt)) return undefined;
  const said = prompt.slice(0, NOTICE_CHARS);
  const fate = FATES.find(([words]) => words.test(said))?.[1];
  const refs = [...said.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g)].map(([id]) => id);
  return fate === undefined || refs.length === 0 ? undefined : { fate, refs };
}

const NOTICE_CHARS = 4000;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
