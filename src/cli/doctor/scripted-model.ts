/** A model that plays back a script: the Messages API on loopback, so that the real client can be tried without an account. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

export interface ScriptedModel {
  readonly url: string;
  /** What the client told the model about a tool use; undefined when it told nothing. */
  told(id: string): string | undefined;
  close(): Promise<void>;
}

/** One tool use per turn; a script that has run out ends the conversation, so that no client can go on for ever. */
export async function startModel(script: readonly ToolUse[]): Promise<ScriptedModel> {
  const rest = [...script];
  const results = new Map<string, string>();
  const server = createServer(async (call, response) => {
    const { pathname } = new URL(call.url ?? "/", "http://model");
    const request = pathname === "/v1/messages" ? readRequest(await text(call)) : undefined;
    if (!request) return sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: "" } });
    for (const [id, words] of resultsIn(request)) results.set(id, words);
    const message = messageOf(rest.shift(), request.model);
    return request.stream === true ? sendEvents(response, message) : sendJson(response, 200, message);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    told: (id) => results.get(id),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Block {
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

interface Request {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

function readRequest(body: string): Request | undefined {
  try {
    const request = JSON.parse(body) as Partial<Request>;
    return Array.isArray(request.messages) ? { model: "", ...request, messages: request.messages } : undefined;
  } catch {
    return undefined;
  }
}

function resultsIn({ messages }: Request): readonly (readonly [string, string])[] {
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .flatMap(({ tool_use_id: id, content }) => (id === undefined ? [] : [[id, words(content)] as const]));
}

function words(content: string | readonly Block[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map(({ text, content: inner }) => text ?? words(inner)).join("\n");
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

function messageOf(tool: ToolUse | undefined, model: string): Message {
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model,
    content: tool ? [{ type: "tool_use", ...tool }] : [{ type: "text", text: "The end." }],
    stop_reason: tool ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** The stream's grammar: a message starts, each block starts, grows and stops, the message says why it ends. */
function sendEvents(response: ServerResponse, message: Message): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_start", { index, content_block: isText ? { ...block, text: "" } : { ...block, input: {} } });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  send("message_stop", {});
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
