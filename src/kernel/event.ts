/** What a host tells us, in the host's names for the events and our own fields. */
import { MAIN } from "../state/coverage.ts";
import { clip } from "./text.ts";

/** All events of the client. A host's other events arrive as "Unknown" and are let through. */
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

/** One attempted tool use, as far as its input could be read. `name` is the host's own name for the tool. */
export type Tool = { readonly name: string } & (
  | { readonly kind: "bash"; readonly command: string; readonly background: boolean }
  | { readonly kind: "write"; readonly path: string; readonly content: string }
  | { readonly kind: "edit"; readonly path: string; readonly edits: readonly Replacement[] }
  | { readonly kind: "notebook"; readonly path: string; readonly source: string }
  /** `glob`: a search keeps to files of such names. */
  | { readonly kind: "read"; readonly path?: string; readonly glob?: string }
  /**
   * `skill`: it takes up that one. `asks`: a question to the person; `answered`: one that brings its answer. `prompts`: it
   * has a prompt sent later, in these words.
   */
  | {
      readonly kind: "control";
      readonly skill?: string;
      readonly asks?: true;
      readonly answered?: true;
      readonly prompts?: string;
    }
  | { readonly kind: "agent"; readonly agentType: string }
  | { readonly kind: "worktree" }
  | { readonly kind: "web"; readonly url?: string }
  /** Tools whose input has no shape we know: all that can be read are its texts. */
  | { readonly kind: "mcp"; readonly words: readonly string[] }
  | { readonly kind: "unknown"; readonly words: readonly string[] }
  /** A tool we know whose input is not of its shape: `field` says where. */
  | { readonly kind: "malformed"; readonly of: "read" | "control" | "change"; readonly field: string }
);

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** A call inside a PostToolBatch. */
export interface BatchCall {
  readonly id: string;
  readonly tool: string;
  /** What the model was told, cut. */
  readonly response: string;
  /** The file that it named, where it named one. */
  readonly path?: string;
}

/** The end of a background task, which the client reports as a prompt. */
export interface TaskNotification {
  readonly call: string;
  readonly status: string;
  readonly exitCode?: number;
}

interface Common {
  /** The host's session id, or "unknown". */
  readonly session: string;
  readonly cwd: string;
  /** Set inside a subagent. */
  readonly agent?: { readonly id: string; readonly type: string };
  /** Whether somebody is there to answer a question. */
  readonly attended: boolean;
}

interface ToolUse {
  readonly tool: Tool;
  /** Empty when the host gave none. */
  readonly call: string;
  /** The input as the host sent it: for the record only, policies read `tool`. */
  readonly input: unknown;
  /** The input without what only describes it; absent when all of it counts. */
  readonly effect?: unknown;
}

/** Events that have fields of their own. */
interface Shapes {
  readonly PreToolUse: ToolUse;
  readonly PostToolUse: ToolUse & {
    readonly background: boolean;
    /** The host reports a failure by the event for successes. */
    readonly failed: boolean;
    /** Then in what words, cut. */
    readonly error?: string;
    /** Exit code 1 of a command that asks: the host calls it a success, and it is no proof of anything before it. */
    readonly answered?: true;
    /** What a person chose or wrote when the tool asked. */
    readonly answers?: readonly string[];
  };
  readonly PostToolUseFailure: ToolUse & {
    readonly error: string;
    readonly interrupted: boolean;
    /** The host says itself that it was none. */
    readonly failed?: false;
    /** The client gives it in the text of the error only. */
    readonly exitCode?: number;
  };
  readonly PostToolBatch: { readonly calls: readonly BatchCall[] };
  readonly PermissionRequest: ToolUse;
  readonly PermissionDenied: ToolUse & { readonly reason: string };
  /** `automatic`: it came in tags of the client's own; no person writes like that. */
  readonly UserPromptSubmit: Told & {
    readonly prompt: string;
    readonly notification?: TaskNotification;
    readonly automatic?: true;
  };
  /** `command`: what the prompt named with a slash; empty for other expansions. `args`: what stood behind it. */
  readonly UserPromptExpansion: { readonly command: string; readonly args: string };
  readonly SessionStart: Told & { readonly source: string };
  readonly PreCompact: Told & { readonly trigger: string };
  readonly SessionEnd: { readonly reason: string };
  /** Both empty when the host gave none. */
  readonly TaskCompleted: { readonly task: string; readonly subject: string };
  readonly Stop: StopShape;
  readonly SubagentStop: StopShape;
  /** The turn ended by an error of the model's service. */
  readonly StopFailure: { readonly error: string };
  readonly ConfigChange: { readonly source: string; readonly path: string };
  readonly Unknown: { readonly hostName: string };
}

/** Where the host writes down what was said and used: a path that nobody vouches for, empty when none was given. */
interface Told {
  readonly transcript: string;
}

interface StopShape extends Told {
  readonly continued: boolean;
  readonly lastMessage: string;
  readonly backgroundTasks: number;
  /** One of them is a subagent, which will come back. */
  readonly awaitsAgent?: boolean;
  /** Prompts that the client will send by itself at their time. */
  readonly wakeUps?: number;
  /** When they come, as cron writes it; absent where the host does not say. */
  readonly schedules?: readonly string[];
  /** The host must stop whatever we say: nobody is asked. */
  readonly mustYield: boolean;
}

type ShapeOf<N extends EventName> = N extends keyof Shapes ? Shapes[N] : unknown;

/** The event of a given name, or any event. */
export type HookEvent<N extends EventName = EventName> = N extends EventName
  ? Common & { readonly name: N } & ShapeOf<N>
  : never;

export type ToolEvent = HookEvent<
  "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" | "PermissionDenied"
>;

/** A tool use that has not happened yet: only of these is it worth knowing what they would do. */
export type AttemptEvent = HookEvent<"PreToolUse" | "PermissionRequest">;

export function isAttempt(event: HookEvent): event is AttemptEvent {
  return event.name === "PreToolUse" || event.name === "PermissionRequest";
}

/** Whose transcript an event names. Cut like the id in its record, so that both are one. */
export function narrator(event: HookEvent<"Stop" | "SubagentStop" | "UserPromptSubmit">): string {
  return event.name === "SubagentStop" && event.agent ? clip(event.agent.id, 80) : MAIN;
}

export function isToolEvent(event: HookEvent): event is ToolEvent {
  return "tool" in event;
}
