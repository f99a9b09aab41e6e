/** The contract for a host's settings files: which hooks we want in them, how we find, add and remove them. */
import type { EventName } from "../kernel/event.ts";

/** The program as the host starts it: absolute paths, no shell, nothing inherited that could load foreign code. */
export interface Program {
  readonly node: string;
  readonly bundle: string;
  /** The daemon's endpoint; without one there is no fast lane. */
  readonly door?: Door | undefined;
  /** The person's public key, which our hooks name so that nobody can exchange it unnoticed. */
  readonly key?: string | undefined;
}

/** For shared files: contains no machine path; the program is found on the PATH by name. */
export const ON_PATH: Program = { node: "", bundle: "sekisho" };

/** The daemon's port and token. The port belongs to this user and survives restarts. */
export interface Door {
  readonly port: number;
  readonly token: string;
}

/** plain: a process for every event. fast: the daemon answers tool events, a process handles the rest. */
export type Lane = "plain" | "fast";

interface CommandEntry {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
  readonly onFailure?: "block";
}

interface HttpEntry {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly onFailure?: "block";
}

export type HookEntry = CommandEntry | HttpEntry;

/** A hook we want, and where it belongs. */
export interface Slot<H extends HookEntry = HookEntry> {
  readonly event: EventName;
  readonly matcher?: string;
  readonly hook: H;
}

export type CommandSlot = Slot<CommandEntry>;

/** A hook as written in a settings file. */
export interface RegisteredHook {
  readonly event: string;
  readonly matcher?: string;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** A hook of ours, with the program it starts or the endpoint it calls. */
export interface OwnHook extends RegisteredHook {
  /** As written in the file: it may be relative or missing. Undefined where the program is found on the PATH. */
  readonly program?: Omit<Program, "door">;
  readonly door?: Door;
  readonly key?: string;
}

export interface Registration {
  readonly hooks: readonly OwnHook[];
  readonly lane: Lane;
  /** All programs that our hooks start; more than one after an interrupted rewrite. */
  readonly programs: readonly Omit<Program, "door">[];
  readonly door?: Door;
  /** The key that our hooks name; with several, one that nobody holds. */
  readonly key?: string;
}

/** Details of the original file that our edit loses. Without this note only the bytes of other entries are restored. */
export interface Note {
  /** The whole original: the text of a blank file, or null when there was none. */
  readonly blank?: string | null;
  /** Objects and lists that existed and were empty, as they were written. */
  readonly empties: readonly { readonly path: readonly string[]; readonly raw: string }[];
  /** The NO_PROXY value as written before (null: none) and the value we wrote. */
  readonly noProxy?: { readonly before: string | null; readonly written: string };
}

export interface Wanted {
  readonly lane?: Lane | undefined;
  /** The value for `env.NO_PROXY`; without one, `env` is not changed. */
  readonly noProxy?: string | undefined;
  /** The note of an earlier registration in this file. */
  readonly note?: Note | undefined;
}

/** Includes the note needed to restore the file later. */
export type Rewritten = { readonly text: string; readonly note: Note } | { readonly problem: string };

/** Undefined when nothing is left, so the file is removed. */
export type Removed = { readonly text: string | undefined } | { readonly problem: string };

export type Edited = { readonly text: string } | { readonly problem: string };

/** All functions take and return the text of a settings file. Entries that are not ours keep every byte. */
export interface HostRegistration {
  /** The hooks that we want for these events. */
  slots(events: readonly EventName[], program: Program): readonly CommandSlot[];
  slots(events: readonly EventName[], program: Program, lane: Lane): readonly Slot[];
  /** The name of a hook of ours, as `Arming.hooks` lists it. */
  slotName(slot: Slot): string;
  withOurs(text: string | undefined, events: readonly EventName[], program: Program, wanted?: Wanted): Rewritten;
  /** With `any`, our hooks are removed even if the rest of the file has problems. */
  withoutOurs(text: string | undefined, note?: Note, shape?: "any" | "sound"): Removed;
  /** Undefined if the file contains no hook of ours or is unreadable. */
  registrationIn(text: string | undefined): Registration | undefined;
  foreignHooksIn(text: string | undefined): readonly RegisteredHook[];
  /** Points our hooks at another program. */
  pointedTo(text: string, program: Omit<Program, "door">): Edited;
  /** Points our hooks at another daemon endpoint. */
  movedTo(text: string, door: Door): Edited;
}
