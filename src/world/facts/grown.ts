/** What has changed in a work tree since the person's last request: git's answer, without what was changed before. */
import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { Steps } from "../../kernel/effect.ts";
import { type GrownFound, type HeadFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import type { ChangedFile } from "../../playbook/diff.ts";
import type { GrowingTree } from "../../state/session/growth.ts";
import { growthOf, newSession } from "../../state/session/session.ts";
import { type Ask, asker } from "../machine/git-asking.ts";
import { headCommit } from "../machine/head-commit.ts";
import { changedSince } from "../machine/work-change.ts";
import { rootOf } from "../machine/work-tree.ts";
import { type Looking, sessionOf } from "./looking.ts";

/** Slower repositories are counted by the names that tool uses showed. */
const TIME_MS = 2000;
/** Time for everything after the look-up. */
const RESERVE_MS = 2000;

export function headFound({ event, places }: Pick<Looking, "event" | "places">): HeadFound {
  const root = rootOf(event.cwd, places.project);
  return { root, commit: headCommit(root) };
}

export function* grownSince(from: Looking): Steps<GrownFound | Unknown> {
  const session = sessionOf(from);
  if (session && isUnknown(session)) return session;
  const { root, commit: now } = headFound(from);
  const growth = growthOf(session ?? newSession(from.clock()));
  const tree = own(growth.trees, root) ?? { commit: now, at: growth.since, files: {} };
  const deadline = Math.min(from.deadline - RESERVE_MS, from.clock() + TIME_MS);
  const ask = asker({ directory: root }, { env: from.env, project: from.places.project, deadline, clock: from.clock });
  const changed = yield* changedInTree(root, tree, ask);
  return { root, commit: now, folders: foldersIn(from), ...(changed && { changed }) };
}

/** Undefined where git cannot tell. */
export function* changedInTree(root: string, tree: GrowingTree, ask: Ask): Steps<readonly ChangedFile[] | undefined> {
  const changed = yield* changedSince(root, tree.commit || "HEAD", ask);
  const isNew = ({ path }: ChangedFile): boolean =>
    own(tree.files, path) !== undefined || isSince(join(root, path), tree.at);
  return changed && [...changed.filter(isNew), ...(yield* hidden(root, tree, changed, ask))];
}

/** The ctime, which no tool can set back. A file that is gone counts if its directory changed since. */
function isSince(path: string, at: number): boolean {
  const stat = statOf(path) ?? statOf(dirname(path));
  return stat !== undefined && stat.ctimeMs >= at;
}

/** Files that were written and that git was told not to look at. */
function* hidden(
  root: string,
  tree: GrowingTree,
  changed: readonly ChangedFile[],
  ask: Ask,
): Steps<readonly ChangedFile[]> {
  const shown = new Set(changed.map(({ path }) => path));
  const inside = Object.keys(tree.files).filter((path) => !path.startsWith("/"));
  const silent = inside.filter((path) => !shown.has(path) && isSince(join(root, path), tree.at));
  if (silent.length === 0) return [];
  const listed = (yield* ask(["ls-files", "-v", "-z", "--", ...silent])) ?? "";
  const paths = listed.split("\0").flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2)] : []));
  return paths.map((path) => ({ path, lines: 1, all: 1 }));
}

const FOLDERS_LOOKED = 20;

function foldersIn({ operation }: Looking): readonly string[] {
  const paths = (operation?.effects ?? []).map(({ path }) => path).filter((path) => path.startsWith("/"));
  return [...new Set(paths)].slice(0, FOLDERS_LOOKED).filter((path) => isFolder(path));
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** Undefined as well for a path below a file, or one that may not be looked at. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    void error;
    return undefined;
  }
}
