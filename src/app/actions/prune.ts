/**
 * Removes what is older or larger than the settings allow: sealed segments, copies of destroyed files, and the long texts that
 * no record names any more.
 */
import { blobsNamedIn, collectBlobs } from "../../store/blobs/collect.ts";
import { retire, shelfOf } from "../../undo/shelf.ts";
import type { Person } from "../person.ts";
import { type Here, orFail } from "../project.ts";
import { keepAction } from "./action.ts";

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 * 1024;

interface Kept {
  readonly retention_days: number;
  readonly max_megabytes: number;
}

export function pruneOld(
  { store, settings, places }: Here,
  person: Person,
): { readonly removed: number; readonly snapshots: number; readonly blobs: number } {
  const { audit, undo } = settings.settings;
  const now = Date.now();
  keepAction(store, { action: "prune", detail: `from ${person.from}` }, now, person);
  const removed = orFail(store.prune(now, limitsOf(audit)));
  const snapshots = retire(shelfOf(places.journal), now, limitsOf(undo), Number.POSITIVE_INFINITY);
  // After the segments: an unread message keeps its text longer than the record that brought it.
  const named = new Set([
    ...blobsNamedIn([orFail(store.read(["letters"])).letters, orFail(store.read(["runs"])).runs]),
    ...blobsNamedIn(store.records()),
  ]);
  return { removed, snapshots, blobs: collectBlobs(places.journal, named, now) };
}

export function limitsOf({ retention_days: days, max_megabytes: megabytes }: Kept) {
  return { maxAgeMs: days * DAY_MS, maxBytes: megabytes * MEGABYTE };
}
