/** Every setting, where it comes from, and what is wrong with the files. */
import { PROFILES } from "../state/profiles.ts";
import { valuesOf } from "../state/setting-rules.ts";
import { type CheckedSettings, defaultSettings, type SettingsProblem } from "../state/settings.ts";

export interface SettingView {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  /** Another value than the default. */
  readonly custom: boolean;
  /** The file it stands in, or `profile NAME`; null for a default. */
  readonly from: string | null;
}

export interface ConfigView {
  readonly profile: { readonly name: string; readonly about: string; readonly from: string | null };
  readonly settings: readonly SettingView[];
  readonly problems: readonly SettingsProblem[];
}

export function configView({ settings, problems, custom, from = {} }: CheckedSettings): ConfigView {
  const defaults = valuesOf(defaultSettings);
  const view = (key: string, value: unknown, standard: unknown): SettingView => ({
    key,
    value,
    default: standard,
    custom: custom.includes(key),
    from: from[key] ?? null,
  });
  const profile = PROFILES.find(({ name }) => name === settings.profile.name) ?? PROFILES[0];
  return {
    profile: { name: profile.name, about: profile.about, from: from["profile.name"] ?? null },
    settings: [
      ...inGroups(valuesOf(settings)).map(([key, value]) => view(key, value, defaults[key])),
      // Of the policies, those that somebody has set: all of them are listed by a command of their own.
      ...Object.entries(settings.policies).map(([id, value]) => view(`policies.${id}`, value, null)),
    ],
    problems,
  };
}

/** The first word of a key; those that have only one belong together. */
export function groupOf(key: string): string {
  return key.includes(".") ? key.slice(0, key.indexOf(".")) : "";
}

/** Those of no group first. */
function inGroups(values: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(values);
  return [...entries.filter(([key]) => groupOf(key) === ""), ...entries.filter(([key]) => groupOf(key) !== "")];
}
