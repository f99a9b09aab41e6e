/** Edits a settings file of ours as text: validated like a reader would, then replaced atomically. */
import { dirname } from "node:path";
import { lawIds } from "../../policies/by-event.ts";
import { checkSettings, entriesOf } from "../../state/settings/setting-rules.ts";
import type { CheckedSettings, Settings, SettingsProblem } from "../../state/settings/settings.ts";
import { withoutSetting, withSetting, yamlOf } from "../../store/settings/settings-text.ts";
import { readYaml } from "../../store/settings/settings-yaml.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { dropIfEmpty } from "../setup/empty-directory.ts";
import { gitSight, hideFromGit, SETTINGS_MARK, showToGit } from "../setup/git-sight.ts";
import { layerPath, type Scope } from "../setup/scope.ts";

/** Without a value the key is removed. */
export interface Edit {
  readonly key: string;
  readonly value?: unknown;
}

export interface Plan {
  readonly scope: Scope;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Edits that change the file. */
  readonly changed: readonly Edit[];
}

/** The content of a file, as parsed and by key. */
interface Reading {
  readonly layer: unknown;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Finds every problem here, before anything is written. */
export function planEdits(scope: Scope, edits: readonly Edit[], { places }: Pick<Here, "places">): Plan {
  const path = layerPath(scope, places);
  const before = rewritableText(path);
  const said = readingOf(path, before ?? "");
  const after = edits.reduce(edited, before ?? "");
  const says = readBack(path, after, edits, said);
  refuseProblems(path, edits, { said, says, files: places.settingsFiles });
  if (scope === "local" && before !== after && gitSight(path) === "tracked") {
    throw new Problem(
      `${path} is tracked by git, and what would be written there is for this machine alone.\nTake it out of git (git rm --cached ${path}), or use --scope project.`,
    );
  }
  const changed = edits.filter(({ key, value }) => JSON.stringify(said.values[key]) !== JSON.stringify(value));
  return { scope, path, before, after: after === "" ? undefined : after, changed };
}

export function carryOut({ scope, path, before, after, changed }: Plan): void {
  if (changed.length === 0) return;
  replaceHostFile(path, before, after);
  if (after === undefined) dropIfEmpty(dirname(path));
  if (scope === "local" && after === undefined) showToGit(path, SETTINGS_MARK);
  else if (scope === "local" && gitSight(path) === "open") hideFromGit(path, SETTINGS_MARK);
}

/** A file that cannot be parsed is not overwritten. */
export function readingOf(path: string, text: string): Reading {
  const result = readYaml(text);
  const problem = "problem" in result ? `cannot be read: ${result.problem}` : notAMap(result.layer);
  if ("problem" in result || problem !== undefined) {
    throw new Problem(`${path} ${problem}. Correct it first; nothing was changed.`);
  }
  return { layer: result.layer, values: Object.fromEntries(entriesOf(result.layer)) };
}

function notAMap(layer: unknown): string | undefined {
  const isMap = typeof layer === "object" && layer !== null && !Array.isArray(layer);
  return isMap ? undefined : "is not a map of settings";
}

function edited(text: string, { key, value }: Edit): string {
  return value === undefined ? withoutSetting(text, key) : withSetting(text, key, value);
}

/** Verifies the edited text: YAML has forms that the editor does not handle, and then the file is left unchanged. */
function readBack(path: string, text: string, edits: readonly Edit[], { values: said }: Reading): Reading {
  const result = readYaml(text);
  const layer = "problem" in result ? {} : result.layer;
  const says: Reading["values"] = Object.fromEntries(entriesOf(layer));
  const wanted: Record<string, unknown> = { ...said };
  for (const { key, value } of edits) {
    if (value === undefined) delete wanted[key];
    else wanted[key] = value;
  }
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(says)])];
  // A group without anything in it reads as nothing, and is gone when it gets its first setting.
  const isAsWanted = keys.every((key) => JSON.stringify(says[key] ?? null) === JSON.stringify(wanted[key] ?? null));
  if (isAsWanted) return { layer, values: says };
  const lines = edits.map(({ key, value }) => (value === undefined ? `take ${key} out` : `${key}: ${yamlOf(value)}`));
  throw new Problem(
    `${path} is written in a way that cannot be changed line by line. Nothing was changed; do it by hand: ${lines.join(", ")}`,
  );
}

interface Readings {
  readonly said: Reading;
  readonly says: Reading;
  readonly files: readonly string[];
}

/** Validates together with the other files, like the hook does, so that rules across settings are checked too. */
function refuseProblems(path: string, edits: readonly Edit[], { said, says, files }: Readings): void {
  const { problems: before } = checkedWith(path, said.layer, files);
  const isOurs = ({ key, file }: SettingsProblem): boolean => file === path && edits.some((edit) => edit.key === key);
  const isNew = ({ key, file }: SettingsProblem): boolean =>
    !before.some((known) => known.key === key && known.file === file);
  const [problem] = checkedWith(path, says.layer, files).problems.filter((found) => isOurs(found) || isNew(found));
  if (!problem) return;
  const { key, message } = problem;
  const end = message.lastIndexOf("; ");
  throw new Problem(`${key} ${end < 0 ? message : message.slice(0, end)}. Nothing was changed.`);
}

/** The settings that would apply after the plan is carried out. */
export function settingsAfter({ path, after }: Plan, { places }: Pick<Here, "places">): Settings {
  return checkedWith(path, readingOf(path, after ?? "").layer, places.settingsFiles).settings;
}

/** The merged settings of all files, with the given content for one of them. */
function checkedWith(path: string, layer: unknown, files: readonly string[]): CheckedSettings {
  const { policyIds, floorIds } = lawIds();
  const layers = files.map((file) => (file === path ? layer : otherLayer(file)));
  return checkSettings(layers, policyIds, floorIds, files);
}

function otherLayer(path: string): unknown {
  const result = readYaml(readableHostFile(path) ?? "");
  return "problem" in result ? undefined : result.layer;
}
