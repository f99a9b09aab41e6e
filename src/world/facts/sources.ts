/** Looks at a project for what a run of a check covers: its packages, and where its code is. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Sources } from "../../evidence/checks/covers.ts";
import { endingsFor } from "../../evidence/checks/looks-at.ts";
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import { treeAt } from "../machine/project-tree.ts";

export function sourcesAt(root: string, areTasksKnown: boolean): Sources {
  return {
    areTasksKnown,
    directoryOf: (name) => packageDirectory(root, name),
    areAll: (paths, program) => {
      const files = filesFor(program);
      return files !== undefined && (foundIn(root, files)?.every((path) => paths.some(holds(path))) ?? false);
    },
  };
}

/** Below the root. Most packages are in a directory of their own name, so their manifests are read last. */
function packageDirectory(root: string, name: string): string | undefined {
  const path = name.replace(/^\.\/|^\{|\}$|\/$/g, "");
  if (!/^[\w@./-]+$/.test(path) || !within(join(root, path), root)) return undefined;
  const all = packagesOf(root);
  const last = path.slice(path.lastIndexOf("/") + 1);
  return (
    all.find((one) => one === path) ??
    all.find((one) => nameIn(root, one) === path) ??
    all.find((one) => one.endsWith(`/${last}`))
  );
}

const PACKAGES_MAX = 200;

function packagesOf(root: string): readonly string[] {
  const { text } = treeAt(root);
  const told = [
    ...(text("pnpm-workspace.yaml") ?? "").matchAll(/^\s*-\s*["']?([\w@./*-]+)/gm),
    ...(text("package.json") ?? "").matchAll(/"([\w@.-]+\/\*{1,2})"/g),
    ...(text("Cargo.toml") ?? "").matchAll(/"([\w./-]+(?:\/\*)?)"/g),
  ].flatMap(([, pattern]) => pattern ?? []);
  const patterns = [...new Set([...told, ...USUAL])].filter((pattern) => !pattern.includes(".."));
  return patterns.flatMap((pattern) => matching(root, pattern)).slice(0, PACKAGES_MAX);
}

const USUAL = ["apps/*", "packages/*", "libs/*", "services/*", "crates/*", "modules/*"];

function matching(root: string, pattern: string): readonly string[] {
  if (!pattern.includes("*")) return [pattern.replace(/^\.\/|\/$/g, "")];
  const parent = pattern.replace(/^\.\/|\/\*.*$/g, "");
  return directoriesIn(join(root, parent)).map((name) => `${parent}/${name}`);
}

function nameIn(root: string, directory: string): string | undefined {
  const text = treeAt(join(root, directory)).text("package.json");
  return /"name"\s*:\s*"([^"]+)"/.exec(text ?? "")?.[1];
}

function directoriesIn(place: string): readonly string[] {
  return entriesIn(place).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function entriesIn(place: string) {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    // There is none, or it may not be read.
    return [];
  }
}

const TEST_FILES = /^test_.*\.py$|_test\.py$/;

function filesFor(program: string): ((name: string) => boolean) | undefined {
  const endings = endingsFor(program);
  if (!endings) return undefined;
  return (name) =>
    endings.includes(name.slice(name.lastIndexOf(".") + 1)) && (program !== "pytest" || TEST_FILES.test(name));
}

const ENTRIES_MAX = 5000;
/** Tools leave them out as well. */
const NO_SOURCES = names(
  "node_modules venv env dist build target vendor __pycache__ site-packages coverage htmlcov third_party",
);

/** Undefined if there are too many to tell. */
function foundIn(root: string, isMeant: (name: string) => boolean): readonly string[] | undefined {
  const open = [""];
  const found: string[] = [];
  let seen = 0;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const entry of entriesIn(join(root, at))) {
      seen += 1;
      if (seen > ENTRIES_MAX) return undefined;
      const path = `${at}${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && !NO_SOURCES.has(entry.name)) open.push(`${path}/`);
      else if (entry.isFile() && isMeant(entry.name)) found.push(path);
    }
  }
  return found;
}

const holds =
  (path: string) =>
  (place: string): boolean =>
    place === "" || path === place || (place.endsWith("/") && path.startsWith(place));
