/**
 * The settings that a process of the host began with. While it runs, settings files can only make them stricter; only a
 * person's command opens more.
 */
import { markOf } from "../../lib/sha256.ts";
import { gradedValues, isLooser, withValues } from "./setting-rules.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/** By key, without the defaults. A long value is kept as its mark. */
export type PinnedValues = Readonly<Record<string, unknown>>;

export interface SettingsPin {
  /** The host's process. */
  readonly by: string;
  readonly values: PinnedValues;
}

/** A person's command opened something. `null` stands for the default. */
export interface SettingsChange {
  readonly record: "settings";
  readonly do: "open";
  readonly values: PinnedValues;
}

const POLICIES = "policies.";
const VALUE_CHARS_MAX = 100;
/** More than any conversation is taken up again. The first are kept, so that none can be pushed out and set anew. */
const PINS_MAX = 32;

/** Everything in the settings that differs from the defaults and can loosen or tighten. */
export function pinnedIn(settings: Settings): PinnedValues {
  const defaults = gradedValues(defaultSettings);
  const graded = Object.entries(gradedValues(settings)).filter(([key, value]) => !isSame(value, defaults[key]));
  const policies = Object.entries(settings.policies).map(([id, wanted]) => [POLICIES + id, wanted] as const);
  const all = [...(settings.enabled ? [] : [["enabled", false] as const]), ...graded, ...policies];
  return Object.fromEntries(all.map(([key, value]) => [key, kept(value)]));
}

/** The settings as they are in force for a process that began with these. */
export function withinPin(written: Settings, pin: PinnedValues): Settings {
  const defaults = gradedValues(defaultSettings);
  const values = Object.entries(gradedValues(written)).flatMap(([key, value]) => {
    const known = pin[key];
    if (isMark(known) && known === kept(value)) return [];
    const base = known === undefined || isMark(known) ? defaults[key] : known;
    return isLooser(key, value, base) ? [[key, base] as const] : [];
  });
  return {
    ...(values.length === 0 ? written : withValues(written, Object.fromEntries(values))),
    enabled: written.enabled || pin["enabled"] !== false,
    policies: policiesWithin(written, pin),
  };
}

function policiesWithin({ policies }: Settings, pin: PinnedValues): Settings["policies"] {
  const stays = Object.entries(policies).filter(([id, wanted]) => wanted === "on" || pin[POLICIES + id] === "off");
  const on = Object.entries(pin).filter(([key, wanted]) => key.startsWith(POLICIES) && wanted === "on");
  return {
    ...Object.fromEntries(stays),
    ...Object.fromEntries(on.map(([key]) => [key.slice(POLICIES.length), "on" as const])),
  };
}

/** What the files say and what is not in force, as `key: value`. */
export function withheldFrom(written: Settings, inForce: Settings): readonly string[] {
  const [said, holds] = [gradedValues(written), gradedValues(inForce)];
  const values = Object.keys(said).filter((key) => isLooser(key, said[key], holds[key]));
  const ids = [...new Set([...Object.keys(written.policies), ...Object.keys(inForce.policies)])];
  const policies = ids.filter((id) => written.policies[id] !== inForce.policies[id]);
  return [
    ...(written.enabled === inForce.enabled ? [] : [`enabled: ${written.enabled}`]),
    ...policies.map((id) => `${POLICIES}${id}: ${written.policies[id] ?? "not set"}`),
    ...values.map((key) => `${key}: ${shownValue(said[key])}`),
  ];
}

export function shownValue(value: unknown): string {
  return Array.isArray(value) ? value.map(entryShown).join(" ") : String(value);
}

/** Rules are shown by their name. */
function entryShown(entry: unknown): string {
  return typeof entry === "object" && entry !== null ? String((entry as { name?: unknown }).name) : String(entry);
}

/** Of two sets of values, the stricter of each. */
export function stricter(before: PinnedValues, after: PinnedValues): PinnedValues {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = stricterOf(key, before[key], after[key]);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Undefined is the default, which is all that is left of two long values that differ. */
function stricterOf(key: string, one: unknown, two: unknown): unknown {
  if (isSame(one, two)) return one;
  if (key === "enabled") return undefined;
  if (key.startsWith(POLICIES)) return [one, two].includes("on") ? "on" : undefined;
  if (isMark(one) || isMark(two)) return undefined;
  const fallback = gradedValues(defaultSettings)[key];
  return isLooser(key, two ?? fallback, one ?? fallback) ? one : two;
}

/** The first values of a process are its pin; later ones can only tighten it. */
export function pinned(pins: readonly SettingsPin[], by: string, values: PinnedValues): readonly SettingsPin[] {
  const known = pins.some((pin) => pin.by === by);
  if (!known) return pins.length >= PINS_MAX ? pins : [...pins, { by, values }];
  return pins.map((pin) => (pin.by === by ? { by, values: stricter(pin.values, values) } : pin));
}

export function opened(pins: readonly SettingsPin[], { values }: SettingsChange): readonly SettingsPin[] {
  const gone = Object.keys(values).filter((key) => values[key] === null);
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return pins.map(({ by, values: before }) => {
    const left = Object.entries(before).filter(([key]) => !gone.includes(key));
    return { by, values: Object.fromEntries([...left, ...given]) };
  });
}

/** What became looser from one to the other, for the record of a person's command. */
export function openedBetween(before: Settings, after: Settings): PinnedValues {
  const now = pinnedIn(after);
  const within = withinPin(after, pinnedIn(before));
  const keys = withheldFrom(after, within).map((words) => words.slice(0, words.indexOf(": ")));
  return Object.fromEntries(keys.map((key) => [key, now[key] ?? null]));
}

function kept(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length <= VALUE_CHARS_MAX ? value : `#${markOf(text)}`;
}

function isMark(value: unknown): boolean {
  return typeof value === "string" && /^#[0-9a-f]{48}$/.test(value);
}

function isSame(one: unknown, two: unknown): boolean {
  return one === two || JSON.stringify(one) === JSON.stringify(two);
}
