/** How Claude Code sends an event to a hook and reads the answer. */
import { HARMLESS, WATCHING } from "../marks.ts";
import type { HostRehearsal } from "../setup.ts";
import { ATTENDED, DIRECTORY, layout } from "./layout.ts";

interface At {
  readonly session: string;
  readonly project: string;
}

export const rehearsal: HostRehearsal = {
  common,
  payload(event, { session, project, command = "git status" }) {
    return {
      ...common(event, { session, project }),
      ...(/ToolUse/.test(event) && { tool_name: "Bash", tool_input: { command }, tool_use_id: "" }),
      ...(event === "PostToolUse" && { tool_response: {} }),
      ...(event === "PostToolUseFailure" && { error: "Exit code 1", is_interrupt: false }),
      ...(event === "PostToolBatch" && { tool_calls: [] }),
      ...(/Stop$/.test(event) && { stop_hook_active: false, last_assistant_message: "" }),
      ...(event === "SessionStart" && { source: "startup" }),
      ...(event === "SessionEnd" && { reason: "other" }),
      ...(event === "UserPromptSubmit" && { prompt: "hello" }),
      ...(event === "ConfigChange" && { source: "local_settings", file_path: `${project}/${DIRECTORY}/none.json` }),
    };
  },
  recorded,
  readingPayload(at) {
    const tool = { tool_name: "Read", tool_input: { file_path: `${at.project}/README.md` }, tool_use_id: "" };
    return { ...common("PreToolUse", at), ...tool };
  },
  environment(project, pid) {
    const { variables } = layout;
    return { [variables.project]: project, [variables.process]: String(pid), [ATTENDED]: "1" };
  },
  exitCodes: { 0: "said", 2: "refused" },
  answerIn,
  isHarmlessGate({ hook }) {
    const words = Array.isArray(hook["args"]) ? hook["args"] : String(hook["url"]).split("/");
    return words.includes(HARMLESS);
  },
  unwatching(hook) {
    const { args } = hook;
    return Array.isArray(args) && args.at(-1) === WATCHING ? { ...hook, args: args.slice(0, -1) } : hook;
  },
};

function common(event: string, { session, project }: At): object {
  return { session_id: session, cwd: project, permission_mode: "default", hook_event_name: event };
}

function recorded(event: string, fields: object): string {
  const { prompt, tool_use_id: id, tool_name: name, tool_input: input } = fields as Readonly<Record<string, unknown>>;
  const line = (type: string, content: unknown, more: object = {}): string =>
    `${JSON.stringify({ type, timestamp: new Date().toISOString(), message: { content }, ...more })}\n`;
  const result = { type: "tool_result", tool_use_id: id, content: "" };
  switch (event) {
    case "UserPromptSubmit":
      return line("user", prompt, { turnOrigin: "human" });
    case "PreToolUse":
      return line("assistant", [{ type: "tool_use", id, name, input }]);
    case "PostToolUse":
      return line("user", [result]);
    case "PostToolUseFailure":
      return line("user", [{ ...result, content: "Exit code 1", is_error: true }]);
    default:
      return "";
  }
}

/** Empty or `{}` is a pass, anything but a JSON object is a failure. */
function answerIn(body: string): ReturnType<HostRehearsal["answerIn"]> {
  if (body.trim() === "") return { answer: "passed", detail: "" };
  try {
    const { hookSpecificOutput: said } = JSON.parse(body) as { hookSpecificOutput?: Readonly<Record<string, unknown>> };
    const decision = said?.["permissionDecision"];
    const detail = String(said?.["permissionDecisionReason"] ?? "");
    return { answer: decision === "deny" ? "refused" : decision === "ask" ? "asked" : "passed", detail };
  } catch {
    return { answer: "failed", detail: "the answer is not the JSON that the client expects" };
  }
}
