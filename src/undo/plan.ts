/** What bringing a snapshot back would do, path by path: what is missing comes back, what is newer is in the way. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { type At, Blocked, inDirectory, parted } from "./anchor.ts";
import { bytesOf } from "./bytes.ts";
import { readThrough } from "./copy.ts";
import { committedIn } from "./git.ts";
import type { Entry, FileEntry, Manifest } from "./manifest.ts";

/**
 * `missing`: nothing is there. `same`: it is there already. `committed`: something else is, and git has that.
 * `newer`: something else is, and nobody else has it.
 */
export type Standing = "missing" | "same" | "committed" | "newer" | "blocked";

export interface Step {
  readonly entry: Entry;
  readonly standing: Standing;
}

export function planOf({ entries, trees }: Manifest): readonly Step[] {
  const committed = trees.map((tree, index) => lazily(() => committedIn(bytesOf(tree), pathsIn(entries, index))));
  return entries.map((entry) => {
    const tree = bytesOf(trees[entry.tree] ?? "");
    const { names, name } = parted(entry.path);
    try {
      const found = inDirectory(tree, names, "leave", (at) => standingOf(entry, at, name, committed[entry.tree]));
      return { entry, standing: found ?? "missing" };
    } catch (error) {
      if (error instanceof Blocked) return { entry, standing: "blocked" };
      throw error;
    }
  });
}

type Committed = (() => ReadonlyMap<string, string>) | undefined;

function standingOf(entry: Entry, at: At, name: string, committed: Committed): Standing {
  const place = at(name);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return "missing";
  if (entry.type === "directory") return stat.isDirectory() ? "same" : "newer";
  if (entry.type === "link") {
    return stat.isSymbolicLink() && readlinkSync(place, { encoding: "latin1" }) === entry.target ? "same" : "newer";
  }
  return stat.isFile() ? contentStanding(entry, place, stat, committed) : "newer";
}

/** What git has in its newest commit is not lost when something else takes its place. */
function contentStanding(entry: FileEntry, place: Buffer, stat: Stats, committed: Committed): Standing {
  const object = committed?.().get(entry.path);
  const { sha256, blob } = readThrough(place.toString("latin1"), stat, object?.length === 64 ? "sha256" : "sha1");
  if (sha256 === entry.sha256) return "same";
  return blob === object ? "committed" : "newer";
}

function pathsIn(entries: readonly Entry[], tree: number): readonly string[] {
  return entries.flatMap((entry) => (entry.tree === tree && entry.type === "file" ? [entry.path] : []));
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly is: T } | undefined;
  return () => {
    made ??= { is: make() };
    return made.is;
  };
}
