/** Everything that a tool use would change, as far as its input says it: paths, patterns and whole directories. */
import type { Tool } from "../../kernel/event.ts";
import { names } from "../../kernel/name-table.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { ANY_DEPTH, type Name, namesOf } from "../../kernel/path-meeting.ts";
import { absolute, within } from "../../kernel/paths.ts";
import { namedPaths } from "./named-paths.ts";

export interface Reach {
  /** How it was written. */
  readonly spelled: string;
  readonly names: readonly Name[];
  /** `path`: this file by its name. `pattern`: whatever fits and is there. `below`: a directory with all that is in it. */
  readonly how: "path" | "pattern" | "below";
}

/** What is known besides the tool use itself. */
export interface Ground {
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  readonly targets: Readonly<Record<string, string>>;
}

export function reachesOf(tool: Tool, operation: Operation, ground: Ground): readonly Reach[] {
  const byEffect = operation.effects.flatMap((effect) => reachesOfEffect(effect, ground));
  const named = namedPaths(tool, operation, ground);
  return named.length === 0 ? byEffect : [...byEffect, ...named.map((path) => pathReach(path, path))];
}

function pathReach(path: string, spelled: string): Reach {
  return { names: namesOf(path, false), how: "path", spelled };
}

function reachesOfEffect(effect: Effect, ground: Ground): readonly Reach[] {
  const { kind, elsewhere, path, spelled, literal, glob } = effect;
  if (elsewhere || (kind === "read" && !isLinking(effect)) || !path.startsWith("/")) return [];
  // Both names: a link may be replaced, and what it leads to may be written through it.
  const paths = [...new Set([path, ground.targets[path] ?? path])];
  return paths.flatMap((one): Reach[] => {
    if (!literal) return unreadReach(effect, one, ground);
    if (glob) return [{ names: namesOf(one, true), how: "pattern", spelled }, ...below(effect, one, true, ground)];
    return [pathReach(one, spelled), ...below(effect, one, false, ground), ...droppedInto(effect, one)];
  });
}

const LINKING = /^-[a-zA-Z]*[ls]|^--(?:symbolic-)?link$/;

/** A link is as good as the file: whoever makes one can write through it. */
function isLinking({ by, invocation }: Effect): boolean {
  if (by === "ln" || by === "link") return true;
  return by === "cp" && invocation?.args.some(({ text }) => LINKING.test(text)) === true;
}

/** Part of the path is known: the beginning of a name, or where a search begins and what it looks for. */
function unreadReach({ spelled }: Effect, path: string, { project }: Ground): Reach[] {
  const found = /\/\u2026(?:\/(.+))?$/.exec(spelled);
  if (found) {
    const [, name] = found;
    const names = [...namesOf(path, false), ANY_DEPTH, ...(name === undefined ? [] : namesOf(name, true))];
    return [{ names, how: name === undefined ? "below" : "pattern", spelled }];
  }
  // Anything in the project could be meant, and most often something harmless is.
  if (within(project, path)) return [];
  const names = namesOf(path, false);
  const last = { text: `${names.at(-1)?.text ?? ""}*`, isPattern: true };
  return [{ names: [...names.slice(0, -1), last, ANY_DEPTH], how: "below", spelled }];
}

/** What removes, moves or rewrites a directory takes along what lies in it. Git leaves alone what it was not given. */
function below(effect: Effect, path: string, isPattern: boolean, { project }: Ground): Reach[] {
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

/** By a search that names no files: the directory it begins in stands for all that it finds. */
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
