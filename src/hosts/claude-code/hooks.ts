/** The form of our hooks in the host's settings. */
import type { EventName } from "../../kernel/event.ts";
import { KEY_WORD } from "../../state/person-key.ts";
import { HARMLESS, KEY_HEADER, WATCHING, WITNESS } from "../marks.ts";
import {
  type CommandSlot,
  type Door,
  type HookEntry,
  type Lane,
  ON_PATH,
  type Program,
  type Slot,
} from "../registration.ts";
import type { Settings } from "./settings-shape.ts";
import { timeoutOf } from "./timeouts.ts";
import { harmlessTools } from "./tools.ts";

/** Of the dialogs, only the one about a plan matters. */
const MATCHERS: Readonly<Partial<Record<EventName, string>>> = {
  PostToolUse: "*",
  PostToolUseFailure: "*",
  PermissionRequest: "ExitPlanMode",
};

/** Events at which a failing hook must block the action. */
const FAILS_CLOSED: ReadonlySet<EventName> = new Set(["ConfigChange"]);

/** Events that the daemon answers. All others start a process, which also checks the daemon. */
const FAST_EVENTS: ReadonlySet<EventName> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
]);

/**
 * Events that a process handles and that carry a person's or a reviewer's word, or end what the agent owes. The host reports them to the daemon too,
 * over a connection that no agent can open.
 */
const WITNESSED: readonly EventName[] = ["UserPromptSubmit", "UserPromptExpansion", "Stop", "SubagentStop"];

/** On the fast lane, the witnesses come after the slots that both lanes have. */
export function slots(events: readonly EventName[], program: Program): readonly CommandSlot[];
export function slots(events: readonly EventName[], program: Program, lane: Lane): readonly Slot[];
export function slots(events: readonly EventName[], program: Program, lane: Lane = "plain"): readonly Slot[] {
  const entry = (event: EventName, gate?: typeof HARMLESS): HookEntry =>
    lane === "fast" && program.door && FAST_EVENTS.has(event)
      ? httpEntry(event, program.door, program.key, gate)
      : commandEntry(event, program, gate ?? (lane === "fast" ? WATCHING : undefined));
  const handlers = events.flatMap((event) => (event === "PreToolUse" ? gates(entry) : [slot(event, entry(event))]));
  const { door, key } = program;
  if (lane !== "fast" || !door) return handlers;
  const witnesses = WITNESSED.filter((event) => events.includes(event));
  return [...handlers, ...witnesses.map((event) => slot(event, httpEntry(event, door, key, WITNESS)))];
}

/** Names a hook of ours in messages and in the record of a session's hooks. */
export function slotName({ event, hook }: Slot): string {
  if (event === "PreToolUse") return hook.onFailure === "block" ? event : `${event} (${HARMLESS})`;
  return hook.type === "http" && !FAST_EVENTS.has(event) ? `${event} (${WITNESS})` : event;
}

/** When Sekisho is broken, reading and control tools are allowed, and everything else is blocked. */
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
  const matcher = MATCHERS[event];
  return {
    event,
    ...(matcher !== undefined && { matcher }),
    hook: FAILS_CLOSED.has(event) ? { ...hook, onFailure: "block" } : hook,
  };
}

/**
 * Starts through `env`, because NODE_OPTIONS could load code into our process and NODE_EXTRA_CA_CERTS costs every start
 * about 50 ms. The path contains no links, so Node need not resolve them.
 */
function commandEntry(event: EventName, { node, bundle, key }: Program, mark: string | undefined): CommandSlot["hook"] {
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
      ...(key === undefined ? [] : [`${KEY_WORD}${key}`]),
    ],
    timeout: timeoutOf(event),
  };
}

/**
 * When the daemon does not answer, the model sees only the URL, so its last part says what to do. The daemon reads only
 * the first two parts.
 */
function httpEntry(
  event: EventName,
  { port, token }: Door,
  key: string | undefined,
  gate: typeof HARMLESS | typeof WITNESS | undefined,
): HookEntry {
  return {
    type: "http",
    url: `http://127.0.0.1:${port}/${event}/${gate ?? "any"}/${gate === WITNESS ? RESTARTED : REMEDY}`,
    headers: { Authorization: `Bearer ${token}`, ...(key !== undefined && { [KEY_HEADER]: key }) },
    timeout: timeoutOf(event),
  };
}

const REMEDY =
  "the-sekisho-gatehouse-did-not-answer,so-changes-are-held-back,reading-still-works,end-your-turn-and-it-is-started-again,or-ask-the-person-to-run:sekisho-up";

/** The process beside a witness starts the daemon again. */
const RESTARTED = "the-sekisho-gatehouse-did-not-answer,it-is-being-started-again";

/** Matches our hooks of any version and location: `uninstall` removes and `init` replaces them. */
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
