/** Directories that tools create from other files; without git these names are certain enough. */

const NAMES =
  /^(?:node_modules|\.venv|venv|__pycache__|\.tox|\.gradle|\.next|\.nuxt|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.turbo|\.parcel-cache)$/;

export function isRebuildable(path: string): boolean {
  return path.split("/").some((name) => NAMES.test(name));
}
