import { type ChangedSetting, setSetting, unsetSetting } from "../app/actions/config-set.ts";
import { Problem } from "../app/problem.ts";
import { type Here, here } from "../app/project.ts";
import { type ConfigHere, configHere, noSuchSetting, settingsNamed, settingsProblems } from "../app/queries/config.ts";
import { scopeOf } from "../app/setup/scope.ts";
import { problemWords } from "../state/settings/settings.ts";
import { groupOf, type SettingView } from "../views/config.ts";
import { defineCommand, jsonOption } from "./command.ts";
import {
  pad,
  paint,
  say,
  sayCaution,
  sayDone,
  sayJson,
  sayWords,
  table,
  terminalColumns,
  width,
  wrap,
} from "./print.ts";

export const config = defineCommand({
  name: "config",
  summary: "Shows every setting, and sets them (people only).",
  words: "[get KEY | set KEY VALUE | unset KEY | validate [FILE]]",
  wordsMax: 3,
  options: {
    scope: {
      type: "string",
      hint: "local|project|user",
      about: "with set and unset: yours for this checkout, everybody's here (default), or yours everywhere",
    },
    ...jsonOption,
  },
  examples: [
    "sekisho config",
    "sekisho config get trust.failure_decay",
    "sekisho config set profile oath --scope local",
    "sekisho config set branch.protect main,release",
    "sekisho config unset profile --scope local",
    "sekisho config validate .sekisho/config.yaml    exit 2 if it has problems",
  ],
  door: (_, [verb]) => (verb === "set" || verb === "unset" ? { verb: `config ${verb}`, need: "authority" } : undefined),
  run({ scope, json }, [verb, ...words], person) {
    const [key = "", value] = words;
    if (scope !== undefined && verb !== "set" && verb !== "unset")
      throw new Problem("--scope belongs to `config set` and `config unset`.");
    const most = { get: 1, set: 2, unset: 1, validate: 1 }[verb ?? ""] ?? 0;
    if (words.length > most) throw new Problem(`${USAGE} Too many words: "${words.join(" ")}".`);
    const place = here();
    switch (verb) {
      case undefined:
        return show(place, json === true);
      case "get":
        return get(place, key, json === true);
      case "set":
        if (value === undefined) throw new Problem(`${USAGE} \`set\` needs a key and a value.`);
        return printChange(setSetting(place, fullKey(key), value, scopeOf(scope ?? "project"), person));
      case "unset":
        return printChange(unsetSetting(place, fullKey(key), scopeOf(scope ?? "project"), person));
      case "validate":
        return validate(place, words[0], json === true);
      default:
        throw new Problem(`${USAGE} There is no \`config ${verb}\`.`);
    }
  },
});

const USAGE = "Usage: sekisho config [get KEY | set KEY VALUE | unset KEY | validate [FILE]].";

/** `profile` is a short form of `profile.name`, in settings files too. */
function fullKey(key: string): string {
  return key === "profile" ? "profile.name" : key;
}

function show(place: Here, json: boolean): number {
  const config = configHere(place);
  if (json) sayJson(config);
  else print(config);
  return 0;
}

function print({ profile, settings, problems, gaps, files }: ConfigHere): void {
  say(
    table([
      ["Profile", `${paint.bold(profile.name)}${profile.from ? "" : " (default)"}: ${profile.about}`],
      ...files.map(({ path, scope, exists }) => [scope, exists ? path : paint.dim(`${path} (not there)`)]),
    ]),
  );
  const scopes = new Map(files.map(({ path, scope }) => [path, scope]));
  const rows = settings.map((setting) => settingRow(setting, scopes));
  // Columns are aligned where they fit; an empty line separates groups.
  const lines = settingLines(rows);
  for (const [at, { key }] of settings.entries()) {
    if (at === 0 || groupOf(key) !== groupOf(settings[at - 1]?.key ?? "")) say();
    say(lines[at]);
  }
  say();
  sayWords(
    paint.dim("`sekisho config set KEY VALUE` sets one; `sekisho policies` lists the policies (policies.ID: off)."),
  );
  for (const gap of gaps) sayCaution(gap);
  for (const problem of problems) sayWords(`${paint.red("!")} ${problemWords(problem)}`, "  ");
}

/** On a narrow terminal each setting is printed as a wrapped line instead of a table row. */
function settingLines(rows: readonly (readonly string[])[]): readonly string[] {
  const lines = table(rows).split("\n");
  if (!process.stdout.isTTY || lines.every((line) => width(line) <= terminalColumns())) return lines;
  const size = Math.max(...rows.map(([key = ""]) => width(key))) + 2;
  return rows.map(
    ([key = "", ...rest]) =>
      pad(key, size) + wrap(rest.filter((cell) => cell !== "").join("  "), terminalColumns(), " ".repeat(size)),
  );
}

function settingRow({ key, value, custom, from }: SettingView, scopes: ReadonlyMap<string, string>): readonly string[] {
  const where = from === null ? "" : (scopes.get(from) ?? from);
  return [key, shown(value), custom ? paint.yellow("(custom)") : "", where && paint.dim(where)];
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(entryShown).join(", ");
  return value === "" ? "none" : String(value);
}

/** Objects are shown by their name. */
function entryShown(entry: unknown): string {
  return typeof entry === "object" && entry !== null ? String((entry as { name?: unknown }).name) : String(entry);
}

function get(place: Here, given: string, json: boolean): number {
  const key = fullKey(given);
  const found = settingsNamed(place, key);
  const [first] = found;
  if (!first) {
    if (json) sayJson(null);
    throw noSuchSetting(key, given);
  }
  const isOne = found.length === 1 && first.key === key;
  if (json) sayJson(isOne ? first.value : Object.fromEntries(found.map((one) => [one.key, one.value])));
  else if (isOne) say(typeof first.value === "string" ? first.value : JSON.stringify(first.value));
  else say(table(found.map((one) => [one.key, shown(one.value), one.custom ? "(custom)" : ""])));
  return 0;
}

/** Returns 2 when a problem was found. */
function validate(place: Here, file: string | undefined, json: boolean): number {
  const { files, problems } = settingsProblems(place, file);
  if (json) sayJson({ files, problems });
  else if (problems.length === 0)
    sayDone(files.length === 0 ? "no settings file: the defaults hold" : `${files.join(", ")}: no problem`);
  else for (const problem of problems) sayWords(`${paint.red("✘")} ${problemWords(problem)}`, "  ");
  return problems.length === 0 ? 0 : 2;
}

function printChange({
  what,
  path,
  isChanged,
  isUnset,
  inForce,
  from,
  isOverruled,
  opens,
  gaps,
  made,
}: ChangedSetting): number {
  if (!isChanged) {
    sayWords(`${path} says so already.`);
    for (const gap of gaps) sayCaution(gap);
    return 0;
  }
  sayDone(`${what} in ${path}`);
  if (isOverruled) sayCaution(`in force is ${inForce ?? "nothing"}: ${from} has the last word`);
  else if (isUnset && inForce !== undefined)
    sayWords(`  in force now: ${inForce}${from === undefined ? ", the default" : ` (${from})`}`, "  ");
  for (const gap of gaps) sayCaution(gap);
  if (made !== undefined) sayDone(made);
  if (opens) sayWords(paint.dim("  What it opens counts in running sessions of this project too."), "  ");
  return 0;
}
