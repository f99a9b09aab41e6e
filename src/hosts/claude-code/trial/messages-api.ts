/** The part of the Messages API that a scripted model needs, on loopback, so that the real host needs no account. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

type Content = string | readonly Block[];

interface Block {
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: Content;
}

export interface Request {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: Content }[];
}

interface Message {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | ({ readonly type: "tool_use" } & ToolUse)
  )[];
  readonly stop_reason: string;
  readonly usage: object;
  readonly [field: string]: unknown;
}

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveMessages(
  answer: (body: string, response: ServerResponse) => void | Promise<void>,
): Promise<Server> {
  const server = createServer(async (call, response) => {
    const { pathname } = new URL(call.url ?? "/", "http://model");
    if (pathname !== "/v1/messages") return sendError(response, 404, `The script knows no ${pathname}.`);
    await answer(await text(call), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Environment variables that point the host to such a model and stop other network calls. */
export function towardsModel(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  };
}

/** The tool results in the request, as the model sees them. */
export function resultsIn({ messages }: Request): readonly (readonly [string, string])[] {
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .flatMap(({ tool_use_id: id, content }) => (id === undefined ? [] : [[id, words(content)] as const]));
}

export function words(content: Content | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map(({ text, content: inner }) => text ?? words(inner)).join("\n");
}

let messages = 0;

export function messageOf(
  { text, tools = [] }: { readonly text?: string; readonly tools?: readonly ToolUse[] },
  model: string,
): Message {
  return {
    id: `msg_${++messages}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(text === undefined ? [] : [{ type: "text" as const, text }]),
      ...tools.map((tool) => ({ type: "tool_use" as const, ...tool })),
    ],
    stop_reason: tools.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}

export function sendMessage(response: ServerResponse, message: Message, { stream }: Request): void {
  if (stream === true) {
    beginEvents(response, message);
    endEvents(response, message);
  } else sendJson(response, 200, message);
}

/** Stream order: message start, then start, delta and stop of each block, then the stop reason of the message. */
export function beginEvents(response: ServerResponse, message: Message): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  sendEvent(response, "message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    const start = isText ? { ...block, text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    sendEvent(response, "content_block_start", { index, content_block: start });
    sendEvent(response, "content_block_delta", { index, delta });
    sendEvent(response, "content_block_stop", { index });
  }
}

function endEvents(response: ServerResponse, { stop_reason, usage }: Message): void {
  sendEvent(response, "message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  sendEvent(response, "message_stop", {});
  response.end();
}

function sendEvent(response: ServerResponse, type: string, fields: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { type: "error", error: { type: "api_error", message } });
}
