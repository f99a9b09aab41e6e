/** The settings in force here, where they come from, and the problems in the files. */
import { existsSync } from "node:fs";
import { didYouMean } from "../../lib/did-you-mean.ts";
import { lawIds } from "../../policies/by-event.ts";
import { checkSettings, settingKeys } from "../../state/settings/setting-rules.ts";
import { type SettingsProblem, WHOLE_FILE } from "../../state/settings/settings.ts";
import { layerIn, withLine } from "../../store/settings/settings.ts";
import { readYaml } from "../../store/settings/settings-yaml.ts";
import { type ConfigView, configView, type SettingView } from "../../views/config.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { host } from "../host.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { scopeOfLayer } from "../setup/scope.ts";

export interface ConfigHere extends ConfigView {
  readonly files: readonly { readonly path: string; readonly scope: string; readonly exists: boolean }[];
}

export function configHere({ settings, places }: Here): ConfigHere {
  const files = places.settingsFiles.map((path, at) => ({
    path,
    scope: scopeOfLayer(at) ?? "",
    exists: existsSync(path),
  }));
  return { ...configView(settings, OF_HOST), files };
}

const OF_HOST = { "context.global_learnings": host.globalLearnings };

/** The setting of that name, or all of a group. */
export function settingsNamed({ settings }: Here, key: string): readonly SettingView[] {
  return configView(settings, OF_HOST).settings.filter((one) => one.key === key || one.key.startsWith(`${key}.`));
}

/** Why there is nothing to show for a key, which is given as the person typed it. */
export function noSuchSetting(key: string, given: string): Problem {
  const keys = settingKeys(lawIds().policyIds);
  return new Problem(
    keys.includes(key)
      ? `${key} is not set; \`sekisho policies\` shows whether it is on.`
      : `"${given}" is not a setting${didYouMean(key, keys)}.`,
  );
}

/** The problems in one file, or in the files that are in force here. */
export function settingsProblems(
  { settings, places }: Here,
  file: string | undefined,
): { readonly files: readonly string[]; readonly problems: readonly SettingsProblem[] } {
  if (file !== undefined) return { files: [file], problems: problemsIn(file) };
  return { files: places.settingsFiles.filter((path) => existsSync(path)), problems: settings.problems };
}

function problemsIn(file: string): readonly SettingsProblem[] {
  const text = rewritableText(file);
  if (text === undefined) throw new Problem(`There is no file ${file}.`);
  const result = layerIn(text, readYaml);
  if ("problem" in result) {
    const line = result.line !== undefined && { line: result.line };
    return [{ key: WHOLE_FILE, file, message: `cannot be read: ${result.problem}`, ...line }];
  }
  const { policyIds, floorIds } = lawIds();
  const { problems } = checkSettings([result.layer], policyIds, floorIds, [file]);
  return problems.map((problem) => withLine(problem, result.lineOf));
}
