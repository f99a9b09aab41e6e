/** The project's protected files: reads the lists and resolves where each line applies. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { readPlain } from "../../disk/plain-file.ts";
import type { Facts, Places, ProtectedFiles } from "../../kernel/facts.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import {
  FRAMEWORK_MINIMUM,
  PROTECTED_LIST,
  type ProtectedLine,
  protectedPlace,
  readProtectedList,
} from "../../reading/operation/protected-list.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { LookingHost } from "../host.ts";
import { trueName } from "../machine/places.ts";
import { projectRoot } from "../machine/project.ts";
import { workTreeOf } from "../machine/work-tree.ts";

/** Larger than any hand-written list. */
const LIST_BYTES_MAX = 64 * 1024;

interface Looking {
  readonly host: Pick<LookingHost, "protectedLists" | "protectedMinimum">;
  readonly settings: Pick<Settings, "protect">;
  readonly event: { readonly cwd: string };
  readonly operation: Operation | undefined;
  readonly places: Pick<Places, "project">;
}

/** Throws for a list that exists and cannot be read; the caller decides what that means. */
export function protectedFiles({ host, settings, event, operation, places }: Looking): Facts["protectedFiles"] {
  const roots = rootsOf(places.project, [event.cwd, ...changedPaths(operation)]);
  const names = [PROTECTED_LIST, ...host.protectedLists];
  const lists = roots.flatMap((root) => names.flatMap((name) => listAt(`${root}/${name}`)));
  // Protected even without a list, since an agent that can edit the list can edit everything.
  const always = names.map((pattern): ProtectedLine => ({ level: "HARD_BLOCK", pattern }));
  const isFramework = settings.protect.minimum === "framework";
  const minimum = isFramework ? [...host.protectedMinimum, ...FRAMEWORK_MINIMUM].flatMap(readProtectedList) : [];
  const lines = [...always, ...minimum, ...lists.flatMap(readProtectedList)];
  return lines.map((line) => protectedIn(roots, line));
}

/** Lazy, because most tool calls touch no file. */
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
    // Unknown for a pattern, so true. A path that does not exist cannot be affected by a recursive command.
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

/** The project's root, and other work trees of the project that the operation reaches. */
function rootsOf(project: string, paths: readonly string[]): readonly string[] {
  // The project root itself needs no lookup.
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
  const file = readPlain(path, LIST_BYTES_MAX);
  if (!file) return [];
  if ("problem" in file || file.cut) throw new Error(`${path} is no list of protected files`);
  return [file.bytes.toString("utf8")];
}
