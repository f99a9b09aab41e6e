/** Checks whether a settings file of the host contains our complete hooks, and which keys would disable them. */
import type { EventName } from "../../kernel/event.ts";
import type { Arming } from "../../kernel/facts.ts";
import { runsCode } from "../../reading/shell/walk/environment.ts";
import { keyIn, keyName, NOBODYS_KEY } from "../../state/person-key.ts";
import { ON_PATH, type Program, type Slot } from "../registration.ts";
import { disarmingKeys, enabledPlugins, envOf, passesProxies } from "./disarming.ts";
import { groupsOf, readSettings, slotName, slots } from "./hooks.ts";
import { type Settings, strangeKeys, wouldBeDropped } from "./settings-shape.ts";

export function arming(text: string | undefined, program: Program): Arming {
  if (text === undefined || text.trim() === "") return { ...UNARMED, readable: true };
  const settings = readSettings(text);
  if (settings === undefined) return { ...UNARMED, readable: false };
  return {
    readable: !wouldBeDropped(settings),
    hooks: [...wholeHooks(settings, program), ...enabledPlugins(settings).map((name) => `plugin ${name}`)],
    disarms: disarmingKeys(settings),
    strange: strangeKeys(settings),
    runs: foreignRuns(settings, program),
  };
}

const UNARMED = { hooks: [], disarms: [], strange: [], runs: [] };

/** Keys whose value is a command, contains commands, or lets the host start servers. */
const RUNNING_KEYS = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "enableAllProjectMcpServers",
  "enabledMcpjsonServers",
  "enabledPlugins",
  "extraKnownMarketplaces",
  "fileSuggestion",
  "forceLoginMethod",
  "mcpServers",
  "otelHeadersHelper",
  "skipDangerousModePermissionPrompt",
  "statusLine",
  "subagentStatusLine",
];

/** Only hooks exactly as we would write them are ours; any other hook with our name runs something else. */
function foreignRuns(settings: Settings, program: Program): readonly string[] {
  const events = Object.keys(settings.hooks ?? {}) as EventName[];
  const slotsOfOurs = [...slots(events, program), ...slots(events, program, "fast"), ...slots(events, ON_PATH)];
  const ours = new Set(slotsOfOurs.map(({ hook }) => canonical(hook)));
  const keys = RUNNING_KEYS.filter((key) => settings[key] !== undefined && settings[key] !== false).map(
    (key) => `${key} ${JSON.stringify(settings[key])}`,
  );
  const hooks = Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
      const { hooks: entries } = (group ?? {}) as { hooks?: unknown };
      return (Array.isArray(entries) ? entries : [])
        .filter((hook) => !ours.has(canonical(hook)))
        .map((hook) => `${event} hook ${JSON.stringify(hook)}`);
    }),
  );
  return [...keys, ...unasked(settings), ...hooks];
}

/** Variables by which every command runs other code, and the mode in which the host asks nobody. */
function unasked(settings: Settings): readonly string[] {
  const env = Object.entries(envOf(settings)).filter(([name]) => runsCode(name));
  const { defaultMode } = (settings["permissions"] ?? {}) as { defaultMode?: unknown };
  return [
    ...env.map(([name, value]) => `env.${name} ${JSON.stringify(value)}`),
    ...(defaultMode === "bypassPermissions" ? [`permissions.defaultMode ${defaultMode}`] : []),
  ];
}

/**
 * Our hooks that are in the settings exactly as we would write them, by name.
 */
function wholeHooks(settings: Settings, program: Program): readonly string[] {
  const events = Object.keys(settings.hooks ?? {}) as EventName[];
  const stands = (slot: Slot | undefined): boolean =>
    slot !== undefined && groupsOf(settings, slot.event).some((group) => holds(group, slot));
  const [fast, shared] = [slots(events, program, "fast"), slots(events, ON_PATH)];
  const found = slots(events, program)
    .filter((plain, at) => stands(plain) || stands(fast[at]) || stands(shared[at]))
    .map(slotName);
  const witnesses = fast.slice(shared.length).filter(stands).map(slotName);
  // With a proxy the fast lane depends on this exception as much as on its hooks.
  const isFast = fast.some((slot) => slot.hook.type === "http" && stands(slot));
  const isKeyed = program.key !== undefined && found.length > 0 && !shared.some(stands);
  return [
    ...found,
    ...witnesses,
    ...(isFast && passesProxies(settings) ? ["env.NO_PROXY"] : []),
    ...(isKeyed ? [`key ${keyName(keyIn(program.key) ?? NOBODYS_KEY)}`] : []),
  ];
}

function holds(group: unknown, wanted: Slot): boolean {
  if (typeof group !== "object" || group === null) return false;
  const { matcher, hooks } = group as { matcher?: unknown; hooks?: unknown };
  if (matcher !== wanted.matcher || !Array.isArray(hooks)) return false;
  const ours = canonical(wanted.hook);
  return hooks.some((hook) => canonical(hook) === ours);
}

function canonical(hook: unknown): string {
  if (typeof hook !== "object" || hook === null || Array.isArray(hook)) return JSON.stringify(hook);
  return JSON.stringify(Object.fromEntries(Object.entries(hook).sort(([a], [b]) => (a < b ? -1 : 1))));
}
