/** Directories that tools create from other files; without git these names are certain enough. */

import { names } from "../../lib/name-table.ts";

const NAMES =
  /^(?:node_modules|\.venv|venv|__pycache__|\.tox|\.gradle|\.next|\.nuxt|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.turbo|\.parcel-cache)$/;

const OUTPUT = names("dist build out target coverage .svelte-kit .cache htmlcov");

/** An ignored directory with one of these names holds what a build wrote. */
export function isBuilt(path: string): boolean {
  return path.split("/").some((name) => NAMES.test(name) || OUTPUT.has(name));
}

export function isRebuildable(path: string): boolean {
  return path.split("/").some((name) => NAMES.test(name));
}
