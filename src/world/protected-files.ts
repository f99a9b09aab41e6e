/** The project's protected files: its lists, and where each line of them holds. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Facts, Places, ProtectedFiles } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import { ALWAYS_PROTECTED, PROTECTED_LISTS, protectedPlace, readProtectedList } from "../kernel/protected-list.ts";
import { trueName } from "./places.ts";
import { projectRoot } from "./project.ts";
import { workTreeOf } from "./work-tree.ts";

/** More than anybody lists by hand. */
const LIST_BYTES_MAX = 64 * 1024;

interface Looking {
  readonly event: { readonly cwd: string };
  readonly operation: Operation | undefined;
  readonly places: Pick<Places, "project">;
}

/** A list that is there and cannot be read is an error, and what that means is not decided here. */
export function protectedFiles({ event, operation, places }: Looking): Facts["protectedFiles"] {
  const roots = rootsOf(places.project, [event.cwd, ...changedPaths(operation)]);
  const lists = roots.flatMap((root) => PROTECTED_LISTS.flatMap((list) => listAt(`${root}/${list}`)));
  const lines = [...ALWAYS_PROTECTED, ...lists.flatMap(readProtectedList)];
  return lines.map(({ level, pattern }): ProtectedFiles => {
    const places = roots.map((root) => protectedPlace(root, pattern));
    const paths = places.flatMap(({ path }) => path ?? []);
    return {
      level,
      pattern,
      places,
      paths: [...new Set(paths.flatMap((path) => [path, trueName(path)]))],
      // Of a pattern it is not known; of a path it is, and what is not there cannot be taken along.
      isThere: paths.length === 0 || paths.some((path) => existsSync(path)),
    };
  });
}

/** The project's root, and the work trees of the same project that an operation reaches into. */
function rootsOf(project: string, paths: readonly string[]): readonly string[] {
  const directories = new Set(
    paths.filter((path) => path.startsWith("/")).map((path) => dirname(trueName(`${path}/x`))),
  );
  const trees = new Set([...directories].flatMap((directory) => workTreeOf(directory)?.root ?? []));
  const ours = [...trees].filter((root) => root !== project && projectRoot(root) === project);
  return [project, ...ours];
}

function changedPaths(operation: Operation | undefined): readonly string[] {
  const changed = operation?.effects.filter(({ kind, elsewhere }) => kind !== "read" && !elsewhere) ?? [];
  return [
    ...changed.map(({ path }) => dirname(path)),
    ...(operation?.shell?.programs ?? []).map(({ cwd }) => cwd ?? ""),
  ];
}

function listAt(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isFile() || stat.size > LIST_BYTES_MAX) throw new Error(`${path} is no list of protected files`);
  return [readFileSync(path, "utf8")];
}
