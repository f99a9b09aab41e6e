/** Which linters a project has. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import type { Places } from "../../kernel/facts.ts";
import type { Linter } from "../../state/session/lint.ts";
import type { Environment } from "../machine/places.ts";

interface Looking {
  readonly places: Pick<Places, "project">;
  readonly env: Environment;
}

export function linters({ places, env }: Looking): readonly Linter[] {
  const has = (...files: readonly string[]): boolean => files.some((file) => existsSync(join(places.project, file)));
  const hasScripts = (env["PATH"] ?? "").split(":").some((path) => existsSync(join(path, "shellcheck")));
  const isRuff =
    has("ruff.toml", ".ruff.toml", ".venv/bin/ruff") || configuresRuff(join(places.project, "pyproject.toml"));
  return [
    ...(has("node_modules/.bin/eslint", "node_modules/.bin/biome") ? (["eslint"] as const) : []),
    ...(isRuff ? (["ruff"] as const) : []),
    ...(hasScripts ? (["shellcheck"] as const) : []),
  ];
}

/** As for the checks of a project. */
const BYTES_MAX = 256 * 1024;

function configuresRuff(file: string): boolean {
  return plainText(file, BYTES_MAX)?.includes("[tool.ruff") ?? false;
}
