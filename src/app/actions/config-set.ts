/** Changes or removes one setting in a settings file of ours. */
import { openedBetween } from "../../state/settings/pinned.ts";
import { valuesOf } from "../../state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { yamlOf } from "../../store/settings/settings-text.ts";
import { readYaml } from "../../store/settings/settings-yaml.ts";
import { profileGaps, profileGapWords } from "../../views/profile-gaps.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, here } from "../project.ts";
import { offerReviewCriteria } from "../setup/review-criteria.ts";
import { layerPath, type Scope, scopeOfLayer } from "../setup/scope.ts";
import { keepAction } from "./action.ts";
import { carryOut, type Edit, planEdits, readingOf } from "./settings-file.ts";

export interface ChangedSetting {
  /** Such as `set profile.name: oath`. */
  readonly what: string;
  readonly path: string;
  /** False: the file said so already. */
  readonly isChanged: boolean;
  /** It was taken out of the file. */
  readonly isUnset: boolean;
  /** The value in force now, and the file it comes from; undefined for a default. */
  readonly inForce: string | undefined;
  readonly from: string | undefined;
  /** Another file has the last word, so another value is in force than the one that was set. */
  readonly isOverruled: boolean;
  /** It loosens something, also in running sessions. */
  readonly opens: boolean;
  /** What the profile asks for and the settings in force do not give, as far as this change is about it. */
  readonly gaps: readonly string[];
  /** About a file that belongs to the setting. */
  readonly made: string | undefined;
}

/** `given` is what the person typed. */
export function setSetting(place: Here, key: string, given: string, scope: Scope, person: Person): ChangedSetting {
  const value = valueMeant(key, given);
  return change(place, { key, value }, scope, `set ${key}: ${yamlOf(value)}`, person);
}

/** Fails when the file of that scope does not set the key. */
export function unsetSetting(place: Here, key: string, scope: Scope, person: Person): ChangedSetting {
  mustBeSet(place, key, scope);
  return change(place, { key }, scope, `unset ${key}`, person);
}

function change(place: Here, edit: Edit, scope: Scope, what: string, person: Person): ChangedSetting {
  const plan = planEdits(scope, [edit], place);
  const isChanged = plan.changed.length > 0;
  if (isChanged) carryOut(plan);
  const after = here();
  const checked = after.settings;
  const { settings, from: sources = {} } = checked;
  const values = openedBetween(place.settings.settings, settings);
  const opens = Object.keys(values).length > 0;
  if (isChanged) {
    const detail = `${what} in ${plan.path}, from ${person.from}`;
    const changes = opens ? { changes: [{ record: "settings", do: "open", values } as const] } : {};
    keepAction(place.store, { action: "config", detail, ...changes }, Date.now(), person);
  }
  const now = valueInForce(edit.key, settings);
  return {
    what,
    path: plan.path,
    isChanged,
    isUnset: edit.value === undefined,
    inForce: now === undefined ? undefined : yamlOf(now),
    from: sources[edit.key],
    isOverruled: edit.value !== undefined && !isMeant(now, edit.value),
    opens,
    gaps: profileGaps(checked)
      .filter(({ key }) => edit.key === "profile.name" || edit.key === key)
      .map(profileGapWords),
    made: REVIEWS.includes(edit.key) ? offerReviewCriteria(after, scope) : undefined,
  };
}

/** Settings that can make a review part of the way to a plan. */
const REVIEWS = ["profile.name", "plan.review"];

/** Parsed as YAML: numbers, booleans, lists. A list may also be comma-separated words. */
function valueMeant(key: string, given: string): unknown {
  const result = readYaml(`value: ${given}`);
  const read = "problem" in result ? given : (result.layer as Readonly<Record<string, unknown>>)["value"];
  const isList = Array.isArray(valuesOf(defaultSettings)[key]);
  if (isList && !Array.isArray(read)) return given.split(",").flatMap((word) => word.trim() || []);
  // A string is taken literally: YAML syntax inside it was not intended on a command line.
  return typeof read === "string" && !/^["']/.test(given) ? given : read;
}

/** Names the file that sets the key, if it is another one. */
function mustBeSet({ places }: Here, key: string, scope: Scope): void {
  const path = layerPath(scope, places);
  if (sets(path, key)) return;
  const at = places.settingsFiles.findIndex((file) => file !== path && sets(file, key));
  const elsewhere = at < 0 ? "" : ` It is in ${places.settingsFiles[at]}: use --scope ${scopeOfLayer(at)}.`;
  throw new Problem(`${key} is not set in ${path}.${elsewhere}`);
}

function sets(path: string, key: string): boolean {
  return Object.hasOwn(readingOf(path, rewritableText(path) ?? "").values, key);
}

/** Lists of several files are merged, so the list in force may contain more than the given one. */
function isMeant(now: unknown, value: unknown): boolean {
  const listed = Array.isArray(now) ? now : [];
  if (Array.isArray(value)) return value.every((entry) => listed.includes(entry));
  return now === value;
}

function valueInForce(key: string, settings: Settings): unknown {
  return key.startsWith("policies.") ? settings.policies[key.slice("policies.".length)] : valuesOf(settings)[key];
}
