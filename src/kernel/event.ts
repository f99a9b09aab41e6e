/** Events of the host: the host's event names with our own fields. */

import { clip } from "../lib/text.ts";
import type { Tool } from "../reading/tool.ts";
import { MAIN } from "../state/session/coverage.ts";

/** All events of Claude Code. Other events arrive as "Unknown" and pass. */
export const EVENT_NAMES = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PermissionRequest",
  "PermissionDenied",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Setup",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "Notification",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "WorktreeCreate",
  "WorktreeRemove",
  "MessageDisplay",
] as const;

export type EventName = (typeof EVENT_NAMES)[number] | "Unknown";

/** A call inside a PostToolBatch. */
export interface BatchCall {
  readonly id: string;
  readonly tool: string;
  /** The response to the model, cut. */
  readonly response: string;
  /** The file named in the call, if any. */
  readonly path?: string;
}

/** The end of a background task, which the host reports as a prompt. */
export interface TaskNotification {
  readonly call: string;
  readonly status: string;
  readonly exitCode?: number;
}

/** A message that the agent sent with a tool of the host, and what the host answered. */
export interface SentMessage {
  /** As the agent wrote it. */
  readonly to: string;
  readonly body: string;
  readonly subject?: string;
  /** The host took it. That says nothing about its arrival. */
  readonly isTaken: boolean;
  /** Another session; a subagent of this one; from a subagent to the main agent; between teammates. */
  readonly reach: "session" | "agent" | "main" | "team";
  /** The host's own id of the message. */
  readonly ref?: string;
  readonly answer: string;
}

/** A message of another agent, as the host hands it to its reader. */
export interface HeardMessage {
  readonly from: string;
  readonly body: string;
  readonly reach: SentMessage["reach"];
}

/** What became of messages to other sessions, by the host's own ids. */
export interface DeliveryNotice {
  readonly fate: "held" | "released" | "denied" | "refused" | "expired";
  readonly refs: readonly string[];
}

/** The session of an event without a valid session id. All such events share it, so nothing stored under it counts. */
export const NAMELESS = "unknown";

interface Common {
  /** The host's session id, or `NAMELESS`. */
  readonly session: string;
  readonly cwd: string;
  /** Set inside a subagent. */
  readonly agent?: { readonly id: string; readonly type: string };
  /** Whether a person can answer a prompt. */
  readonly attended: boolean;
  /** The host is in its plan mode, in which nothing is to be changed. */
  readonly planning?: true;
}

interface ToolUse {
  readonly tool: Tool;
  /** Empty when the host sent none. */
  readonly call: string;
  /** The raw input, for the record only; policies read `tool`. */
  readonly input: unknown;
  /** The input without descriptive fields; absent when there are none. */
  readonly effect?: unknown;
}

/** Events with their own fields. */
interface Shapes {
  readonly PreToolUse: ToolUse;
  readonly PostToolUse: ToolUse & {
    readonly background: boolean;
    /** True if the host reports a failure through the success event. */
    readonly failed: boolean;
    /** The error text in that case, cut. */
    readonly error?: string;
    /** Exit code 1 of a command that asks: the host reports success, but it proves nothing about earlier commands. */
    readonly answered?: true;
    /** A person's answers to the tool's question. */
    readonly answers?: readonly string[];
    /** The files that a subagent was shown as a diff, from the root of the work tree; none if the host has cut the output. */
    readonly diffed?: readonly string[];
    /** The plan with which the host has just left its plan mode. */
    readonly plan?: string;
    readonly sent?: SentMessage;
  };
  readonly PostToolUseFailure: ToolUse & {
    readonly error: string;
    readonly interrupted: boolean;
    /** The host itself reports that the call did not fail. */
    readonly failed?: false;
    /** The host gives it only in the error text. */
    readonly exitCode?: number;
  };
  readonly PostToolBatch: { readonly calls: readonly BatchCall[] };
  readonly PermissionRequest: ToolUse;
  readonly PermissionDenied: ToolUse & { readonly reason: string };
  /** `automatic`: the prompt is in tags or words of the host, so no person wrote it. */
  readonly UserPromptSubmit: Told & {
    readonly prompt: string;
    readonly notification?: TaskNotification;
    readonly automatic?: true;
    readonly heard?: HeardMessage;
    readonly notice?: DeliveryNotice;
  };
  /** `command`: the slash command of the prompt; empty for other expansions. `args`: the text after it. */
  readonly UserPromptExpansion: { readonly command: string; readonly args: string };
  /** `title`: the name that the person gave the session. */
  readonly SessionStart: Told & { readonly source: string; readonly title?: string };
  readonly PreCompact: Told & { readonly trigger: string };
  readonly SessionEnd: { readonly reason: string };
  /** `mate`: the name of the teammate that has nothing more to do. */
  readonly TeammateIdle: { readonly mate: string };
  /** Both are empty when the host sent none. */
  readonly TaskCompleted: { readonly task: string; readonly subject: string };
  readonly Stop: StopShape;
  readonly SubagentStop: StopShape;
  /** The turn ended because of an error of the model API. */
  readonly StopFailure: { readonly error: string };
  readonly ConfigChange: { readonly source: string; readonly path: string };
  readonly Unknown: { readonly hostName: string };
}

/** The path of the host's transcript: not trusted, and empty when none was given. */
interface Told {
  readonly transcript: string;
}

interface StopShape extends Told {
  readonly continued: boolean;
  readonly lastMessage: string;
  readonly backgroundTasks: number;
  /** True if one of the background tasks is a subagent, which will report back. */
  readonly awaitsAgent?: boolean;
  /** The number of prompts that the host will send on a schedule. */
  readonly wakeUps?: number;
  /** Their cron expressions; absent when the host does not send them. */
  readonly schedules?: readonly string[];
  /** The host must stop anyway, so no policy is evaluated. */
  readonly mustYield: boolean;
}

type ShapeOf<N extends EventName> = N extends keyof Shapes ? Shapes[N] : unknown;

/** An event of the given name, or any event. */
export type HookEvent<N extends EventName = EventName> = N extends EventName
  ? Common & { readonly name: N } & ShapeOf<N>
  : never;

export type ToolEvent = HookEvent<
  "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" | "PermissionDenied"
>;

/** A tool use that has not happened yet; only for these is the operation analysed. */
export type AttemptEvent = HookEvent<"PreToolUse" | "PermissionRequest">;

export function isAttempt(event: HookEvent): event is AttemptEvent {
  return event.name === "PreToolUse" || event.name === "PermissionRequest";
}

export function isPrompt(event: HookEvent): event is HookEvent<"UserPromptSubmit" | "UserPromptExpansion"> {
  return event.name === "UserPromptSubmit" || event.name === "UserPromptExpansion";
}

/** The owner of the transcript. The id is cut like in its record, so that both match. */
export function narrator(event: HookEvent<"Stop" | "SubagentStop" | "UserPromptSubmit">): string {
  return event.name === "SubagentStop" && event.agent ? clip(event.agent.id, 80) : MAIN;
}

export function isToolEvent(event: HookEvent): event is ToolEvent {
  return "tool" in event;
}
