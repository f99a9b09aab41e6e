import { existsSync } from "node:fs";
import { host } from "../app/host.ts";
import { type Here, here } from "../app/project.ts";
import { scopeOf, scopeOfLayer } from "../app/setup/scope.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import { lawIds } from "../policies/by-event.ts";
import { checkSettings, settingKeys } from "../state/settings/setting-rules.ts";
import { problemWords, type SettingsProblem, WHOLE_FILE } from "../state/settings/settings.ts";
import { layerIn, withLine } from "../store/settings/settings.ts";
import { readYaml } from "../store/settings/settings-yaml.ts";
import { type ConfigView, configView, groupOf, type SettingView } from "../views/config.ts";
import { rewritableText } from "../world/machine/host-file-writing.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { setByPerson, unsetByPerson } from "./config-set.ts";
import { CommandError, pad, paint, say, sayJson, sayWords, table, terminalColumns, width, wrap } from "./print.ts";

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
      throw new CommandError("--scope belongs to `config set` and `config unset`.");
    const most = { get: 1, set: 2, unset: 1, validate: 1 }[verb ?? ""] ?? 0;
    if (words.length > most) throw new CommandError(`${USAGE} Too many words: "${words.join(" ")}".`);
    switch (verb) {
      case undefined:
        return show(json === true);
      case "get":
        return get(key, json === true);
      case "set":
        if (value === undefined) throw new CommandError(`${USAGE} \`set\` needs a key and a value.`);
        return setByPerson(fullKey(key), value, scopeOf(scope ?? "project"), person);
      case "unset":
        return unsetByPerson(fullKey(key), scopeOf(scope ?? "project"), person);
      case "validate":
        return validate(words[0], json === true);
      default:
        throw new CommandError(`${USAGE} There is no \`config ${verb}\`.`);
    }
  },
});

const USAGE = "Usage: sekisho config [get KEY | set KEY VALUE | unset KEY | validate [FILE]].";

const OF_HOST = { "context.global_learnings": host.globalLearnings };

/** `profile` is a short form of `profile.name`, in settings files too. */
function fullKey(key: string): string {
  return key === "profile" ? "profile.name" : key;
}

function show(json: boolean): number {
  const place = here();
  const view = configView(place.settings, OF_HOST);
  if (json) sayJson({ ...view, files: filesOf(place) });
  else print(view, place);
  return 0;
}

function filesOf({ places }: Here) {
  return places.settingsFiles.map((path, at) => ({ path, scope: scopeOfLayer(at) ?? "", exists: existsSync(path) }));
}

function print({ profile, settings, problems }: ConfigView, place: Here): void {
  const files = filesOf(place);
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

function get(given: string, json: boolean): number {
  const { settings } = here();
  const key = fullKey(given);
  const view = configView(settings, OF_HOST);
  const found = view.settings.filter((setting) => setting.key === key || setting.key.startsWith(`${key}.`));
  const isOne = found.length === 1 && found[0]?.key === key;
  if (found.length === 0) {
    if (json) sayJson(null);
    const hint = didYouMean(key, settingKeys(lawIds().policyIds));
    const isPolicy = settingKeys(lawIds().policyIds).includes(key);
    throw new CommandError(
      isPolicy
        ? `${key} is not set; \`sekisho policies\` shows whether it is on.`
        : `"${given}" is not a setting${hint}.`,
    );
  }
  if (json) sayJson(isOne ? found[0]?.value : Object.fromEntries(found.map((one) => [one.key, one.value])));
  else if (isOne) say(typeof found[0]?.value === "string" ? found[0].value : JSON.stringify(found[0]?.value));
  else say(table(found.map((one) => [one.key, shown(one.value), one.custom ? "(custom)" : ""])));
  return 0;
}

/** Returns 2 when a problem was found. */
function validate(file: string | undefined, json: boolean): number {
  const { settings, places } = here();
  const problems = file === undefined ? settings.problems : problemsIn(file);
  const files = file === undefined ? places.settingsFiles.filter((path) => existsSync(path)) : [file];
  if (json) sayJson({ files, problems });
  else if (problems.length === 0)
    say(
      `${paint.green("✔")} ${files.length === 0 ? "no settings file: the defaults hold" : `${files.join(", ")}: no problem`}`,
    );
  else for (const problem of problems) sayWords(`${paint.red("✘")} ${problemWords(problem)}`, "  ");
  return problems.length === 0 ? 0 : 2;
}

function problemsIn(file: string): readonly SettingsProblem[] {
  const text = rewritableText(file);
  if (text === undefined) throw new CommandError(`There is no file ${file}.`);
  const result = layerIn(text, readYaml);
  if ("problem" in result) {
    const line = result.line !== undefined && { line: result.line };
    return [{ key: WHOLE_FILE, file, message: `cannot be read: ${result.problem}`, ...line }];
  }
  const { policyIds, floorIds } = lawIds();
  const { problems } = checkSettings([result.layer], policyIds, floorIds, [file]);
  return problems.map((problem) => withLine(problem, result.lineOf));
}
