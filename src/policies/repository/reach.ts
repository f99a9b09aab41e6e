/** Everything that a tool use would change, as far as its input shows: paths, patterns and whole directories. */

import { names } from "../../lib/name-table.ts";
import { ANY_DEPTH, type Name, namesOf } from "../../lib/path-meeting.ts";
import { absolute, within } from "../../lib/paths.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { namedPaths } from "./named-paths.ts";

export interface Reach {
  /** As written in the input. */
  readonly spelled: string;
  readonly names: readonly Name[];
  /** `path`: this file. `pattern`: existing files that match. `below`: a directory and everything in it. */
  readonly how: "path" | "pattern" | "below";
}

export interface PathContext {
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  readonly targets: Readonly<Record<string, string>>;
}

export function reachesOf(tool: Tool, operation: Operation, ground: PathContext): readonly Reach[] {
  const byEffect = operation.effects.flatMap((effect) => reachesOfEffect(effect, ground));
  const named = namedPaths(tool, operation, ground);
  return named.length === 0 ? byEffect : [...byEffect, ...named.map((path) => pathReach(path, path))];
}

function pathReach(path: string, spelled: string): Reach {
  return { names: namesOf(path, false), how: "path", spelled };
}

function reachesOfEffect(effect: Effect, ground: PathContext): readonly Reach[] {
  const { kind, elsewhere, path, spelled, literal, glob } = effect;
  if (elsewhere || (kind === "read" && !isLinking(effect)) || !path.startsWith("/")) return [];
  // Both paths: the link may be replaced, and its target may be written through it.
  const paths = [...new Set([path, ground.targets[path] ?? path])];
  return paths.flatMap((one): Reach[] => {
    if (!literal) return unreadReach(effect, one, ground);
    if (glob) return [{ names: namesOf(one, true), how: "pattern", spelled }, ...below(effect, one, true, ground)];
    return [pathReach(one, spelled), ...below(effect, one, false, ground), ...droppedInto(effect, one)];
  });
}

const LINKING = /^-[a-zA-Z]*[ls]|^--(?:symbolic-)?link$/;

/** A link allows writing to the file through it. */
function isLinking({ by, invocation }: Effect): boolean {
  if (by === "ln" || by === "link") return true;
  return by === "cp" && invocation?.args.some(({ text }) => LINKING.test(text)) === true;
}

/** Part of the path is known: the start of a name, or the root and the pattern of a search. */
function unreadReach({ spelled }: Effect, path: string, { project }: PathContext): Reach[] {
  const found = /\/\u2026(?:\/(.+))?$/.exec(spelled);
  if (found) {
    const [, name] = found;
    const names = [...namesOf(path, false), ANY_DEPTH, ...(name === undefined ? [] : namesOf(name, true))];
    return [{ names, how: name === undefined ? "below" : "pattern", spelled }];
  }
  // The path could be anything in the project and is usually harmless.
  if (within(project, path)) return [];
  const names = namesOf(path, false);
  const last = { text: `${names.at(-1)?.text ?? ""}*`, isPattern: true };
  return [{ names: [...names.slice(0, -1), last, ANY_DEPTH], how: "below", spelled }];
}

/** Removing, moving or rewriting a directory affects everything in it. Git touches only the paths it was given. */
function below(effect: Effect, path: string, isPattern: boolean, { project }: PathContext): Reach[] {
  const { kind, recursive, by } = effect;
  const isWholeTree = within(project, path);
  const takes =
    isHandedOn(effect) ||
    (kind === "delete" || isLinking(effect)
      ? (recursive || isLinking(effect)) && !(by === "git" && isWholeTree)
      : recursive && !isWholeTree && (kind === "meta" || by === "git"));
  if (!takes) return [];
  return [{ names: [...namesOf(path, isPattern), ANY_DEPTH], how: "below", spelled: effect.spelled }];
}

const SEARCHES = names("find fd xargs parallel");

/** A search passes the files on without naming them, so its start directory stands for all of them. */
function isHandedOn({ invocation }: Effect): boolean {
  return invocation?.via.some((wrapper) => SEARCHES.has(wrapper)) === true;
}

const TRANSFERS = names("cp mv install ln rsync scp");

/** `cp other/a.md docs` writes `docs/a.md`. */
function droppedInto({ kind, by, invocation }: Effect, path: string): Reach[] {
  if (kind !== "write" || !TRANSFERS.has(by)) return [];
  const sources = invocation?.args.filter(({ text }) => !text.startsWith("-")) ?? [];
  return sources.flatMap(({ text }) => {
    const name = text.replace(/\/+$/, "").split("/").at(-1) ?? "";
    const dropped = name === "" ? undefined : absolute(name, path);
    return dropped === undefined ? [] : [pathReach(dropped, dropped)];
  });
}
