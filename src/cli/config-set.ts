/** `sekisho config set` and `unset`. */
import { type ChangedSetting, changeSetting, mustBeSet } from "../app/actions/config-set.ts";
import type { Edit } from "../app/actions/settings-file.ts";
import type { Person } from "../app/person.ts";
import { here } from "../app/project.ts";
import type { Scope } from "../app/setup/scope.ts";
import { valuesOf } from "../state/settings/setting-rules.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { yamlOf } from "../store/settings/settings-text.ts";
import { readYaml } from "../store/settings/settings-yaml.ts";
import { paint, sayWords } from "./print.ts";

export function setByPerson(key: string, given: string, scope: Scope, person: Person): number {
  const value = valueMeant(key, given);
  return change(`set ${key}: ${yamlOf(value)}`, { key, value }, scope, person);
}

export function unsetByPerson(key: string, scope: Scope, person: Person): number {
  mustBeSet(here(), key, scope);
  return change(`unset ${key}`, { key }, scope, person);
}

function change(what: string, edit: Edit, scope: Scope, person: Person): number {
  const place = here();
  const changed = changeSetting(place, edit, scope, what, person);
  if (!changed.isChanged) {
    sayWords(`${changed.path} says so already.`);
    return 0;
  }
  sayWords(`${paint.green("✔")} ${what} in ${changed.path}`, "  ");
  tellConsequences(edit, changed);
  return 0;
}

function tellConsequences({ value }: Edit, { inForce: now, from, opens }: ChangedSetting): void {
  if (value !== undefined && !isMeant(now, value))
    sayWords(`${paint.yellow("!")} in force is ${shown(now)}: ${from} has the last word`, "  ");
  else if (value === undefined && now !== undefined)
    sayWords(`  in force now: ${shown(now)}${from === undefined ? ", the default" : ` (${from})`}`, "  ");
  if (opens)
    sayWords(
      paint.dim("  What it opens counts in a running session from the next prompt on, when you are told of it."),
      "  ",
    );
}

/** Lists of several files are merged, so the list in force may contain more than the given one. */
function isMeant(now: unknown, value: unknown): boolean {
  const listed = Array.isArray(now) ? now : [];
  if (Array.isArray(value)) return value.every((entry) => listed.includes(entry));
  return now === value;
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : yamlOf(value);
}

/** Parsed as YAML: numbers, booleans, lists. A list may also be comma-separated words. */
function valueMeant(key: string, given: string): unknown {
  const result = readYaml(`value: ${given}`);
  const read = "problem" in result ? given : (result.layer as Readonly<Record<string, unknown>>)["value"];
  const isList = Array.isArray(valuesOf(defaultSettings)[key]);
  if (isList && !Array.isArray(read)) return given.split(",").flatMap((word) => word.trim() || []);
  // A string is taken literally: YAML syntax inside it was not intended on a command line.
  return typeof read === "string" && !/^["']/.test(given) ? given : read;
}
