/** Which paths that an operation would write or delete exist and belong to the project's work trees. */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { within } from "../../lib/paths.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { trueName } from "../machine/places.ts";
import { projectRoot } from "../machine/project.ts";

export function standingOf(operation: Operation | undefined, project: string): Readonly<Record<string, boolean>> {
  const paths = (operation?.effects ?? []).flatMap(({ kind, path, elsewhere }) =>
    (kind === "write" || kind === "delete") && !elsewhere && path.startsWith("/") ? [path] : [],
  );
  return Object.fromEntries([...new Set(paths)].map((path) => [path, stands(path, project)]));
}

function stands(path: string, project: string): boolean {
  // For a pattern, the directory before the first wildcard.
  const at = path.search(/[*?[]/);
  const place = at < 0 ? path : path.slice(0, path.lastIndexOf("/", at)) || "/";
  return isThere(place) && isOfProject(dirname(place), project);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file or inside an unreadable directory nothing can be copied.
    void error;
    return false;
  }
}

/** True for a directory in the main work tree, in a linked one, or in a nested repository. */
export function isOfProject(directory: string, project: string): boolean {
  return within(trueName(directory), project) || projectRoot(directory) === project;
}
