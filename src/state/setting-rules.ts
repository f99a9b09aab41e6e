/** What each setting may be, and what to do with a file that says something else. */
import { PROFILES } from "./profiles.ts";
import { type CheckedSettings, defaultSettings, type Settings, type SettingsProblem } from "./settings.ts";

interface Rule {
  readonly must: string;
  readonly holds: (value: unknown) => boolean;
  /** For settings by which something is opened: whether a value lets more pass than another. */
  readonly isLooser?: (value: unknown, than: unknown) => boolean;
  /** Every layer adds to it: what one file lists, another cannot take back. */
  readonly adds?: true;
}

const within = (min: number, max: number): Rule => ({
  must: `be a whole number from ${min} to ${max}`,
  holds: (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
});
const oneOf = (...allowed: readonly unknown[]): Rule => ({
  must: `be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}`,
  holds: (value) => allowed.includes(value),
});
/** One of these, the loosest first. */
const graded = (...grades: readonly string[]): Rule => ({
  ...oneOf(...grades),
  isLooser: (value, than) => grades.indexOf(String(value)) < grades.indexOf(String(than)),
});
/** A switch that opens something. */
const opening = (): Rule => ({ ...oneOf(true, false), isLooser: (value, than) => value === true && than === false });

/** A number, and which way it opens something. */
const measure = (min: number, max: number, looser: "higher" | "lower", options: Partial<Measure> = {}): Rule => {
  const { whole = false, below = false } = options;
  return {
    must: `be a ${whole ? "whole number" : "number"} from ${min} ${below ? "to below" : "to"} ${max}`,
    holds: (value) =>
      typeof value === "number" &&
      value >= min &&
      (below ? value < max : value <= max) &&
      (!whole || Number.isInteger(value)),
    isLooser: (value, than) => (looser === "higher" ? Number(value) > Number(than) : Number(value) < Number(than)),
  };
};

interface Measure {
  readonly whole: boolean;
  /** The largest is not itself allowed. */
  readonly below: boolean;
}

/** A list of names, each of which keeps something. */
const names = (most: number, longest: number): Rule => ({
  must: `be a list of at most ${most} names of at most ${longest} letters`,
  holds: (value) =>
    Array.isArray(value) &&
    value.length <= most &&
    value.every((name) => typeof name === "string" && name !== "" && name.length <= longest),
  isLooser: (value, than) => hasMore(than, value),
});
const list = (): Rule => ({
  must: "be a list of at most 100 paths or names",
  holds: (value: unknown) =>
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((entry) => typeof entry === "string" && entry.trim() !== "" && entry.length <= 500),
  adds: true,
});

/** A new setting is a field and a default in `settings.ts`, and a row here; nothing else needs to know. */
const makeRules = (): Readonly<Record<string, Rule>> => ({
  enabled: oneOf(true, false),
  language: oneOf("auto", "en", "ja"),
  "ask.headless": oneOf("deny", "ask"),
  "audit.retention_days": within(1, 3650),
  "audit.max_megabytes": within(16, 65_536),
  security: { ...oneOf("strict", "user", "trusted", "admin", "developer"), isLooser: isLooserMode },
  "branch.protect": names(10, 60),
  "publish.share": graded("off", "ask", "deny"),
  "publish.release": graded("off", "ask", "deny"),
  "lint.before_commit": graded("off", "warn", "ask"),
  "secrets.env_files": graded("pass", "ask", "deny"),
  "secrets.places": list(),
  // What is exempt opens something; what is a place beyond ours would make too long a memory.
  "secrets.exempt": { ...list(), isLooser: (value, than) => hasMore(value, than) },
  "undo.retention_days": within(1, 3650),
  "undo.max_megabytes": within(1, 65_536),
  "trust.initial_score": measure(0, 0.5, "higher"),
  "trust.hibernation_days": measure(1, 3650, "higher", { whole: true }),
  "trust.boost_threshold": measure(1, 100_000, "higher", { whole: true }),
  "trust.warmup_operations": measure(1, 10, "higher", { whole: true }),
  "trust.failure_decay": measure(0.5, 1, "higher", { below: true }),
  "trust.recovery_boost_multiplier": measure(1, 5, "higher"),
  "trust.approve": opening(),
  "risk.lambda1": measure(0, 1, "lower"),
  "risk.lambda2": measure(0, 1, "lower"),
  "autonomy.auto_approve_threshold": measure(0.5, 1, "lower"),
  "autonomy.human_required_threshold": measure(0, 0.7, "lower"),
  "profile.name": oneOf(...PROFILES.flatMap(({ name, values }) => (values ? [name] : []))),
  "profile.trust_gate": graded("risky", "domain"),
  "profile.trust_gate_threshold": measure(0, 1, "lower"),
  "profile.remote": graded("publish", "deny"),
  "stance.default": graded("building", "planning", "auditing"),
  "model.apply": oneOf(true, false),
});

let rules: Readonly<Record<string, Rule>> | undefined;

/** Made when it is asked for: with nothing set nobody asks, and that is most events. */
export function settingRules(): Readonly<Record<string, Rule>> {
  rules ??= makeRules();
  return rules;
}

function hasMore(value: unknown, than: unknown): boolean {
  return (value as readonly string[]).some((entry) => !(than as readonly string[]).includes(entry));
}

const MODES = ["developer", "admin", "trusted", "strict"];

function isLooserMode(value: unknown, than: unknown): boolean {
  const grade = (mode: unknown): number => MODES.indexOf(mode === "user" ? "strict" : String(mode));
  return grade(value) < grade(than);
}

/** Keys that must never exist: a score is earned, not written. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "trust.trust_score_override": "a trust score is moved by outcomes only and can never be set",
};

/**
 * Merges layers (weakest first) over the defaults. A value that breaks its rule is ignored in favour of the layer
 * below it and reported, so that a mistake in a file never loosens anything.
 */
export function checkSettings(
  layers: readonly unknown[],
  policyIds: readonly string[],
  floorIds: readonly string[] = [],
): CheckedSettings {
  const problems: SettingsProblem[] = [];
  const defaults = valuesOf(defaultSettings);
  const entries = layers.flatMap((layer) => flatten(layer, problems));
  const values = { ...defaults, ...profileIn(entries) };
  const policies: Record<string, "on" | "off"> = {};
  for (const [key, value] of entries) {
    const problem = key.startsWith("policies.")
      ? setPolicy(policies, key.slice("policies.".length), value, { policyIds, floorIds })
      : setValue(values, key, value);
    if (problem) problems.push({ key, message: problem });
  }
  problems.push(...inOrder(values, defaults));
  return {
    settings: { ...(nest(values) as unknown as Omit<Settings, "policies">), policies },
    problems,
    custom: [
      ...Object.keys(defaults).filter((key) => values[key] !== defaults[key]),
      ...Object.keys(policies).map((id) => `policies.${id}`),
    ],
  };
}

/** What the profile says that the strongest layer names: below everything that is set by itself. */
function profileIn(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  const named = entries.filter(([key, value]) => key === PROFILE && settingRules()[PROFILE]?.holds(value)).at(-1);
  return PROFILES.find(({ name }) => name === named?.[1])?.values ?? {};
}

const PROFILE = "profile.name";

/** Between "nobody need be asked" and "a person is asked" there must be room; otherwise both are as they were made. */
function inOrder(values: Record<string, unknown>, defaults: Readonly<Record<string, unknown>>): SettingsProblem[] {
  const [above, below] = ["autonomy.auto_approve_threshold", "autonomy.human_required_threshold"] as const;
  if (Number(values[above]) > Number(values[below])) return [];
  const message = `must be greater than ${below} (${values[below]}), and is ${values[above]}; the defaults of both are used`;
  values[above] = defaults[above];
  values[below] = defaults[below];
  return [{ key: above, message }];
}

/** By key, the policies left out. */
function valuesOf({ policies: _, ...rest }: Settings): Record<string, unknown> {
  return Object.fromEntries(flatten(rest, []));
}

/** The settings by which something can be opened, each with its value. */
export function gradedValues(settings: Settings): Readonly<Record<string, unknown>> {
  const keys = Object.entries(settingRules()).flatMap(([key, rule]) => (rule.isLooser ? [key] : []));
  const values = valuesOf(settings);
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

export function isLooser(key: string, value: unknown, than: unknown): boolean {
  return settingRules()[key]?.isLooser?.(value, than) === true;
}

/** The settings with other values under these keys. */
export function withValues(settings: Settings, changed: Readonly<Record<string, unknown>>): Settings {
  const values = { ...valuesOf(settings), ...changed };
  return { ...(nest(values) as unknown as Omit<Settings, "policies">), policies: settings.policies };
}

function setValue(values: Record<string, unknown>, key: string, value: unknown): string | undefined {
  if (Object.hasOwn(FORBIDDEN, key)) return `is forbidden: ${FORBIDDEN[key]}`;
  const rule = Object.hasOwn(settingRules(), key) ? settingRules()[key] : undefined;
  if (!rule) return "is not a setting; it is ignored";
  if (!rule.holds(value))
    return `must ${rule.must}, not ${JSON.stringify(value)}; ${JSON.stringify(values[key])} is used`;
  values[key] = rule.adds ? [...(values[key] as unknown[]), ...(value as unknown[])] : value;
  return undefined;
}

function setPolicy(
  policies: Record<string, "on" | "off">,
  id: string,
  value: unknown,
  { policyIds, floorIds }: { readonly policyIds: readonly string[]; readonly floorIds: readonly string[] },
): string | undefined {
  // YAML 1.1 readers turn on/off into booleans, and people write either.
  const wanted = value === true || value === "on" ? "on" : value === false || value === "off" ? "off" : undefined;
  if (!policyIds.includes(id)) return "is not a policy of this version; it is ignored";
  if (!wanted) return `must be "on" or "off", not ${JSON.stringify(value)}; "${policies[id] ?? "on"}" is used`;
  if (wanted === "off" && floorIds.includes(id)) return "is part of the floor and stays on";
  policies[id] = wanted;
  return undefined;
}

/** { a: { b: 1 } } → ["a.b", 1]. Two levels are all there is. */
function flatten(layer: unknown, problems: SettingsProblem[]): [string, unknown][] {
  if (layer === undefined || layer === null) return [];
  if (typeof layer !== "object" || Array.isArray(layer)) {
    problems.push({ key: "(file)", message: "must be a map of settings; it is ignored" });
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
