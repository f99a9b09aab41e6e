/** Removes the blobs that no record and no part of the state names any more. */
import { readdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ifThere } from "../journal/errno.ts";
import { blobsIn, UNFINISHED } from "./blobs.ts";

/** The record that names a younger blob may not be written yet. */
const YOUNG_MS = 3_600_000;

const HASH = /[0-9a-f]{64}/g;

/** Every name that the values hold, wherever it stands in them: a blob too many is kept, none too few. */
export function blobsNamedIn(values: Iterable<unknown>): Set<string> {
  const names = new Set<string>();
  for (const value of values) for (const [name] of JSON.stringify(value)?.matchAll(HASH) ?? []) names.add(name);
  return names;
}

/** Returns how many blobs were removed. Files that killed writers left are removed with them and not counted. */
export function collectBlobs(journal: string, named: ReadonlySet<string>, now: number): number {
  let removed = 0;
  for (const path of filesIn(blobsIn(journal))) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (named.has(name) || age < YOUNG_MS) continue;
    if (ifThere(() => unlinkSync(path) ?? true) && !name.startsWith(UNFINISHED)) removed++;
  }
  return removed;
}

function filesIn(directory: string): readonly string[] {
  const shelves = ifThere(() => readdirSync(directory)) ?? [];
  return shelves.flatMap((shelf) => {
    const path = join(directory, shelf);
    return (ifThere(() => readdirSync(path)) ?? []).map((name) => join(path, name));
  });
}
