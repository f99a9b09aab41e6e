/** Maps the host's tools to ours and reads their input. */
import type { Replacement, Tool, ToolField } from "../../reading/tool.ts";

type Fields = Readonly<Record<string, unknown>>;
type Reader = (name: string, input: Fields) => Tool;

/** Keyed by the host's spelling; the lookup ignores case, because a model may write `bash`. */
const READERS: Readonly<Record<string, Reader>> = {
  Bash: readBash,
  BashOutput: readOnly,
  Monitor: readBash,
  PowerShell: (name, input) => ({ kind: "unknown", name, ...stranger(input) }),
  Write: readWrite,
  Edit: readEdit,
  MultiEdit: readMultiEdit,
  NotebookEdit: readNotebook,
  Read: readPath,
  NotebookRead: readPath,
  Glob: readOnly,
  Grep: readOnly,
  LS: readOnly,
  LSP: readOnly,
  ListMcpResourcesTool: readOnly,
  ReadMcpResourceTool: readOnly,
  WebFetch: readWeb,
  WebSearch: (name, { query }) => readWeb(name, { url: query }),
  Task: readAgent,
  Agent: readAgent,
  EnterWorktree: (name) => ({ kind: "worktree", name }),
  ExitWorktree: (name) => ({ kind: "worktree", name }),
  AskUserQuestion: readQuestion,
  CronCreate: sendLater,
  CronDelete: steer,
  CronList: steer,
  EnterPlanMode: steer,
  ExitPlanMode: (name) => ({ kind: "control", name, leavesPlan: true }),
  KillShell: steer,
  ListAgents: steer,
  ReportFindings: steer,
  ScheduleWakeup: sendLater,
  SendMessage: sendMessage,
  Skill: readSkill,
  SlashCommand: steer,
  StructuredOutput: steer,
  TaskCreate: steer,
  TaskGet: steer,
  TaskList: steer,
  TaskOutput: steer,
  TaskStop: steer,
  TaskUpdate: steer,
  TodoRead: steer,
  TodoWrite: steer,
  ToolSearch: steer,
  control: steer,
};

/** The host's spelling; only other spellings need a search. */
function canonical(given: string): string | undefined {
  if (Object.hasOwn(READERS, given)) return given;
  const lower = given.toLowerCase();
  return Object.keys(READERS).find((name) => name.toLowerCase() === lower);
}

/** Tools of the host that only read or control; they may run even when Sekisho fails. */
export function harmlessTools(): readonly string[] {
  return Object.keys(READERS).filter((name) => classOfTool(name) !== "change");
}

export function readTool(given: string, input: unknown): Tool {
  if (/^mcp__/i.test(given)) return { kind: "mcp", name: given, ...stranger(input) };
  const name = canonical(given);
  const reader = name === undefined ? undefined : READERS[name];
  if (name === undefined || !reader) return { kind: "unknown", name: given, ...stranger(input) };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return malformed(name, "tool_input", reader(name, {}));
  }
  return reader(name, input as Fields);
}

/** Fields without effect that a model words differently each time. Every other field may have an effect. */
const DESCRIBES: ReadonlySet<string> = new Set(["description", "timeout"]);

/** The input of a shell command without those fields; undefined when there were none. */
export function effectOf({ kind }: Tool, input: unknown): unknown {
  if (kind !== "bash") return undefined;
  const entries = Object.entries(input as Fields);
  const left = entries.filter(([key]) => !DESCRIBES.has(key));
  return left.length === entries.length ? undefined : Object.fromEntries(left);
}

/** The class of a tool whose input cannot be read. */
export function classOfTool(given: string): "read" | "control" | "change" {
  const tool = readTool(given, {});
  return tool.kind === "malformed" ? tool.of : weight(tool);
}

function weight(tool: Tool): "read" | "control" | "change" {
  if (tool.kind === "read") return "read";
  return tool.kind === "control" || tool.kind === "agent" ? "control" : "change";
}

function malformed(name: string, field: string, like: Tool): Tool {
  return { kind: "malformed", name, field, of: like.kind === "malformed" ? like.of : weight(like) };
}

function steer(name: string): Tool {
  return { kind: "control", name };
}

/** The host adds the answers after a person gave them; at the gate there are none yet. */
function readQuestion(name: string, { answers }: Fields): Tool {
  const isAnswered = typeof answers === "object" && answers !== null && Object.keys(answers).length > 0;
  return { kind: "control", name, asks: true, ...(isAnswered && { answered: true }) };
}

function sendLater(name: string, { prompt, message, content }: Fields): Tool {
  const words = [prompt, message, content].find((field) => typeof field === "string");
  return { kind: "control", name, prompts: typeof words === "string" ? words : "" };
}

/** A message that is not text (such as a shutdown request) never comes back as a prompt. */
function sendMessage(name: string, input: Fields): Tool {
  const isText = [input["message"], input["content"], input["prompt"]].some((field) => typeof field === "string");
  const to = [input["to"], input["recipient"]].find((field) => typeof field === "string");
  return isText
    ? ({ ...sendLater(name, input), toAgent: true, ...(to !== undefined && { to }) } as Tool)
    : { kind: "control", name };
}

/** Reads the skill name, if there is one. */
function readSkill(name: string, { skill }: Fields): Tool {
  return typeof skill === "string" && skill !== "" ? { kind: "control", name, skill } : { kind: "control", name };
}

function readBash(name: string, input: Fields): Tool {
  const { command, run_in_background: background } = input;
  if (typeof command !== "string") return { kind: "malformed", name, field: "tool_input.command", of: "change" };
  return { kind: "bash", name, command, background: background === true || name === "Monitor" };
}

function readWrite(name: string, input: Fields): Tool {
  const { file_path: path, content } = input;
  if (typeof path !== "string") return { kind: "malformed", name, field: "tool_input.file_path", of: "change" };
  if (typeof content !== "string") return { kind: "malformed", name, field: "tool_input.content", of: "change" };
  return { kind: "write", name, path, content };
}

function readEdit(name: string, input: Fields): Tool {
  const { file_path: path } = input;
  if (typeof path !== "string") return { kind: "malformed", name, field: "tool_input.file_path", of: "change" };
  const edit = readReplacement(input);
  if (!edit) return { kind: "malformed", name, field: "tool_input.old_string/new_string", of: "change" };
  return { kind: "edit", name, path, edits: [edit] };
}

function readMultiEdit(name: string, input: Fields): Tool {
  const { file_path: path, edits } = input;
  if (typeof path !== "string") return { kind: "malformed", name, field: "tool_input.file_path", of: "change" };
  const read = Array.isArray(edits) ? edits.map((edit) => readReplacement(edit as Fields)) : [undefined];
  const whole = read.filter((edit) => edit !== undefined);
  if (whole.length !== read.length) return { kind: "malformed", name, field: "tool_input.edits", of: "change" };
  return { kind: "edit", name, path, edits: whole };
}

function readReplacement(input: Fields | null): Replacement | undefined {
  const { old_string: before, new_string: after, replace_all: all } = input ?? {};
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  return { old: before, new: after, all: all === true };
}

function readNotebook(name: string, input: Fields): Tool {
  const { notebook_path: path, new_source: source } = input;
  if (typeof path !== "string") return { kind: "malformed", name, field: "tool_input.notebook_path", of: "change" };
  return { kind: "notebook", name, path, source: typeof source === "string" ? source : "" };
}

function readPath(name: string, input: Fields): Tool {
  const path = input["file_path"] ?? input["notebook_path"];
  if (typeof path !== "string") return { kind: "malformed", name, field: "tool_input.file_path", of: "read" };
  return { kind: "read", name, path };
}

function readOnly(name: string, input: Fields): Tool {
  const { path, glob } = input;
  return {
    kind: "read",
    name,
    ...(typeof path === "string" && { path }),
    ...(typeof glob === "string" && { glob }),
  };
}

function readWeb(name: string, input: Fields): Tool {
  const { url } = input;
  return typeof url === "string" ? { kind: "web", name, url } : { kind: "web", name };
}

function readAgent(name: string, input: Fields): Tool {
  const { subagent_type: agentType, name: called } = input;
  return {
    kind: "agent",
    name,
    agentType: typeof agentType === "string" ? agentType : "",
    ...(typeof called === "string" && { called }),
  };
}

function stranger(input: unknown): { readonly words: readonly string[]; readonly fields: readonly ToolField[] } {
  return { words: textsIn(input), fields: fieldsIn(input) };
}

/** A list of words under one name is one text: `{ command: "rm", args: ["-rf", "x"] }` gives `rm` and `-rf x`. */
function fieldsIn(value: unknown, depth = 0): readonly ToolField[] {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return [];
  const entries = Object.entries(value).slice(0, TEXTS_MAX);
  return entries
    .flatMap(([name, entry]): readonly ToolField[] => {
      if (typeof entry === "string") return [{ name, text: entry.slice(0, FIELD_MAX) }];
      const isList = Array.isArray(entry) && entry.length > 0 && entry.every((each) => typeof each === "string");
      return isList ? [{ name, text: entry.join(" ").slice(0, FIELD_MAX) }] : fieldsIn(entry, depth + 1);
    })
    .slice(0, TEXTS_MAX);
}

const FIELD_MAX = 20_000;
const TEXTS_MAX = 100;
const DEPTH_MAX = 8;

/** Collects all strings of an input, with limits, because the input is arbitrary. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value.slice(0, 1000)];
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value)
    .slice(0, TEXTS_MAX)
    .flatMap((entry) => textsIn(entry, depth + 1))
    .slice(0, TEXTS_MAX);
}
