/** What the profile in force asks for and does not get: an explicit setting goes before the profile, whichever is stricter. */
import { own } from "../lib/keyed.ts";
import { PROFILES } from "../state/settings/profiles.ts";
import { isLooser, valuesOf } from "../state/settings/setting-rules.ts";
import type { CheckedSettings } from "../state/settings/settings.ts";

export interface ProfileGap {
  readonly key: string;
  readonly profile: string;
  readonly wanted: unknown;
  readonly inForce: unknown;
  /** The file that says otherwise. Null: the profile is named in a file that may not set this. */
  readonly from: string | null;
}

export function profileGaps({ settings, from = {} }: CheckedSettings): readonly ProfileGap[] {
  const profile = PROFILES.find(({ name }) => name === settings.profile.name) ?? PROFILES[0];
  const values = valuesOf(settings);
  const asked = Object.entries(profile.values).map(([key, wanted]) => ({ key, wanted, inForce: values[key] }));
  const switched = (profile.policies ?? []).map((id) => ({
    key: `policies.${id}`,
    wanted: "on",
    inForce: own(settings.policies, id) ?? "off",
  }));
  return [...asked, ...switched]
    .filter(({ key, wanted, inForce }) => inForce !== wanted && !isLooser(key, wanted, inForce))
    .map((gap) => ({ ...gap, profile: profile.name, from: own(from, gap.key) ?? null }));
}

/** Only those that a settings file makes; told wherever settings are shown. */
export function gapsInFiles(checked: CheckedSettings): readonly string[] {
  return profileGaps(checked)
    .filter(({ from }) => from !== null)
    .map(profileGapWords);
}

export function profileGapWords({ key, profile, wanted, inForce, from }: ProfileGap): string {
  const asks = `${key} is ${inForce}, and the profile ${profile} asks for ${wanted}`;
  if (from === null)
    return `${asks}. It runs programs on your machine, so only you can turn it on: \`sekisho config set ${key} ${wanted} --scope user\`.`;
  return `${asks}. ${from} sets it, and an explicit setting goes before the profile. To follow the profile: \`sekisho config unset ${key}${scopeHint(from)}\`.`;
}

/** The command takes the project's shared file, unless told otherwise. */
function scopeHint(file: string): string {
  if (file.endsWith("/.sekisho/config.local.yaml")) return " --scope local";
  return file.endsWith("/.sekisho/config.yaml") ? "" : " --scope user";
}
