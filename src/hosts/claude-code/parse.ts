/** Converts the host's JSON to our event. Only this file and tools.ts know the host's field names. */
import { EVENT_NAMES, type EventName, type HookEvent, NAMELESS, type TaskNotification } from "../../kernel/event.ts";
import { mustYield, objects, promptIn, string } from "../fields.ts";
import type { Parsed, RawCall } from "../host.ts";
import { ATTENDED, ENTRYPOINT } from "./layout.ts";
import { heardIn, isNotice, noticeIn, sentIn } from "./messages.ts";
import { effectOf, readTool } from "./tools.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Larger than any real payload; longer input is refused without parsing. */
export const BODY_CHARS_MAX = 64 * 1024 * 1024;

export function parse(call: RawCall): Parsed {
  const body = call.body.charCodeAt(0) === 0xfeff ? call.body.slice(1) : call.body;
  if (body.trim() === "") return unreadable(call, "the input is empty");
  if (body.length > BODY_CHARS_MAX) return unreadable(call, `the input is larger than ${BODY_CHARS_MAX} characters`);
  let fields: unknown;
  try {
    fields = JSON.parse(body);
  } catch {
    return unreadable(call, "the input is not JSON, or was cut off");
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return unreadable(call, "the input is not a JSON object");
  }
  return parseFields(fields as Fields, call);
}

function parseFields(fields: Fields, call: RawCall): Parsed {
  const given = fields["hook_event_name"] ?? call.registeredFor;
  if (typeof given !== "string") return unreadable(call, "the field hook_event_name is missing or not a text");
  const name = eventName(given);
  const common = {
    session: sessionId(fields["session_id"]),
    cwd: string(fields["cwd"]),
    attended: attended(fields, call.env),
    ...(fields["permission_mode"] === PLANNING && { planning: true as const }),
    ...agentOf(fields),
  };
  if (name === "Unknown") return { event: { ...common, name, hostName: given } };
  if (!TOOL_EVENTS.has(name)) return { event: { ...common, name, ...OWN_FIELDS[name]?.(fields) } as HookEvent };
  const tool = fields["tool_name"];
  if (typeof tool !== "string" || tool === "") {
    const problem = "the field tool_name is missing or not a text";
    return { problem, name, session: common.session, harmless: call.harmless === true };
  }
  const input = fields["tool_input"];
  const read = readTool(tool, input);
  if (read.kind === "malformed" && ATTEMPTS.has(name)) {
    const problem = `the field ${read.field} is missing or of the wrong type`;
    return { problem, name, session: common.session, tool, harmless: read.of !== "change" };
  }
  const effect = name === "PreToolUse" ? effectOf(read, input) : undefined;
  return {
    event: {
      ...common,
      name,
      tool: read,
      call: callId(fields["tool_use_id"]),
      input,
      ...(effect !== undefined && { effect }),
      ...OWN_FIELDS[name]?.(fields),
    } as HookEvent,
  };
}

const PLANNING = "plan";

/** At these events the tool has not run yet, so a malformed call must not run. */
const ATTEMPTS: ReadonlySet<EventName> = new Set(["PreToolUse", "PermissionRequest"]);

const TOOL_EVENTS: ReadonlySet<EventName> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "PermissionDenied",
]);

/** The fields of each event beyond the common ones and the tool. */
const OWN_FIELDS: Readonly<Partial<Record<EventName, (fields: Fields) => object>>> = {
  PostToolUse: (fields) => ({
    background: launchedInBackground(fields["tool_response"]),
    failed: fields["is_error"] === true || skillFailed(fields),
    ...answersIn(fields),
    ...planIn(fields),
    ...diffedIn(fields),
    ...(fields["is_error"] === true && { error: cutString(fields["tool_response"]) }),
    ...(isAnswer(fields["tool_response"]) && { answered: true }),
    ...(fields["tool_name"] === MESSAGING && sentIn(fields)),
  }),
  PostToolUseFailure: (fields) => ({
    error: string(fields["error"]) || cutString(fields["tool_response"]),
    interrupted: fields["is_interrupt"] === true,
    ...(fields["is_error"] === false && { failed: false }),
    ...exitCodeIn(/^Exit code (\d{1,3})/, string(fields["error"])),
  }),
  PermissionDenied: (fields) => ({ reason: string(fields["reason"]) }),
  PostToolBatch: (fields) => ({
    calls: objects(fields["tool_calls"]).map((entry) => ({
      id: callId(entry["tool_use_id"]),
      tool: string(entry["tool_name"]),
      response: cutString(entry["tool_response"]),
      ...pathIn(entry["tool_input"]),
    })),
  }),
  UserPromptSubmit: (fields) => {
    const prompt = promptIn(fields);
    const notification = taskNotification(prompt);
    return {
      prompt,
      transcript: string(fields["transcript_path"]),
      ...(notification && { notification }),
      ...(TAGGED.test(prompt) && { automatic: true, ...messageIn(prompt) }),
      ...(prompt.startsWith("[") && isNotice(prompt) && { automatic: true, ...noticeOf(prompt) }),
    };
  },
  UserPromptExpansion: (fields) => ({
    command: fields["expansion_type"] === "slash_command" ? string(fields["command_name"]) : "",
    args: string(fields["command_args"]),
  }),
  SessionStart: (fields) => ({
    source: string(fields["source"]),
    transcript: string(fields["transcript_path"]),
    ...(typeof fields["session_title"] === "string" && { title: fields["session_title"] }),
  }),
  PreCompact: (fields) => ({ trigger: string(fields["trigger"]), transcript: string(fields["transcript_path"]) }),
  StopFailure: (fields) => ({ error: string(fields["error"]) }),
  SessionEnd: (fields) => ({ reason: string(fields["reason"]) }),
  Stop: (fields) => ({ ...stopFields(fields), transcript: string(fields["transcript_path"]) }),
  SubagentStop: (fields) => ({ ...stopFields(fields), transcript: string(fields["agent_transcript_path"]) }),
  TeammateIdle: (fields) => ({ mate: string(fields["teammate_name"]) }),
  TaskCompleted: (fields) => ({ task: string(fields["task_id"]), subject: string(fields["task_subject"]) }),
  ConfigChange: (fields) => ({ source: string(fields["source"]), path: string(fields["file_path"]) }),
};

/** Asked by its name first, because every end of a tool call comes by here. */
const MESSAGING = "SendMessage";

function messageIn(prompt: string): object {
  const heard = heardIn(prompt);
  return heard ? { heard } : {};
}

function noticeOf(prompt: string): object {
  const notice = noticeIn(prompt);
  return notice ? { notice } : {};
}

/** `<task-notification>`, `<teammate-message>` and similar tags. */
const TAGGED = /^\s*<[a-z]+(?:-[a-z]+)+[\s>]/;

function stopFields(fields: Fields): object {
  const tasks = objects(fields["background_tasks"]);
  const crons = objects(fields["session_crons"]);
  const schedules = crons.map(({ schedule }) => schedule).filter((schedule) => typeof schedule === "string");
  return {
    continued: fields["stop_hook_active"] === true,
    lastMessage: string(fields["last_assistant_message"]),
    backgroundTasks: tasks.length,
    ...(tasks.some(({ type }) => type === "subagent") && { awaitsAgent: true }),
    ...(crons.length > 0 && { wakeUps: crons.length }),
    ...(crons.length > 0 && schedules.length === crons.length && { schedules }),
    mustYield: mustYield(fields),
  };
}

/** Long enough to distinguish errors. */
const RESPONSE_CHARS_MAX = 500;

function pathIn(input: unknown): { path?: string } {
  if (typeof input !== "object" || input === null) return {};
  const { file_path: file, notebook_path: notebook } = input as Fields;
  const path = file ?? notebook;
  return typeof path === "string" ? { path } : {};
}

/** A skill that failed to load is reported in the success response. */
function skillFailed({ tool_name: tool, tool_response: response }: Fields): boolean {
  if (string(tool).toLowerCase() !== "skill" || typeof response !== "object" || response === null) return false;
  return (response as Fields)["success"] === false;
}

/** A person's answers are in the response; the model's input does not count. */
function answersIn({ tool_name: tool, tool_response: response }: Fields): { answers?: readonly string[] } {
  if (string(tool).toLowerCase() !== "askuserquestion" || typeof response !== "object" || response === null) return {};
  const { answers } = response as Fields;
  if (typeof answers !== "object" || answers === null) return {};
  return { answers: Object.values(answers).filter((answer) => typeof answer === "string") };
}

/** The plan that the host showed, if it has left plan mode with it. The model's input does not count. */
function planIn(fields: Fields): { plan?: string } {
  const { tool_name: tool, tool_response: response, permission_mode: mode } = fields;
  if (string(tool).toLowerCase() !== "exitplanmode" || typeof response !== "object" || response === null) return {};
  const { plan, isAgent } = response as Fields;
  const isLeft = mode !== PLANNING && isAgent !== true && fields["is_error"] !== true;
  return isLeft && typeof plan === "string" && plan.trim() !== "" ? { plan } : {};
}

const DIFFED_MAX = 40;
/** The host cuts longer output, and says where it has put the rest. */
const WHOLE_CHARS_MAX = 29_000;

/** Every line of a diff that belongs to a file begins with another sign, so these headings are git's own. */
function diffedIn({ agent_id: agent, tool_input: input, tool_response: response }: Fields): {
  diffed?: readonly string[];
} {
  if (agent === undefined || typeof response !== "object" || response === null) return {};
  const { stdout, persistedOutputPath: rest } = response as Fields;
  if (typeof stdout !== "string" || rest !== undefined || stdout.length > WHOLE_CHARS_MAX) return {};
  if (!/\bgit\b/.test(string((input as Fields | undefined)?.["command"]))) return {};
  const diffed = [...stdout.matchAll(/^diff --git a\/(.+) b\/\1$/gm)].map(([, path = ""]) => path);
  return diffed.length === 0 ? {} : { diffed: diffed.slice(0, DIFFED_MAX) };
}

/** Present when the host explains a non-zero exit code. */
function isAnswer(response: unknown): boolean {
  return typeof response === "object" && response !== null && "returnCodeInterpretation" in response;
}

function launchedInBackground(response: unknown): boolean {
  if (typeof response !== "object" || response === null) return false;
  const { backgroundTaskId, status } = response as Fields;
  return typeof backgroundTaskId === "string" || status === "async_launched";
}

function exitCodeIn(pattern: RegExp, text: string): { exitCode?: number } {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? {} : { exitCode: Number(found) };
}

function taskNotification(prompt: string): TaskNotification | undefined {
  if (!prompt.startsWith("<task-notification>")) return undefined;
  const part = (tag: string): string => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(prompt)?.[1] ?? "";
  return {
    call: callId(part("tool-use-id")),
    status: part("status"),
    ...exitCodeIn(/exit code (\d{1,3})\s*$/, part("summary")),
  };
}

/** The host writes this field first, so a large body need not be parsed twice. */
export function sessionIn(body: string): string {
  return /^\s*\{\s*"session_id"\s*:\s*"([\w-]{1,100})"/.exec(body)?.[1] ?? NAMELESS;
}

/** Every shell command has this field. */
export function mayHoldCommand(body: string): boolean {
  return body.includes('"command"');
}

/** Describes the event as well as possible: from the registration first, then from the readable part of the text. */
function unreadable(call: RawCall, problem: string): Parsed {
  const glimpse = (field: string): string | undefined =>
    new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]{1,256})"`).exec(call.body.slice(0, 65_536))?.[1];
  const name = eventName(call.registeredFor ?? glimpse("hook_event_name") ?? "PreToolUse");
  const tool = glimpse("tool_name");
  return {
    problem,
    name,
    session: sessionId(glimpse("session_id")),
    // Only the registration decides `harmless`: truncated text may name one tool and mean another.
    ...(tool !== undefined && { tool }),
    harmless: call.harmless === true,
  };
}

function eventName(given: string): EventName {
  return (EVENT_NAMES as readonly string[]).includes(given) ? (given as EventName) : "Unknown";
}

/** An id that could not be a file name or key is treated as absent. */
function sessionId(value: unknown): string {
  return typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$/.test(value) ? value : NAMELESS;
}

/** The host's ids have about thirty characters; longer ones are cut. */
export function callId(value: unknown): string {
  return string(value).slice(0, 100);
}

function agentOf(fields: Fields): { agent?: { id: string; type: string } } {
  const id = string(fields["agent_id"]);
  return id === "" ? {} : { agent: { id, type: string(fields["agent_type"]) } };
}

/** With `-p`, the SDK or dontAsk mode no person can answer a prompt. */
function attended(fields: Fields, env: RawCall["env"]): boolean {
  if (fields["permission_mode"] === "dontAsk") return false;
  const said = env[ATTENDED];
  if (said !== undefined) return said !== "0";
  return env[ENTRYPOINT] !== "sdk-cli";
}

function cutString(value: unknown): string {
  return string(value).slice(0, RESPONSE_CHARS_MAX);
}
