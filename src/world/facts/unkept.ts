/**
 * The files a command would destroy without a copy, because they hold secrets. Git is asked only about such files: one
 * that is committed is not lost.
 */
import { lstatSync, readdirSync } from "node:fs";
import { run, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { absolute, baseName, directoryOf, shellPattern, within } from "../../lib/paths.ts";
import { type Loss, lossesOf } from "../../reading/operation/losses.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { isRebuildable } from "../../reading/operation/rebuildable.ts";
import { isSecretFile } from "../../reading/operation/secret-file.ts";
import { gitRun } from "../machine/git.ts";
import type { Environment } from "../machine/places.ts";
import { contentHoldsKey } from "../machine/secret-content.ts";
import { rootOf } from "../machine/work-tree.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "project">;
  readonly deadline: number;
  readonly clock: () => number;
}

/** Limits of the search; a file beyond them is reported after the fact, by the note of the snapshot. */
const NODES_MAX = 2000;
const READ_MAX = 50;
const READ_BYTES_MAX = 128 * 1024;
const FOUND_MAX = 20;
const TIME_MS = 1500;
const RESERVE_MS = 700;

export function* unkeptBy(from: Looking): Steps<Facts["unkept"]> {
  const { operation, places, event } = from;
  const losses = operation ? lossesOf(operation).filter(losesAll) : [];
  if (losses.length === 0) return [];
  const root = rootOf(event.cwd, places.project);
  const search: Search = { root, nodes: 0, read: 0, found: new Map() };
  for (const loss of losses) for (const path of pathsOf(loss)) visit(search, path, loss, true);
  const found = [...search.found];
  return found.length === 0 ? [] : yield* notInGit(found, root, from);
}

function losesAll(loss: Loss): boolean {
  return "path" in loss ? !loss.edits : loss.how === "uncommitted";
}

function pathsOf(loss: Loss): readonly string[] {
  if (!("path" in loss)) return "paths" in loss ? loss.paths.flatMap((path) => absolute(path, loss.cwd) ?? []) : [];
  const { path, glob, from } = loss;
  const places = glob ? matching(path) : [path];
  if (!from) return places;
  return places.flatMap((place) =>
    typeAt(place) === "directory" ? from.map((one) => `${place}/${baseName(one)}`) : [place],
  );
}

/** A pattern in the last name only; others are rare. */
function matching(path: string): readonly string[] {
  const directory = directoryOf(path);
  const pattern = shellPattern(baseName(path));
  return /[*?[]/.test(directory)
    ? []
    : namesIn(directory).flatMap((name) => (pattern.test(name) ? [`${directory}/${name}`] : []));
}

interface Search {
  readonly root: string;
  nodes: number;
  read: number;
  /** Path → the command names it. */
  readonly found: Map<string, boolean>;
}

function visit(search: Search, path: string, loss: Loss, isNamed: boolean): void {
  if (++search.nodes > NODES_MAX || search.found.size >= FOUND_MAX || !within(path, search.root)) return;
  const inside = path.slice(search.root.length + 1);
  if (/(?:^|\/)\.git(?:\/|$)/.test(inside) || isRebuildable(inside)) return;
  const type = typeAt(path);
  if (type === "file" && isMeant(loss, path) && isSecret(search, path, inside)) search.found.set(path, isNamed);
  if (type !== "directory" || !("path" in loss) || !loss.recursive) return;
  for (const name of namesIn(path)) visit(search, `${path}/${name}`, loss, false);
}

function isMeant(loss: Loss, path: string): boolean {
  const names = "path" in loss ? loss.names : undefined;
  return !names || names.some((pattern) => shellPattern(pattern).test(baseName(path)));
}

function isSecret(search: Search, path: string, inside: string): boolean {
  return isSecretFile(inside) || (++search.read <= READ_MAX && contentHoldsKey(path, READ_BYTES_MAX));
}

/** Committed files are not lost, and an ignored directory can be built again unless the command names the file. */
function* notInGit(
  found: readonly (readonly [string, boolean])[],
  root: string,
  from: Looking,
): Steps<readonly string[]> {
  const paths = found.map(([path]) => path);
  const tracked = yield* listed(["ls-files", "-z", "-c", "--", ...paths], root, from);
  if (!tracked) return paths;
  const changed =
    (yield* listed(
      ["diff-index", "--name-only", "-z", "--ignore-submodules=all", "HEAD", "--", ...paths],
      root,
      from,
    )) ?? paths;
  const ignoring = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory", "--", ...paths];
  const ignored = ((yield* listed(ignoring, root, from)) ?? []).filter((path) => path.endsWith("/"));
  return found.flatMap(([path, isNamed]) => {
    const isBuilt = !isNamed && ignored.some((directory) => path.startsWith(directory));
    return (tracked.includes(path) ? changed.includes(path) : !isBuilt) ? [path] : [];
  });
}

function* listed(
  args: readonly string[],
  root: string,
  { env, places, clock, deadline }: Looking,
): Steps<readonly string[] | undefined> {
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  const program = timeMs > 0 ? gitRun({ directory: root }, args, { env, project: places.project, timeMs }) : undefined;
  const result = program && (yield* run(program));
  if (!result || "failed" in result) return undefined;
  return result.text.split("\0").flatMap((path) => (path === "" ? [] : [`${root}/${path}`]));
}

function typeAt(path: string): "file" | "directory" | "other" {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? "file" : stat?.isDirectory() ? "directory" : "other";
  } catch {
    return "other";
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
