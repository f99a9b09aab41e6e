/** Whether a settings file of the client still has our hooks whole, and what in it would switch them off. */
import type { EventName } from "../../kernel/event.ts";
import type { Arming } from "../../kernel/facts.ts";
import { disarmingKeys, enabledPlugins, passesProxies } from "./disarming.ts";
import { groupsOf, ON_PATH, type Program, readSettings, type Slot, slots } from "./hooks.ts";
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

/** Only what stands to the letter as we would write it is ours: whatever else bears our name runs something of its own. */
function foreignRuns(settings: Settings, program: Program): readonly string[] {
  const events = Object.keys(settings.hooks ?? {}) as EventName[];
  const slotsOfOurs = [...slots(events, program), ...slots(events, program, "fast"), ...slots(events, ON_PATH)];
  const ours = new Set(slotsOfOurs.map(({ hook }) => canonical(hook)));
  const keys = RUNNING_KEYS.filter((key) => settings[key] !== undefined).map(
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
  return [...keys, ...hooks];
}

/** Our slots that stand in the settings exactly as we would write them: `event`, or `event (matcher)` for the gates. */
function wholeHooks(settings: Settings, program: Program): readonly string[] {
  const events = Object.keys(settings.hooks ?? {}) as EventName[];
  const stands = (slot: Slot | undefined): boolean =>
    slot !== undefined && groupsOf(settings, slot.event).some((group) => holds(group, slot));
  const [fast, shared] = [slots(events, program, "fast"), slots(events, ON_PATH)];
  const found = slots(events, program)
    .filter((plain, at) => stands(plain) || stands(fast[at]) || stands(shared[at]))
    .map(({ event, hook }) => (event === "PreToolUse" && hook.onFailure !== "block" ? `${event} (harmless)` : event));
  // Where a proxy is set, the fast lane stands on this exception as much as on its hooks.
  const isFast = fast.some((slot) => slot.hook.type === "http" && stands(slot));
  return isFast && passesProxies(settings) ? [...found, "env.NO_PROXY"] : found;
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
