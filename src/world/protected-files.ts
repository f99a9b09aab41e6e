/** The project's protected files: its lists, and where each line of them holds. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Facts, Places, ProtectedFiles } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import {
  ALWAYS_PROTECTED,
  PROTECTED_LISTS,
  type ProtectedLine,
  protectedPlace,
  readProtectedList,
} from "../kernel/protected-list.ts";
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
  return lines.map((line) => protectedIn(roots, line));
}

/** Each looked up when somebody asks: most tool uses reach no file at all. */
function protectedIn(roots: readonly string[], { level, pattern }: ProtectedLine): ProtectedFiles {
  const places = once(() => roots.map((root) => protectedPlace(root, pattern)));
  const named = once(() => places().flatMap(({ path }) => path ?? []));
  const paths = once(() => [...new Set(named().flatMap((path) => [path, trueName(path)]))]);
  const isThere = once(() => named().length === 0 || named().some((path) => existsSync(path)));
  return {
    level,
    pattern,
    get places() {
      return places();
    },
    get paths() {
      return paths();
    },
    // Of a pattern it is not known; of a path it is, and what is not there cannot be taken along.
    get isThere() {
      return isThere();
    },
  };
}

function once<T>(look: () => T): () => T {
  let found: { readonly is: T } | undefined;
  return () => {
    found ??= { is: look() };
    return found.is;
  };
}

/** The project's root, and the work trees of the same project that an operation reaches into. */
function rootsOf(project: string, paths: readonly string[]): readonly string[] {
  // What stands at the root itself needs no search for another one.
  const directories = new Set(
    paths.filter((path) => path.startsWith("/") && path !== project).map((path) => dirname(trueName(`${path}/x`))),
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
