/** A model that plays a script, so that the real host can be tested without an account. */
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
  /** The tool result the host sent to the model; undefined when there was none. */
  told(id: string): string | undefined;
  close(): Promise<void>;
}

/** Plays one tool use per turn. When the script runs out the conversation ends, so the host cannot run forever. */
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
