/** A host is a translator: its wire format in, its wire format out. It judges nothing and remembers nothing. */
import type { Verdict } from "../kernel/decide.ts";
import type { EventName, HookEvent } from "../kernel/event.ts";
import type { TranscriptLine } from "../kernel/facts.ts";
import type { SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";
import type { Language } from "../kernel/text.ts";

/** What arrived, before anything is known about it. */
export interface RawCall {
  readonly body: string;
  /** The event the hook was registered for; tells what a body that cannot be read was about. */
  readonly registeredFor?: string;
  /** The hook was registered for tools that only read or steer. */
  readonly harmless?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Parsed =
  | { readonly event: HookEvent }
  | {
      /** What is wrong with the input, without repeating it. */
      readonly problem: string;
      readonly name: EventName;
      readonly session: string;
      readonly tool?: string;
      /** The hook was registered for tools that only read or steer. */
      readonly harmless: boolean;
    };

export interface Reply {
  readonly exitCode: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
  /** Characters of ours that reach the agent as context. */
  readonly injected: number;
}

/** An answer that has to wait for a snapshot: then `finish` has what to say. */
export interface Pending extends Reply {
  readonly snapshot?: {
    readonly request: SnapshotRequest;
    finish(outcome: SnapshotOutcome): Reply;
  };
}

export interface Host {
  parse(call: RawCall): Parsed;
  render(name: EventName, verdict: Verdict, options: { readonly language: Language; readonly id: string }): Reply;
  /** Total: a line that cannot be read tells nothing. A host without transcripts leaves it out. */
  readTranscriptLine?(line: string): TranscriptLine | undefined;
  /** What a person has written, where the line is a prompt. Total, too. */
  readPrompt?(line: string): string | undefined;
  /** Where a subagent's transcript lies, given its session's; undefined for an id that is none of the host's. */
  transcriptOfAgent?(transcript: string, agent: string): string | undefined;
}
