/** Turns the losses of a command into existing paths: expands patterns, enters directories and asks git. */
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import { shellPattern } from "../lib/paths.ts";
import type { Loss } from "../reading/operation/losses.ts";
import { projectRoot } from "../world/machine/project.ts";
import { bytesOf, isBelow, raw, readable } from "./bytes.ts";
import { git } from "./git.ts";

export interface Target {
  /** Both in bytes: the work tree and the path relative to it; empty for the tree itself. */
  readonly tree: string;
  readonly path: string;
  readonly recursive: boolean;
  readonly names?: readonly string[];
  readonly deletes: boolean;
}

type FileLoss = Extract<Loss, { readonly path: string }>;
type GitLoss = Extract<Loss, { readonly paths: readonly string[] }>;

const TARGETS_MAX = 5000;

export function targetsOf(losses: readonly Loss[], project: string): readonly Target[] {
  const found = losses.flatMap((loss): readonly Target[] => {
    if ("path" in loss) return fileTargets(loss, project);
    return "paths" in loss ? gitTargets(loss, project) : [];
  });
  return found.slice(0, TARGETS_MAX);
}

function fileTargets(loss: FileLoss, project: string): readonly Target[] {
  const { how, recursive, names } = loss;
  const places = spread(bytesOf(loss.path), loss.glob).flatMap((path) => receiving(path, loss));
  const throughLinks = how === "overwrite" ? places.flatMap((path) => linked(path)) : [];
  return [...places, ...throughLinks].flatMap((path) => {
    const at = placed(path, project);
    return at ? [{ ...at, recursive, deletes: how === "delete", ...(names && { names }) }] : [];
  });
}

/** A file copied or moved into a directory replaces the one of the same name. */
function receiving(path: string, { from, glob }: FileLoss): readonly string[] {
  if (!from || !isDirectory(path)) return [path];
  const sources = from.flatMap((source) => spread(bytesOf(source), glob || /[*?[]/.test(source)));
  return sources.map((source) => `${path}/${basename(source)}`);
}

function linked(path: string): readonly string[] {
  const target = look(path)?.isSymbolicLink() ? realPath(path) : undefined;
  return target === undefined ? [] : [target];
}

/** The paths that match a shell pattern; a plain path is returned as it is. */
function spread(path: string, glob: boolean): readonly string[] {
  if (!glob) return [path];
  return path
    .split("/")
    .slice(1)
    .reduce<readonly string[]>(
      (directories, name) =>
        directories.flatMap((directory) => {
          if (!/[*?[\]()]/.test(name)) return [`${directory}/${name}`];
          const pattern = shellPattern(name);
          return namesIn(directory).flatMap((found) => (pattern.test(found) ? [`${directory}/${found}`] : []));
        }),
      [""],
    )
    .slice(0, TARGETS_MAX);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(raw(directory || "/"), { encoding: "latin1" });
  } catch (error) {
    // Not a directory, or one that the command cannot enter either.
    void error;
    return [];
  }
}

/** The real location: the directory with links resolved, and the name unchanged. */
function placed(path: string, project: string): { readonly tree: string; readonly path: string } | undefined {
  const parent = realPath(dirname(path));
  if (parent === undefined) return undefined;
  const place = parent === "/" ? `/${basename(path)}` : `${parent}/${basename(path)}`;
  if (!exists(place)) return undefined;
  const tree = treeOf(isTree(place) || place === bytesOf(project) ? place : parent, project);
  if (tree === undefined) return undefined;
  const inside = place === tree ? "" : place.slice(tree.length + 1);
  return /^\.git(?:\/|$)/.test(inside) ? undefined : { tree, path: inside };
}

/** The project's work tree that contains a directory: the main one, a linked one, or the project without git. */
export function treeOf(directory: string, project: string): string | undefined {
  const root = bytesOf(project);
  for (let at = directory; at !== "/"; at = dirname(at)) {
    if (at === root) return root;
    if (isTree(at) && projectRoot(readable(at)) === project) return at;
  }
  return isBelow(directory, root) ? root : undefined;
}

function isTree(directory: string): boolean {
  return exists(`${directory}/.git`);
}

function gitTargets(loss: GitLoss, project: string): readonly Target[] {
  const top = git(loss.cwd, ["rev-parse", "--show-toplevel"])?.replace(/\n$/, "");
  const tree = top === undefined ? undefined : treeOf(top, project);
  if (top === undefined || tree === undefined) return [];
  const paths = loss.paths.length > 0 ? loss.paths : loss.how === "untracked" ? ["."] : [readable(top)];
  const listed = git(loss.cwd, [...listing(loss), "--", ...paths]) ?? "";
  return listed
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => ({
      tree,
      path: `${top}/${path}`.slice(tree.length + 1).replace(/\/$/, ""),
      recursive: true,
      deletes: loss.how === "untracked",
    }));
}

/** Neither command compares contents, which could start a filter; unchanged files are sorted out later. */
function listing({ how, ignored }: GitLoss): readonly string[] {
  if (how === "uncommitted") return ["diff-index", "--name-only", "-z", "--ignore-submodules=all", "HEAD"];
  const which = ignored === "too" ? [] : ignored === "only" ? ["-i", "--exclude-standard"] : ["--exclude-standard"];
  return ["ls-files", "-o", "--directory", "--full-name", "-z", ...which];
}

function isDirectory(path: string): boolean {
  return look(path, statSync)?.isDirectory() === true;
}

function exists(path: string): boolean {
  return look(path) !== undefined;
}

/** The command cannot reach what we cannot read. */
function look(path: string, stat: typeof lstatSync | typeof statSync = lstatSync): Stats | undefined {
  try {
    return stat(raw(path), { throwIfNoEntry: false });
  } catch (error) {
    void error;
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(raw(path), { encoding: "latin1" });
  } catch (error) {
    void error;
    return undefined;
  }
}
