/** How our hooks stand in the client's settings. */
import type { EventName } from "../../kernel/event.ts";
import type { Settings } from "./settings-shape.ts";
import { harmlessTools } from "./tools.ts";

/** The program as the client starts it: absolute paths, no shell, nothing inherited that could load foreign code. */
export interface Program {
  readonly node: string;
  readonly bundle: string;
  /** Where the gatehouse listens; without one there is no fast lane. */
  readonly door?: Door | undefined;
}

/** For files that are shared: no path of any machine, the program is found on the PATH by its name. */
export const ON_PATH: Program = { node: "", bundle: "sekisho" };

/** The gatehouse as a hook reaches it. The port is this user's own and stays the same over restarts. */
export interface Door {
  readonly port: number;
  readonly token: string;
}

/** plain: a process for every event. fast: the gatehouse answers for the tools, a process for everything else. */
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

export interface Slot<H extends HookEntry = HookEntry> {
  readonly event: EventName;
  readonly matcher?: string;
  readonly hook: H;
}

/** Seconds, as the client counts. Every event has one: the client's own default is ten minutes. */
const TIMEOUT_SECONDS: Readonly<Partial<Record<EventName, number>>> = { Stop: 15, SubagentStop: 15, SessionEnd: 5 };
const TIMEOUT_SECONDS_DEFAULT = 10;

/**
 * When a session ends the client has a second and a half for all hooks together. A time-out in the settings makes it longer,
 * but nobody promises that for hooks from elsewhere: we keep to the shorter one, with what it takes to start.
 */
const SESSION_END_MS = 1000;

/** We answer for ourselves well before the client gives up on us. */
export function deadlineMs(event: EventName): number {
  return event === "SessionEnd" ? SESSION_END_MS : timeoutOf(event) * 600;
}

/** The client writes its input at once; who has not written by then will not. */
export function inputMs(event: EventName): number {
  return event === "SessionEnd" ? SESSION_END_MS / 4 : 2500;
}

const MATCHED_BY_TOOL: ReadonlySet<EventName> = new Set(["PostToolUse", "PostToolUseFailure"]);

/** Events at which a hook of ours that cannot answer must hold the action back. */
const FAILS_CLOSED: ReadonlySet<EventName> = new Set(["ConfigChange"]);

/** What the gatehouse answers for. Everything else stays with a process of its own, which sees to the gatehouse. */
const FAST_EVENTS: ReadonlySet<EventName> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
]);

export function slots(events: readonly EventName[], program: Program): readonly Slot<CommandEntry>[];
export function slots(events: readonly EventName[], program: Program, lane: Lane): readonly Slot[];
export function slots(events: readonly EventName[], program: Program, lane: Lane = "plain"): readonly Slot[] {
  const entry = (event: EventName, gate?: typeof HARMLESS): HookEntry =>
    lane === "fast" && program.door && FAST_EVENTS.has(event)
      ? httpEntry(event, program.door, gate)
      : commandEntry(event, program, gate ?? (lane === "fast" ? WATCHING : undefined));
  return events.flatMap((event) => (event === "PreToolUse" ? gates(entry) : [slot(event, entry(event))]));
}

/** Tells the program which of the two gates it stands at, even when the input cannot be read. */
export const HARMLESS = "harmless";

/** Tells the program that a gatehouse answers for the tools, and that it must see to it. */
export const WATCHING = "gatehouse";

/** Reading and steering go on when we are broken; whatever could change something does not. */
function gates(entry: (event: EventName, gate?: typeof HARMLESS) => HookEntry): readonly Slot[] {
  const harmless = harmlessTools().join("|");
  return [
    {
      event: "PreToolUse",
      matcher: `^(?!(${harmless})$)`,
      hook: { ...entry("PreToolUse"), onFailure: "block" },
    },
    { event: "PreToolUse", matcher: harmless, hook: entry("PreToolUse", HARMLESS) },
  ];
}

function slot(event: EventName, hook: HookEntry): Slot {
  return {
    event,
    ...(MATCHED_BY_TOOL.has(event) && { matcher: "*" }),
    hook: FAILS_CLOSED.has(event) ? { ...hook, onFailure: "block" } : hook,
  };
}

function timeoutOf(event: EventName): number {
  return TIMEOUT_SECONDS[event] ?? TIMEOUT_SECONDS_DEFAULT;
}

/**
 * Through `env`: NODE_OPTIONS could load code into our process, and NODE_EXTRA_CA_CERTS costs every start of Node
 * some 50 ms for certificates we never use. The path is a true one already, so Node need not look for links in it.
 */
function commandEntry(event: EventName, { node, bundle }: Program, mark: string | undefined): CommandEntry {
  const start = node === ON_PATH.node ? [bundle] : [node, "--preserve-symlinks-main", bundle];
  return {
    type: "command",
    command: "/usr/bin/env",
    args: [
      "-u",
      "NODE_OPTIONS",
      "NODE_EXTRA_CA_CERTS=",
      ...start,
      "hook",
      event,
      ...(mark === undefined ? [] : [mark]),
    ],
    timeout: timeoutOf(event),
  };
}

/**
 * When nobody answers, the address is all that the model is shown: so it says what to do. The last part is for people
 * and models only, the gatehouse reads the first two.
 */
function httpEntry(event: EventName, { port, token }: Door, gate: typeof HARMLESS | undefined): HttpEntry {
  return {
    type: "http",
    url: `http://127.0.0.1:${port}/${event}/${gate ?? "any"}/${REMEDY}`,
    headers: { Authorization: `Bearer ${token}` },
    timeout: timeoutOf(event),
  };
}

const REMEDY =
  "the-sekisho-gatehouse-did-not-answer,so-changes-are-held-back,reading-still-works,end-your-turn-and-it-is-started-again,or-ask-the-person-to-run:sekisho-up";

/** Any hook of ours, of whatever version or place: what an uninstall removes and an install replaces. */
export function isOurs(hook: unknown): boolean {
  if (typeof hook !== "object" || hook === null) return false;
  const { command, args, url } = hook as { command?: unknown; args?: unknown; url?: unknown };
  if (typeof url === "string" && url.startsWith("http://127.0.0.1:") && url.includes("/the-sekisho-gatehouse-"))
    return true;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  return words.some((word, at) => /(^|\/)sekisho(\.cjs)?$/.test(word) && words[at + 1] === "hook");
}

export function readSettings(text: string): Settings | undefined {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Settings) : undefined;
  } catch {
    return undefined;
  }
}

export function groupsOf(settings: Settings, event: string): readonly unknown[] {
  const groups = settings.hooks?.[event];
  return Array.isArray(groups) ? groups : [];
}
