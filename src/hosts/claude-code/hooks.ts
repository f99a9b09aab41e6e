/** How our hooks stand in the client's settings, and whether a settings file still has them whole. */
import type { EventName } from "../../kernel/event.ts";
import type { Arming } from "../../kernel/facts.ts";
import { strangeKeys, wouldBeDropped } from "./settings-shape.ts";
import { harmlessTools } from "./tools.ts";

/** The program as the client starts it: absolute paths, no shell, nothing inherited that could load foreign code. */
export interface Program {
  readonly node: string;
  readonly bundle: string;
}

export interface HookEntry {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
  readonly onFailure?: "block";
}

export interface Slot {
  readonly event: EventName;
  readonly matcher?: string;
  readonly hook: HookEntry;
}

/** Seconds, as the client counts. Every event has one: the client's own default is ten minutes. */
const TIMEOUT_SECONDS: Readonly<Partial<Record<EventName, number>>> = { Stop: 15, SubagentStop: 15, SessionEnd: 5 };
const TIMEOUT_SECONDS_DEFAULT = 10;

/** We answer for ourselves well before the client gives up on us. */
export function deadlineMs(event: EventName): number {
  return (TIMEOUT_SECONDS[event] ?? TIMEOUT_SECONDS_DEFAULT) * 600;
}

const MATCHED_BY_TOOL: ReadonlySet<EventName> = new Set(["PostToolUse", "PostToolUseFailure"]);

/** Events at which a hook of ours that cannot answer must hold the action back. */
const FAILS_CLOSED: ReadonlySet<EventName> = new Set(["ConfigChange"]);

export function slots(events: readonly EventName[], program: Program): readonly Slot[] {
  return events.flatMap((event) => (event === "PreToolUse" ? gates(program) : [slot(event, program)]));
}

/** Tells the program which of the two gates it stands at, even when the input cannot be read. */
export const HARMLESS = "harmless";

/** Reading and steering go on when we are broken; whatever could change something does not. */
function gates(program: Program): readonly Slot[] {
  const harmless = harmlessTools().join("|");
  const hook = entry("PreToolUse", program);
  return [
    { event: "PreToolUse", matcher: `^(?!(${harmless})$)`, hook: { ...hook, onFailure: "block" } },
    { event: "PreToolUse", matcher: harmless, hook: { ...hook, args: [...hook.args, HARMLESS] } },
  ];
}

function slot(event: EventName, program: Program): Slot {
  const hook = entry(event, program);
  return {
    event,
    ...(MATCHED_BY_TOOL.has(event) && { matcher: "*" }),
    hook: FAILS_CLOSED.has(event) ? { ...hook, onFailure: "block" } : hook,
  };
}

/**
 * Through `env`: NODE_OPTIONS could load code into our process, and NODE_EXTRA_CA_CERTS costs every start of Node
 * some 50 ms for certificates we never use. The path is a true one already, so Node need not look for links in it.
 */
function entry(event: EventName, { node, bundle }: Program): HookEntry {
  return {
    type: "command",
    command: "/usr/bin/env",
    args: ["-u", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS=", node, "--preserve-symlinks-main", bundle, "hook", event],
    timeout: TIMEOUT_SECONDS[event] ?? TIMEOUT_SECONDS_DEFAULT,
  };
}

/** Any hook of ours, of whatever version or place: what an uninstall removes and an install replaces. */
export function isOurs(hook: unknown): boolean {
  if (typeof hook !== "object" || hook === null) return false;
  const { command, args } = hook as { command?: unknown; args?: unknown };
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  return words.some((word, at) => /(^|\/)sekisho(\.cjs)?$/.test(word) && words[at + 1] === "hook");
}

/** Keys of a settings file that would switch our hooks off or move what they stand on. */
const DISARMING_KEYS: readonly string[] = ["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls"];
const DISARMING_ENV =
  /^(?:XDG_|HOME$|LD_|DYLD_|NODE|BUN|OPENSSL|GCONV|SSL_|CLAUDE|ANTHROPIC_(?!MODEL|SMALL)|\w+_proxy$)/i;

export function arming(text: string | undefined, program: Program): Arming {
  if (text === undefined || text.trim() === "") return { ...UNARMED, readable: true };
  const settings = readSettings(text);
  if (settings === undefined) return { ...UNARMED, readable: false };
  return {
    readable: !wouldBeDropped(settings),
    hooks: wholeHooks(settings, program),
    disarms: disarmingKeys(settings),
    strange: strangeKeys(settings),
    runs: foreignRuns(settings),
  };
}

const UNARMED = { hooks: [], disarms: [], strange: [], runs: [] };

/** Keys whose value is a command, or brings commands with it. */
const RUNNING_KEYS = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "enabledPlugins",
  "extraKnownMarketplaces",
  "fileSuggestion",
  "forceLoginMethod",
  "otelHeadersHelper",
  "statusLine",
  "subagentStatusLine",
];

function foreignRuns(settings: Settings): readonly string[] {
  const keys = RUNNING_KEYS.filter((key) => settings[key] !== undefined).map(
    (key) => `${key} ${JSON.stringify(settings[key])}`,
  );
  const hooks = Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
      const { hooks: entries } = (group ?? {}) as { hooks?: unknown };
      return (Array.isArray(entries) ? entries : [])
        .filter((hook) => !isOurs(hook))
        .map((hook) => `${event} hook ${JSON.stringify(hook)}`);
    }),
  );
  return [...keys, ...hooks];
}

/** Our slots that stand in the settings exactly as we would write them: `event`, or `event (matcher)` for the gates. */
function wholeHooks(settings: Settings, program: Program): readonly string[] {
  const events = Object.keys(settings.hooks ?? {}) as EventName[];
  return slots(events, program)
    .filter((wanted) => groupsOf(settings, wanted.event).some((group) => holds(group, wanted)))
    .map(({ event, hook }) => (event === "PreToolUse" && hook.onFailure !== "block" ? `${event} (harmless)` : event));
}

function holds(group: unknown, wanted: Slot): boolean {
  if (typeof group !== "object" || group === null) return false;
  const { matcher, hooks } = group as { matcher?: unknown; hooks?: unknown };
  if (matcher !== wanted.matcher || !Array.isArray(hooks)) return false;
  const canonical = JSON.stringify(sorted(wanted.hook));
  return hooks.some((hook) => JSON.stringify(sorted(hook)) === canonical);
}

function disarmingKeys(settings: Settings): readonly string[] {
  const keys = DISARMING_KEYS.filter((key) => settings[key] !== undefined && settings[key] !== false);
  const env = typeof settings.env === "object" && settings.env !== null ? Object.keys(settings.env) : [];
  return [...keys, ...env.filter((name) => DISARMING_ENV.test(name)).map((name) => `env.${name}`)];
}

export interface Settings {
  readonly [key: string]: unknown;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly env?: unknown;
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

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
