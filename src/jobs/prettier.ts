/** Finds out whether and how a project configures prettier. A settings file may be code or name code. */

import { existsSync } from "node:fs";
import { plainText } from "../disk/plain-file.ts";

const SETTINGS = [
  ...["", ".json", ".json5", ".yaml", ".yml", ".toml", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"].map(
    (end) => `.prettierrc${end}`,
  ),
  ...["js", "cjs", "mjs", "ts", "cts", "mts"].map((end) => `prettier.config.${end}`),
];

/** By a settings file or a direct dependency: another package may have installed prettier on its own account. */
export function usesPrettier(directory: string): boolean {
  if (prettierSettings(directory).length > 0) return true;
  const { dependencies, devDependencies } = manifestOf(directory);
  return [dependencies, devDependencies].some((some) => Object.hasOwn(Object(some), "prettier"));
}

/** The settings files of a directory that prettier would read. */
export function prettierSettings(directory: string): readonly string[] {
  const own = SETTINGS.map((file) => `${directory}/${file}`).filter((file) => existsSync(file));
  return manifestOf(directory)["prettier"] === undefined ? own : [...own, `${directory}/package.json`];
}

const BYTES_MAX = 1024 * 1024;

/** The manifest, or nothing when it does not mention prettier. */
function manifestOf(directory: string): Readonly<Record<string, unknown>> {
  const path = `${directory}/package.json`;
  const said = plainText(path, BYTES_MAX) ?? "";
  return said.includes('"prettier"') ? (JSON.parse(said) as Record<string, unknown>) : {};
}
