/** Plans the restore of a snapshot, path by path: missing files are restored, newer ones are in the way. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import type { FileState } from "../kernel/snapshot-request.ts";
import { type At, Blocked, inDirectory, parted } from "./anchor.ts";
import { bytesOf } from "./bytes.ts";
import { readThrough } from "./copy.ts";
import { committedIn } from "./git.ts";
import type { Entry, FileEntry, Manifest } from "./manifest.ts";

export interface Step {
  readonly entry: Entry;
  readonly standing: FileState;
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

function standingOf(entry: Entry, at: At, name: string, committed: Committed): FileState {
  const place = at(name);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return "missing";
  if (entry.type === "directory") return stat.isDirectory() ? "same" : "newer";
  if (entry.type === "link") {
    return stat.isSymbolicLink() && readlinkSync(place, { encoding: "latin1" }) === entry.target ? "same" : "newer";
  }
  return stat.isFile() ? contentStanding(entry, place, stat, committed) : "newer";
}

/** Content in the newest commit is not lost when it is replaced. */
function contentStanding(entry: FileEntry, place: Buffer, stat: Stats, committed: Committed): FileState {
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
