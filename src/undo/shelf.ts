/** The directory of snapshots: each is named when complete, and removed when too old or when there are too many. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Retention } from "../kernel/snapshot-request.ts";

export interface Shelved {
  readonly id: string;
  readonly at: number;
  readonly bytes: number;
  readonly path: string;
}

/** The name contains the time and the size, so that neither needs opening. */
const NAME = /^([0-9a-z]{9})([0-9a-z]{3})\.([0-9a-z]+)$/;
const UNFINISHED = /^new\.([0-9a-z]{12})$/;
const UNFINISHED_MS_MAX = 3_600_000;
const SNAPSHOTS_MAX = 1000;
/** Number of snapshots that one event removes; the next event continues. */
const REMOVED_MAX = 8;

export function shelfOf(journal: string): string {
  return join(journal, "undo");
}

/** Newest first. */
export function shelved(shelf: string): readonly Shelved[] {
  return namesIn(shelf)
    .flatMap((name): readonly Shelved[] => {
      const [, time = "", chance = "", bytes = ""] = NAME.exec(name) ?? [];
      if (bytes === "") return [];
      const path = join(shelf, name);
      return [{ id: time + chance, at: Number.parseInt(time, 36), bytes: Number.parseInt(bytes, 36), path }];
    })
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

/** A directory for a new snapshot, with a name that marks it as unfinished. */
export function begin(shelf: string, now: number): { readonly id: string; readonly path: string } {
  mkdirSync(shelf, { recursive: true, mode: 0o700 });
  for (;;) {
    const chance = Math.floor(Math.random() * 36 ** 3).toString(36);
    const id = Math.floor(now).toString(36).padStart(9, "0").slice(-9) + chance.padStart(3, "0");
    const path = join(shelf, `new.${id}`);
    try {
      mkdirSync(path, { mode: 0o700 });
      return { id, path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Atomic: the snapshot is either missing or complete. */
export function finish(shelf: string, id: string, bytes: number): void {
  renameSync(join(shelf, `new.${id}`), join(shelf, `${id}.${bytes.toString(36)}`));
}

/** Removes what is too old or too much, but never the newest for its size; returns how many. */
export function retire(shelf: string, now: number, { maxAgeMs, maxBytes }: Retention, most = REMOVED_MAX): number {
  let bytes = 0;
  const past = shelved(shelf).filter((one, at) => {
    bytes += one.bytes;
    return now - one.at > maxAgeMs || (at > 0 && (bytes > maxBytes || at >= SNAPSHOTS_MAX));
  });
  const abandoned = namesIn(shelf)
    .filter((name) => UNFINISHED.test(name))
    .map((name) => join(shelf, name))
    .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > UNFINISHED_MS_MAX);
  const gone = [...abandoned, ...past.reverse().map(({ path }) => path)].slice(0, most);
  for (const path of gone) rmSync(path, { recursive: true, force: true });
  return gone.length;
}

function namesIn(shelf: string): readonly string[] {
  try {
    return readdirSync(shelf);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
