/** A model that plays back what a story wrote: the Messages API on loopback, and a record of all it was asked. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** One answer of the model. A turn with tools makes the client run them and come back. */
type Turn =
  | { readonly text?: string; readonly tools?: readonly ToolUse[]; readonly breaksOffAfterMs?: number }
  | { readonly status: number; readonly message: string };

/** A turn, a tool use as a turn of its own, or how to come by one. The client waits while it is being thought about. */
export type Step = Turn | ToolUse | ((request: ModelRequest) => Turn | ToolUse | Promise<Turn | ToolUse>);

/** A conversation of its own, such as a subagent's; the first lane whose `when` holds takes the request. */
export interface Lane {
  readonly when: (request: ModelRequest) => boolean;
  readonly steps: readonly Step[];
}

export interface ModelRequest {
  /** Everything the client sent, for searching. */
  readonly body: string;
  /** The words that opened the conversation: a subagent's begin with its own prompt. */
  readonly opening: string;
  /** What each tool use came to, in the words the model is given. */
  readonly results: ReadonlyMap<string, string>;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Throws what a step threw. */
  close(): Promise<void>;
}

let counter = 0;

/** A tool use; the id is given where a story asks about it later. */
export function use(name: string, input: object, id = `toolu_${++counter}`): ToolUse {
  return { id, name, input };
}

export function bash(command: string, id?: string): ToolUse {
  return use("Bash", { command, description: "a step of the story" }, id);
}

export function lane(opening: string, ...steps: readonly Step[]): Lane {
  return { when: (request) => request.opening.includes(opening), steps };
}

/** A lane that has run out ends its conversation, so that no client can go on for ever. */
const END: Turn = { text: "The end." };

export async function startModel(steps: readonly Step[], lanes: readonly Lane[] = []): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const mistakes: unknown[] = [];
  const all = [...lanes, { when: () => true, steps }].map(({ when, steps }) => ({ when, rest: [...steps] }));
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const wire = JSON.parse(body) as WireRequest;
    const request = read(wire, body);
    requests.push(request);
    const step = all.find(({ when }) => when(request))?.rest.shift() ?? END;
    const thought = typeof step === "function" ? await step(request) : step;
    const turn = "name" in thought ? { tools: [thought] } : thought;
    if ("status" in turn) return sendError(response, turn.status, turn.message);
    const message = messageOf(turn, wire.model);
    if (wire.stream !== true) return sendJson(response, 200, message);
    return sendEvents(response, message, turn.breaksOffAfterMs);
  };
  const server = createServer(async (call, response) => {
    const { pathname } = new URL(call.url ?? "/", "http://model");
    if (pathname !== "/v1/messages") return sendError(response, 404, `The script knows no ${pathname}.`);
    await answer(await text(call), response).catch((mistake: unknown) => {
      mistakes.push(mistake);
      sendError(response, 400, "The story has gone wrong.");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    if (mistakes.length > 0) throw mistakes[0];
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
};

interface WireRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

function read({ messages }: WireRequest, body: string): ModelRequest {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const results = blocks.flatMap(({ tool_use_id: id, content }) =>
    id === undefined ? [] : [[id, words(content)] as const],
  );
  const opening = messages.find(({ role }) => role === "user");
  return { body, opening: words(opening?.content), results: new Map(results) };
}

function words(content: string | readonly Block[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map(({ text, content: inner }) => text ?? words(inner)).join("\n");
}

function messageOf({ text, tools = [] }: Extract<Turn, { text?: string }>, model: string): WireMessage {
  return {
    id: `msg_${++counter}`,
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

interface WireMessage {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | ({ readonly type: "tool_use" } & ToolUse)
  )[];
  readonly stop_reason: string;
  readonly usage: object;
  readonly [field: string]: unknown;
}

/** The stream's grammar: a message starts, each block starts, grows and stops, the message says why it ends. */
function sendEvents(response: ServerResponse, message: WireMessage, breaksOffAfterMs?: number): void {
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
  // The client may have begun with the tools by then: it does not wait for the end of the message.
  if (breaksOffAfterMs !== undefined) return void setTimeout(() => response.destroy(), breaksOffAfterMs);
  send("message_delta", { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  send("message_stop", {});
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { type: "error", error: { type: "api_error", message } });
}
