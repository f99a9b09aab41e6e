/** All settings with their origin, and the problems in the files. */
import { PROFILES } from "../state/settings/profiles.ts";
import { valuesOf } from "../state/settings/setting-rules.ts";
import { type CheckedSettings, defaultSettings, type SettingsProblem } from "../state/settings/settings.ts";
import { gapsInFiles } from "./profile-gaps.ts";

export interface SettingView {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  /** Differs from the default. */
  readonly custom: boolean;
  /** The file that sets it, or `profile NAME`; null for a default. */
  readonly from: string | null;
}

export interface ConfigView {
  readonly profile: { readonly name: string; readonly about: string; readonly from: string | null };
  readonly settings: readonly SettingView[];
  readonly problems: readonly SettingsProblem[];
  /** What the profile asks for and a settings file sets otherwise. */
  readonly gaps: readonly string[];
}

/** `ofHost` has the host's defaults for settings that are empty by default. */
export function configView(checked: CheckedSettings, ofHost: Readonly<Record<string, unknown>>): ConfigView {
  const { settings, problems, custom, from = {} } = checked;
  const defaults = valuesOf(defaultSettings);
  const view = (key: string, value: unknown, standard: unknown): SettingView => ({
    key,
    value: value === "" ? (ofHost[key] ?? value) : value,
    default: standard === "" ? (ofHost[key] ?? standard) : standard,
    custom: custom.includes(key),
    from: from[key] ?? null,
  });
  const profile = PROFILES.find(({ name }) => name === settings.profile.name) ?? PROFILES[0];
  return {
    profile: { name: profile.name, about: profile.about, from: from["profile.name"] ?? null },
    settings: [
      ...inGroups(valuesOf(settings)).map(([key, value]) => view(key, value, defaults[key])),
      // Only policies that were set; `sekisho policies` lists all of them.
      ...Object.entries(settings.policies).map(([id, value]) => view(`policies.${id}`, value, null)),
    ],
    problems,
    gaps: gapsInFiles(checked),
  };
}

/** The part of a key before the dot; empty for a key without one. */
export function groupOf(key: string): string {
  return key.includes(".") ? key.slice(0, key.indexOf(".")) : "";
}

/** Settings without a group come first. */
function inGroups(values: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(values);
  return [...entries.filter(([key]) => groupOf(key) === ""), ...entries.filter(([key]) => groupOf(key) !== "")];
}
