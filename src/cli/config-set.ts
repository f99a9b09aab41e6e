/** A person sets a setting, or takes it out of a file. */
import { gradedValues, isLooser, valuesOf } from "../state/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings.ts";
import { yamlOf } from "../store/settings-text.ts";
import { readYaml } from "../store/settings-yaml.ts";
import { rewritableText } from "../world/host-file-writing.ts";
import { keepAction } from "./action.ts";
import { type Here, here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { CommandError, paint, sayWords } from "./print.ts";
import { layerPath, type Scope, scopeOfLayer } from "./scope.ts";
import { carryOut, type Edit, planEdits, readingOf } from "./settings-file.ts";

export function setByPerson(key: string, given: string, scope: Scope): number {
  requirePerson("config set");
  const value = valueMeant(key, given);
  return change(`set ${key}: ${yamlOf(value)}`, { key, value }, scope);
}

export function unsetByPerson(key: string, scope: Scope): number {
  requirePerson("config unset");
  const { places } = here();
  const path = layerPath(scope, places);
  if (!sets(path, key)) {
    const at = places.settingsFiles.findIndex((file) => file !== path && sets(file, key));
    const elsewhere = at < 0 ? "" : ` It is in ${places.settingsFiles[at]}: use --scope ${scopeOfLayer(at)}.`;
    throw new CommandError(`${key} is not set in ${path}.${elsewhere}`);
  }
  return change(`unset ${key}`, { key }, scope);
}

function sets(path: string, key: string): boolean {
  return Object.hasOwn(readingOf(path, rewritableText(path) ?? "").values, key);
}

function change(what: string, edit: Edit, scope: Scope): number {
  const place = here();
  const from = requirePersonSince("config", orFail(place.store.read()));
  const plan = planEdits(scope, [edit], place);
  if (plan.changed.length === 0) {
    sayWords(`${plan.path} says so already.`);
    return 0;
  }
  carryOut(plan);
  keepAction(place.store, { action: "config", detail: `${what} in ${plan.path}, from ${from}` }, Date.now());
  sayWords(`${paint.green("✔")} ${what} in ${plan.path}`, "  ");
  tellConsequences(edit, place);
  return 0;
}

function tellConsequences({ key, value }: Edit, { settings: before }: Here): void {
  const { settings, from = {} } = here().settings;
  const now = inForce(key, settings);
  if (value !== undefined && !isMeant(now, value))
    sayWords(`${paint.yellow("!")} in force is ${shown(now)}: ${from[key]} has the last word`, "  ");
  else if (value === undefined && now !== undefined)
    sayWords(`  in force now: ${shown(now)}${from[key] === undefined ? ", the default" : ` (${from[key]})`}`, "  ");
  if (opens(before.settings, settings))
    sayWords(
      paint.dim("  What it opens counts in a running session from the next prompt on, when you are told of it."),
      "  ",
    );
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

/** A list is added to what other files list. */
function isMeant(now: unknown, value: unknown): boolean {
  const listed = Array.isArray(now) ? now : [];
  if (Array.isArray(value)) return value.every((entry) => listed.includes(entry));
  return now === value;
}

function inForce(key: string, settings: Settings): unknown {
  return key.startsWith("policies.") ? settings.policies[key.slice("policies.".length)] : valuesOf(settings)[key];
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : yamlOf(value);
}

/** As YAML reads it: numbers, switches, lists. A list may be words with commas between them. */
function valueMeant(key: string, given: string): unknown {
  const result = readYaml(`value: ${given}`);
  const read = "problem" in result ? given : (result.layer as Readonly<Record<string, unknown>>)["value"];
  const isList = Array.isArray(valuesOf(defaultSettings)[key]);
  if (isList && !Array.isArray(read)) return given.split(",").flatMap((word) => word.trim() || []);
  // A sign in it that means something in YAML was not meant so on a command line.
  return typeof read === "string" && !/^["']/.test(given) ? given : read;
}
