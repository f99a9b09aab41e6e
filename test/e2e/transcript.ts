/** Writes a session's transcript as the real client does, so that what the stage reports is also in the host's record. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Payload {
  readonly [field: string]: unknown;
  readonly session_id?: unknown;
  readonly hook_event_name?: unknown;
}

export interface Transcript {
  /** The fields that name the transcripts; empty where the test names its own. */
  fields(payload: Payload): object;
  /** What the client has written before it calls the hook, and after it was answered. */
  before(payload: Payload): void;
  after(payload: Payload, isDenied: boolean): void;
}

/** Where the client keeps the transcript of a session. */
export function transcriptPath(home: string, session: string): string {
  return join(home, ".claude", "projects", "-project", `${session}.jsonl`);
}

export function isTranscript(path: string): boolean {
  return /(^|\/)\.claude\/projects\/.+\.jsonl$/.test(path);
}

export function transcriptIn(home: string): Transcript {
  const known = new Set<string>();
  const isOwn = ({ session_id: id, transcript_path: path }: Payload): boolean =>
    typeof id === "string" && /^[\w-]{1,200}$/.test(id) && (path === undefined || path === transcriptPath(home, id));
  const fileOf = ({ session_id: id, agent_id: agent }: Payload): string => {
    const path = transcriptPath(home, String(id));
    return typeof agent === "string"
      ? join(path.slice(0, -".jsonl".length), "subagents", `agent-${agent}.jsonl`)
      : path;
  };
  const write = (payload: Payload, ...entries: readonly object[]): void => {
    const file = fileOf(payload);
    const more = {
      isSidechain: "agent_id" in payload,
      timestamp: new Date().toISOString(),
      sessionId: payload.session_id,
    };
    mkdirSync(dirname(file), { recursive: true });
    for (const entry of entries) appendFileSync(file, `${JSON.stringify({ ...entry, ...more })}\n`);
  };
  const use = (payload: Payload): void => {
    const { tool_use_id: id, tool_name: name, tool_input: input } = payload;
    if (typeof id !== "string" || known.has(`${payload.session_id} ${id}`)) return;
    known.add(`${payload.session_id} ${id}`);
    write(payload, {
      type: "assistant",
      message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    });
  };
  return {
    fields: (payload) => {
      if (!isOwn(payload) || "transcript_path" in payload) return {};
      const agent = payload.hook_event_name === "SubagentStop" && !("agent_transcript_path" in payload);
      return {
        transcript_path: transcriptPath(home, String(payload.session_id)),
        ...(agent && { agent_transcript_path: fileOf(payload) }),
      };
    },
    before: (payload) => {
      if (!isOwn(payload)) return;
      const { hook_event_name: event, last_assistant_message: words } = payload;
      if (event === "PreToolUse") use(payload);
      if (event === "StopFailure") write(payload, said("API Error", { isApiErrorMessage: true }));
      if ((event === "Stop" || event === "SubagentStop") && typeof words === "string") write(payload, said(words));
    },
    after: (payload, isDenied) => {
      if (!isOwn(payload)) return;
      const { hook_event_name: event, tool_use_id: id } = payload;
      if (event === "PreToolUse" && isDenied) write(payload, result(id, "hook error", true));
      if (event === "PostToolUse") write(payload, result(id, "ok", false));
      if (event === "PostToolUseFailure") {
        write(payload, result(id, "Exit code 1", true));
        if (payload["is_interrupt"] === true) write(payload, prompt("[Request interrupted by user]", {}));
      }
      if (event === "UserPromptSubmit" && !isDenied) write(payload, promptEntry(String(payload["prompt"] ?? "")));
      if (event === "UserPromptExpansion") write(payload, commandEntry(payload));
    },
  };
}

function said(text: string, more: object = {}): object {
  return { type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] }, ...more };
}

function result(id: unknown, content: string, isError: boolean): object {
  const block = { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
  const decided = isError ? {} : { permissionDecision: { decision: "accept" } };
  return { type: "user", message: { role: "user", content: [block] }, ...decided };
}

function prompt(content: string, more: object): object {
  return { type: "user", message: { role: "user", content }, ...more };
}

const TYPED = { origin: { kind: "human" }, promptSource: "typed", turnOrigin: "human" };

/** Prompts in the host's own tags are not a person's. */
function promptEntry(words: string): object {
  const [, tag] = /^\s*<([a-z]+(?:-[a-z]+)+)[\s>]/.exec(words) ?? [];
  if (tag === undefined) return prompt(words, TYPED);
  const kind = tag === "task-notification" ? tag : "peer";
  return prompt(words, { origin: { kind }, promptSource: "system", turnOrigin: kind.replace("-", "_") });
}

function commandEntry({ command_name: name, command_args: args }: Payload): object {
  const [words, more] = [String(name).replace(/^\//, ""), String(args ?? "")];
  const tags = `<command-message>${words}</command-message>\n<command-name>/${words}</command-name>`;
  return prompt(`${tags}\n<command-args>${more}</command-args>`, { turnOrigin: "human" });
}
