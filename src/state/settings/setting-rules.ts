/** Validates settings and handles files with invalid values. */

import { didYouMean, noSetting } from "../../lib/did-you-mean.ts";
import { own } from "../../lib/keyed.ts";
import { PROFILES } from "./profiles.ts";
import type { Rule } from "./setting-kinds.ts";
import { makeRules } from "./setting-table.ts";
import { type CheckedSettings, defaultSettings, type Settings, type SettingsProblem, WHOLE_FILE } from "./settings.ts";

/** All setting keys. */
export function settingKeys(policyIds: readonly string[]): readonly string[] {
  // Short form of `profile.name`, as people write it.
  return ["profile", ...Object.keys(settingRules()), ...policyIds.map((id) => `${POLICIES}${id}`)];
}

let rules: Readonly<Record<string, Rule>> | undefined;

/** Built on demand: most events run with default settings and never need the rules. */
export function settingRules(): Readonly<Record<string, Rule>> {
  rules ??= makeRules();
  return rules;
}

/** Keys that must never exist: a trust score is earned and cannot be set. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "trust.trust_score_override": "a trust score is moved by outcomes only and can never be set",
};

/**
 * Merges layers (weakest first) over the defaults. An invalid value is reported and the layer below applies, so that a
 * mistake never loosens anything. `files` names the file of each layer.
 */
export function checkSettings(
  layers: readonly unknown[],
  policyIds: readonly string[],
  floorIds: readonly string[] = [],
  files: readonly string[] = [],
): CheckedSettings {
  const problems: SettingsProblem[] = [];
  const defaults = valuesOf(defaultSettings);
  const entries = layers.flatMap((layer, at) => entriesIn(layer, files[at], problems));
  const profile = profileIn(entries);
  const values = { ...defaults, ...profile?.values };
  const from = Object.fromEntries(Object.keys(profile?.values ?? {}).map((key) => [key, `profile ${profile?.name}`]));
  const switched = (profile?.policies ?? []).filter((id) => policyIds.includes(id));
  const policies: Record<string, "on" | "off"> = Object.fromEntries(switched.map((id) => [id, "on"]));
  for (const id of switched) from[`${POLICIES}${id}`] = `profile ${profile?.name}`;
  for (const { key, value, ...place } of entries) {
    const problem = key.startsWith(POLICIES)
      ? setPolicy(policies, key.slice(POLICIES.length), value, { policyIds, floorIds })
      : (sharedProblem(key, place.file) ?? setValue(values, key, value, policyIds));
    if (problem) problems.push({ key, message: problem, ...place });
    else if (place.file !== undefined) from[key] = place.file;
    if (!problem) problems.push(...siftEntries(values, key, value, from, place));
  }
  problems.push(...inOrder(values, defaults, from));
  return {
    settings: { ...(nest(values) as unknown as Omit<Settings, "policies">), policies },
    problems,
    custom: [
      ...Object.keys(defaults).filter((key) => !isSame(values[key], defaults[key])),
      ...Object.keys(policies).map((id) => `${POLICIES}${id}`),
    ],
    ...(files.length > 0 && { from }),
  };
}

/** The settings file that comes with a project, and the local one that should not. */
const [SHARED, LOCAL] = ["/.sekisho/config.yaml", "/.sekisho/config.local.yaml"];

function sharedProblem(key: string, file = ""): string | undefined {
  const personal = own(settingRules(), key)?.personal;
  if (personal === undefined || !(file.endsWith(SHARED) || (personal === "own" && file.endsWith(LOCAL))))
    return undefined;
  const who =
    personal === "own" ? "your own settings file (--scope user)" : "your own settings file or the project's local one";
  return `says what runs on your machine: only ${who} may; it is ignored`;
}

const POLICIES = "policies.";

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly file?: string;
}

function entriesIn(layer: unknown, file: string | undefined, problems: SettingsProblem[]): Entry[] {
  const place = file === undefined ? {} : { file };
  return entriesOf(layer, (problem) => problems.push({ ...problem, ...place })).map(([key, value]) => ({
    key,
    value,
    ...place,
  }));
}

/** Lists are recreated at every read, so they are compared by content. */
function isSame(value: unknown, other: unknown): boolean {
  return value === other || JSON.stringify(value) === JSON.stringify(other);
}

/**
 * The profile named by the strongest layer; explicit settings override its values. Named in a file of the project, it
 * cannot set personal settings.
 */
function profileIn(entries: readonly Entry[]): (typeof PROFILES)[number] | undefined {
  const named = entries.findLast(({ key, value }) => key === PROFILE && settingRules()[PROFILE]?.holds(value));
  const profile = PROFILES.find(({ name }) => name === named?.value);
  if (!profile) return profile;
  const allowed = Object.entries(profile.values).filter(([key]) => sharedProblem(key, named?.file) === undefined);
  return { ...profile, values: Object.fromEntries(allowed) };
}

const PROFILE = "profile.name";

/** The auto-approve threshold must be above the human-required one; otherwise both get their defaults. */
function inOrder(
  values: Record<string, unknown>,
  defaults: Readonly<Record<string, unknown>>,
  from: Readonly<Record<string, string>>,
): SettingsProblem[] {
  const [above, below] = ["autonomy.auto_approve_threshold", "autonomy.human_required_threshold"] as const;
  if (Number(values[above]) > Number(values[below])) return [];
  const message = `must be greater than ${below} (${values[below]}), and is ${values[above]}; the defaults of both are used`;
  values[above] = defaults[above];
  values[below] = defaults[below];
  const file = from[above] ?? from[below];
  return [{ key: above, message, ...(file !== undefined && { file }) }];
}

/** By key, without the policies. */
export function valuesOf({ policies: _, ...rest }: Settings): Record<string, unknown> {
  return Object.fromEntries(entriesOf(rest));
}

/** The settings that can loosen protection, with their values. */
export function gradedValues(settings: Settings): Readonly<Record<string, unknown>> {
  const keys = Object.entries(settingRules()).flatMap(([key, rule]) => (rule.isLooser ? [key] : []));
  const values = valuesOf(settings);
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

export function isLooser(key: string, value: unknown, than: unknown): boolean {
  return settingRules()[key]?.isLooser?.(value, than) === true;
}

/** The settings with other values for these keys. */
export function withValues(settings: Settings, changed: Readonly<Record<string, unknown>>): Settings {
  const values = { ...valuesOf(settings), ...changed };
  return { ...(nest(values) as unknown as Omit<Settings, "policies">), policies: settings.policies };
}

function setValue(
  values: Record<string, unknown>,
  key: string,
  value: unknown,
  policyIds: readonly string[],
): string | undefined {
  if (Object.hasOwn(FORBIDDEN, key)) return `is forbidden: ${FORBIDDEN[key]}`;
  const rule = Object.hasOwn(settingRules(), key) ? settingRules()[key] : undefined;
  if (!rule) return noSetting(key, value, settingKeys(policyIds));
  if (!rule.holds(value))
    return `must ${rule.must}, not ${JSON.stringify(value)}; ${JSON.stringify(values[key])} is used`;
  if (!rule.sift) values[key] = rule.adds ? [...(values[key] as unknown[]), ...(value as unknown[])] : value;
  return undefined;
}

/** Checks the entries of a list one by one. Their origin is recorded by entry name. */
function siftEntries(
  values: Record<string, unknown>,
  key: string,
  value: unknown,
  from: Record<string, string>,
  { file }: Pick<Entry, "file">,
): readonly SettingsProblem[] {
  const rule = Object.hasOwn(settingRules(), key) ? settingRules()[key] : undefined;
  if (!rule?.sift) return [];
  const before = values[key] as readonly unknown[];
  const { kept, refused } = rule.sift(value as readonly unknown[], before);
  values[key] = [...before, ...kept];
  for (const one of kept as readonly { readonly name: string }[]) {
    if (file !== undefined) from[`${key}.${one.name}`] = file;
  }
  return refused.map(({ entry, message }) => ({
    key,
    message: `entry ${entry + 1}: ${message}; this rule is left out, the others stand`,
    entry,
    ...(file !== undefined && { file }),
  }));
}

function setPolicy(
  policies: Record<string, "on" | "off">,
  id: string,
  value: unknown,
  { policyIds, floorIds }: { readonly policyIds: readonly string[]; readonly floorIds: readonly string[] },
): string | undefined {
  // YAML 1.1 readers turn on/off into booleans, and people write either.
  const wanted = value === true || value === "on" ? "on" : value === false || value === "off" ? "off" : undefined;
  if (!policyIds.includes(id)) return `is not a policy of this version${didYouMean(id, policyIds)}; it is ignored`;
  if (!wanted) return `must be "on" or "off", not ${JSON.stringify(value)}; "${policies[id] ?? "on"}" is used`;
  if (wanted === "off" && floorIds.includes(id)) return "is part of the floor and stays on";
  policies[id] = wanted;
  return undefined;
}

/** { a: { b: 1 } } → ["a.b", 1]. There are only two levels. */
export function entriesOf(
  layer: unknown,
  tell: (problem: SettingsProblem) => void = () => undefined,
): [string, unknown][] {
  if (layer === undefined || layer === null) return [];
  if (typeof layer !== "object" || Array.isArray(layer)) {
    tell({ key: WHOLE_FILE, message: "must be a map of settings; it is ignored" });
    return [];
  }
  return Object.entries(layer).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, leaf]) => [`${key}.${inner}`, leaf])
      : [[key === "profile" ? PROFILE : key, value]],
  );
}

function nest(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const [group, leaf] = key.split(".");
    if (leaf === undefined) result[key] = value;
    else if (group) result[group] = { ...(result[group] as object | undefined), [leaf]: value };
  }
  return result;
}
