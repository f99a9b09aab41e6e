/** A scripted model: serves the Messages API on loopback and records every request. */
import type { ServerResponse } from "node:http";
import {
  beginEvents,
  messageOf,
  type Request,
  resultsIn,
  sendError,
  sendMessage,
  serveMessages,
  type ToolUse,
  words,
} from "../../src/hosts/claude-code/trial/messages-api.ts";

/** A single answer of the model. After a turn with tools the host runs them and sends the results. */
type Turn =
  | { readonly text?: string; readonly tools?: readonly ToolUse[]; readonly breaksOffAfterMs?: number }
  | { readonly status: number; readonly message: string };

/** A turn, a single tool call, or a function that returns one. The host waits while the function runs. */
export type Step = Turn | ToolUse | ((request: ModelRequest) => Turn | ToolUse | Promise<Turn | ToolUse>);

/** A separate conversation such as a subagent's; the first lane whose `when` matches takes the request. */
export interface Lane {
  readonly when: (request: ModelRequest) => boolean;
  readonly steps: readonly Step[];
}

export interface ModelRequest {
  /** The full request body, for searching. */
  readonly body: string;
  /** The first user message: a subagent's starts with its own prompt. */
  readonly opening: string;
  /** The tool results in the request, as the model sees them. */
  readonly results: ReadonlyMap<string, string>;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Rethrows an error of a step. */
  close(): Promise<void>;
}

let counter = 0;

/** A tool call; a test passes an id when it needs to refer to the call later. */
export function use(name: string, input: object, id = `toolu_${++counter}`): ToolUse {
  return { id, name, input };
}

export function bash(command: string, id?: string): ToolUse {
  return use("Bash", { command, description: "a step of the story" }, id);
}

export function lane(opening: string, ...steps: readonly Step[]): Lane {
  return { when: (request) => request.opening.includes(opening), steps };
}

/** A lane without steps left ends its conversation, so that no host runs forever. */
const END: Turn = { text: "The end." };

export async function startModel(steps: readonly Step[], lanes: readonly Lane[] = []): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const mistakes: unknown[] = [];
  const all = [...lanes, { when: () => true, steps }].map(({ when, steps }) => ({ when, rest: [...steps] }));
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const wire = JSON.parse(body) as Request;
    const request = read(wire, body);
    requests.push(request);
    const step = all.find(({ when }) => when(request))?.rest.shift() ?? END;
    const thought = typeof step === "function" ? await step(request) : step;
    const turn = "name" in thought ? { tools: [thought] } : thought;
    if ("status" in turn) return sendError(response, turn.status, turn.message);
    const message = messageOf(turn, wire.model);
    if (turn.breaksOffAfterMs === undefined) return sendMessage(response, message, wire);
    beginEvents(response, message);
    // The host may have started the tools by then: it does not wait for the end of the message.
    setTimeout(() => response.destroy(), turn.breaksOffAfterMs);
  };
  const server = await serveMessages((body, response) =>
    answer(body, response).catch((mistake: unknown) => {
      mistakes.push(mistake);
      sendError(response, 400, "The story has gone wrong.");
    }),
  );
  const close = async (): Promise<void> => {
    await server.close();
    if (mistakes.length > 0) throw mistakes[0];
  };
  return { url: server.url, requests, close };
}

function read(wire: Request, body: string): ModelRequest {
  const opening = wire.messages.find(({ role }) => role === "user");
  return { body, opening: words(opening?.content), results: new Map(resultsIn(wire)) };
}
