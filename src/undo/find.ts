/** Finds everything at and below the paths that would be lost, and what can be rebuilt. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Left, LeftReason } from "../kernel/snapshot-request.ts";
import { shellPattern } from "../lib/paths.ts";
import { maskTokens } from "../lib/secrets.ts";
import { isRebuildable } from "../reading/operation/rebuildable.ts";
import { raw, readable } from "./bytes.ts";
import { type Ignored, ignoredIn } from "./git.ts";
import type { Target } from "./targets.ts";

export interface Node {
  /** Index among the trees. */
  readonly tree: number;
  readonly path: string;
  readonly stat: Stats;
  readonly ignored: boolean;
  readonly deletes: boolean;
}

export interface Found {
  readonly trees: readonly string[];
  readonly nodes: readonly Node[];
  readonly left: readonly Left[];
}

export interface Bounds {
  readonly nodesMax: number;
  /** Limits for ignored and rebuildable directories; a larger one is left out completely. */
  readonly ignoredFilesMax: number;
  readonly ignoredBytesMax: number;
  readonly isLate: () => boolean;
}

export function findNodes(targets: readonly Target[], bounds: Bounds): Found {
  const trees = [...new Set(targets.map(({ tree }) => tree))];
  const nodes = new Map<string, Node>();
  const left: Left[] = [];
  for (const [index, tree] of trees.entries()) {
    const here = targets.filter((target) => target.tree === tree);
    const walk: Walk = {
      tree: index,
      root: tree,
      ignored: ignoredIn(
        tree,
        here.map(({ path }) => path),
      ),
      bounds,
      nodes,
      leave: (path, reason) => void left.push({ path: maskTokens(readable(path)), reason }),
    };
    for (const target of here) visit(walk, target, target.path, false);
  }
  return { trees, nodes: [...nodes.values()], left };
}

interface Walk {
  readonly tree: number;
  readonly root: string;
  readonly ignored: Ignored;
  readonly bounds: Bounds;
  readonly nodes: Map<string, Node>;
  readonly leave: (path: string, reason: LeftReason) => void;
}

function visit(walk: Walk, target: Target, path: string, inIgnored: boolean): void {
  const stat = statOf(walk, path);
  if (!stat) return;
  const ignored = inIgnored || isIgnored(walk, path, stat);
  const isHead = stat.isDirectory() && ignored && !inIgnored;
  const reason = noRoom(walk) ?? (isHead && isTooMuch(walk, path) ? "ignored" : undefined);
  if (reason) {
    walk.leave(path, reason);
    return;
  }
  note(walk, target, path, stat, ignored);
  if (!stat.isDirectory() || !target.recursive) return;
  for (const child of namesIn(walk, path)) {
    // The project's git directory is left out: file commands do not target it, and it holds no unsaved work.
    if (path === "" && child === ".git") continue;
    visit(walk, target, path === "" ? child : `${path}/${child}`, ignored);
  }
}

function noRoom({ nodes, bounds }: Walk): LeftReason | undefined {
  if (nodes.size >= bounds.nodesMax) return "number";
  return bounds.isLate() ? "time" : undefined;
}

function isIgnored({ ignored }: Walk, path: string, stat: Stats): boolean {
  if (!stat.isDirectory()) return ignored.files.has(path);
  return ignored.directories.has(path) || isRebuildable(nameOf(path));
}

function note({ nodes, tree }: Walk, target: Target, path: string, stat: Stats, ignored: boolean): void {
  if (path === "" || !isMeant(target, path)) return;
  const key = `${tree}:${path}`;
  const deletes = target.deletes || nodes.get(key)?.deletes === true;
  nodes.set(key, { tree, path, stat, ignored, deletes });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** With name patterns, a directory that was only searched is not lost. */
function isMeant({ names, path: at }: Target, path: string): boolean {
  // Everything below a matching directory is lost with it.
  const parts = path.slice(at.length).split("/");
  return !names || parts.some((part) => part !== "" && names.some((pattern) => fits(pattern, part)));
}

/** Unlike the shell, `find` also matches names that begin with a dot. */
function fits(pattern: string, name: string): boolean {
  const shell = shellPattern(pattern);
  return shell.test(name) || (name.startsWith(".") && shell.test(`_${name}`));
}

function isTooMuch(walk: Walk, path: string): boolean {
  const { ignoredFilesMax, ignoredBytesMax, isLate } = walk.bounds;
  const open = [path];
  let [files, bytes] = [0, 0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const child of namesIn(walk, at)) {
      const stat = statOf(walk, `${at}/${child}`);
      files++;
      bytes += stat?.isFile() ? stat.size : 0;
      if (files > ignoredFilesMax || bytes > ignoredBytesMax || isLate()) return true;
      if (stat?.isDirectory()) open.push(`${at}/${child}`);
    }
  }
  return false;
}

function statOf({ root }: Walk, path: string): Stats | undefined {
  try {
    return lstatSync(raw(path === "" ? root : `${root}/${path}`), { throwIfNoEntry: false });
  } catch (error) {
    void error;
    return undefined;
  }
}

function namesIn({ root, leave }: Walk, path: string): readonly string[] {
  try {
    return readdirSync(raw(path === "" ? root : `${root}/${path}`), { encoding: "latin1" }).sort();
  } catch (error) {
    void error;
    leave(path, "unreadable");
    return [];
  }
}
