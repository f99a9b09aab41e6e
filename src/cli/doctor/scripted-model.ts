/** A model that plays back a script, so that the real client can be tried without an account. */
import {
  messageOf,
  type Request,
  resultsIn,
  sendError,
  sendMessage,
  serveMessages,
  type ToolUse,
} from "./messages-api.ts";

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
  const { url, close } = await serveMessages((body, response) => {
    const request = readRequest(body);
    if (!request) return sendError(response, 400, "This is no request for a message.");
    for (const [id, words] of resultsIn(request)) results.set(id, words);
    const tool = rest.shift();
    return sendMessage(response, messageOf(tool ? { tools: [tool] } : { text: "The end." }, request.model), request);
  });
  return { url, told: (id) => results.get(id), close };
}

function readRequest(body: string): Request | undefined {
  try {
    const request = JSON.parse(body) as Partial<Request>;
    return Array.isArray(request.messages) ? { model: "", ...request, messages: request.messages } : undefined;
  } catch {
    return undefined;
  }
}
