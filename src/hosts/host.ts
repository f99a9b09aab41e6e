/**
 * A host is a coding agent program whose hooks call us. Its folder holds everything that the host decides; this is the
 * half that an event needs. It judges nothing and remembers nothing.
 */
import type { Verdict } from "../kernel/decide.ts";
import type { EventName, HookEvent } from "../kernel/event.ts";
import type { Arming } from "../kernel/facts.ts";
import type { Language } from "../lib/text.ts";
import type { LookingHost } from "../world/host.ts";
import type { Program } from "./registration.ts";

/** The raw input of a hook call. */
export interface RawCall {
  readonly body: string;
  /** The body as JSON, where it was parsed already. */
  readonly json?: unknown;
  /** The event the hook was registered for, by our name; tells what a body that cannot be read was about. */
  readonly registeredFor?: string;
  /** The hook is registered for tools that only read or control. */
  readonly harmless?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Parsed =
  | { readonly event: HookEvent }
  | {
      /** Describes the problem without repeating the input. */
      readonly problem: string;
      readonly name: EventName;
      readonly session: string;
      readonly tool?: string;
      /** The hook is registered for tools that only read or control. */
      readonly harmless: boolean;
    };

export interface Reply {
  readonly exitCode: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** `id` is the record's id, or empty when nothing was recorded. */
export type Render = (
  name: EventName,
  verdict: Verdict,
  options: { readonly language: Language; readonly id: string },
) => Reply;

export interface Host extends LookingHost {
  readonly id: string;
  /** Larger than any real payload; a longer input is refused unread. */
  readonly bodyCharsMax: number;
  /** Variables that decide places and whether a person is there. The daemon keeps their values from session start. */
  readonly sessionVariables: readonly string[];
  parse(call: RawCall): Parsed;
  /** The session id in a body, found without parsing all of it, or "unknown". */
  sessionIn(body: string): string;
  /** False if the body cannot hold a shell command, which takes longer to judge. */
  mayHoldCommand(body: string): boolean;
  /** The answer of a process: exit code, stdout and stderr. */
  readonly render: Render;
  /** The answer over HTTP, where there is no exit code: only `stdout` is sent. */
  readonly renderOverHttp: Render;
  /** The words of the verdict that reach the agent as context: part of what `render` writes. */
  context(name: EventName, verdict: Verdict, language: Language): string;
  /** Our own deadline, well before the host's timeout. */
  deadlineMs(event: EventName): number;
  /** How long to wait for the input. */
  inputMs(event: EventName): number;
  /** Whether a settings file has all our hooks, and what in it would disable them. */
  arming(text: string | undefined, program: Program): Arming;
}
