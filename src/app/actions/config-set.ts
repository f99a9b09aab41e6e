/** Changes or removes one setting in a settings file of ours. */
import { gradedValues, isLooser, valuesOf } from "../../state/settings/setting-rules.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, here } from "../project.ts";
import { layerPath, type Scope, scopeOfLayer } from "../setup/scope.ts";
import { keepAction } from "./action.ts";
import { carryOut, type Edit, planEdits, readingOf } from "./settings-file.ts";

export interface ChangedSetting {
  readonly path: string;
  /** False: the file said so already. */
  readonly isChanged: boolean;
  /** The value in force now, and the file it comes from; undefined for a default. */
  readonly inForce: unknown;
  readonly from: string | undefined;
  /** It loosens something, which counts in a running session only after the person was told. */
  readonly opens: boolean;
}

/** `what` is for the record. */
export function changeSetting(place: Here, edit: Edit, scope: Scope, what: string, person: Person): ChangedSetting {
  const plan = planEdits(scope, [edit], place);
  const isChanged = plan.changed.length > 0;
  if (isChanged) {
    carryOut(plan);
    keepAction(
      place.store,
      { action: "config", detail: `${what} in ${plan.path}, from ${person.from}` },
      Date.now(),
      person,
    );
  }
  const { settings, from: sources = {} } = here().settings;
  return {
    path: plan.path,
    isChanged,
    inForce: valueInForce(edit.key, settings),
    from: sources[edit.key],
    opens: opens(place.settings.settings, settings),
  };
}

/** Fails when the file of that scope does not set the key, and names the file that does. */
export function mustBeSet({ places }: Here, key: string, scope: Scope): void {
  const path = layerPath(scope, places);
  if (sets(path, key)) return;
  const at = places.settingsFiles.findIndex((file) => file !== path && sets(file, key));
  const elsewhere = at < 0 ? "" : ` It is in ${places.settingsFiles[at]}: use --scope ${scopeOfLayer(at)}.`;
  throw new Problem(`${key} is not set in ${path}.${elsewhere}`);
}

function sets(path: string, key: string): boolean {
  return Object.hasOwn(readingOf(path, rewritableText(path) ?? "").values, key);
}

function opens(before: Settings, now: Settings): boolean {
  const was = gradedValues(before);
  const isOff = ([id, wanted]: readonly [string, string]): boolean => wanted === "off" && before.policies[id] !== "off";
  return (
    Object.entries(gradedValues(now)).some(([key, value]) => isLooser(key, value, was[key])) ||
    Object.entries(now.policies).some(isOff) ||
    (before.enabled && !now.enabled)
  );
}

function valueInForce(key: string, settings: Settings): unknown {
  return key.startsWith("policies.") ? settings.policies[key.slice("policies.".length)] : valuesOf(settings)[key];
}
