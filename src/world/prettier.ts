/** Where a project says that it wants prettier, and how. Such a file may be a program, or name one. */
import { existsSync, readFileSync } from "node:fs";

const SETTINGS = [
  ...["", ".json", ".json5", ".yaml", ".yml", ".toml", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"].map(
    (end) => `.prettierrc${end}`,
  ),
  ...["js", "cjs", "mjs", "ts", "cts", "mts"].map((end) => `prettier.config.${end}`),
];

/** By a file of its own, or as something the project says that it needs: others may have brought it along unasked. */
export function usesPrettier(directory: string): boolean {
  if (prettierSettings(directory).length > 0) return true;
  const { dependencies, devDependencies } = manifestOf(directory);
  return [dependencies, devDependencies].some((some) => Object.hasOwn(Object(some), "prettier"));
}

/** The files of a directory that it would read. */
export function prettierSettings(directory: string): readonly string[] {
  const own = SETTINGS.map((file) => `${directory}/${file}`).filter((file) => existsSync(file));
  return manifestOf(directory)["prettier"] === undefined ? own : [...own, `${directory}/package.json`];
}

/** As far as it speaks of prettier. */
function manifestOf(directory: string): Readonly<Record<string, unknown>> {
  const path = `${directory}/package.json`;
  const said = existsSync(path) ? readFileSync(path, "utf8") : "";
  return said.includes('"prettier"') ? (JSON.parse(said) as Record<string, unknown>) : {};
}
