/** Which of the places that an operation would write or delete are there, and belong to the project's work trees. */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { Operation } from "../kernel/operation.ts";
import { within } from "../kernel/paths.ts";
import { trueName } from "./places.ts";
import { projectRoot } from "./project.ts";

export function standingOf(operation: Operation | undefined, project: string): Readonly<Record<string, boolean>> {
  const paths = (operation?.effects ?? []).flatMap(({ kind, path, elsewhere }) =>
    (kind === "write" || kind === "delete") && !elsewhere && path.startsWith("/") ? [path] : [],
  );
  return Object.fromEntries([...new Set(paths)].map((path) => [path, stands(path, project)]));
}

function stands(path: string, project: string): boolean {
  // Of a pattern, the directory that it begins in.
  const at = path.search(/[*?[]/);
  const place = at < 0 ? path : path.slice(0, path.lastIndexOf("/", at)) || "/";
  return isThere(place) && isOfProject(dirname(place), project);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file, or a directory that we may not enter: nothing there could be kept.
    void error;
    return false;
  }
}

/** True of any directory in the main work tree, in a linked one, or in a repository inside them. */
export function isOfProject(directory: string, project: string): boolean {
  return within(trueName(directory), project) || projectRoot(directory) === project;
}
