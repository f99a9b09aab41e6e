/** Removes the oldest segments once they are sealed and covered by two snapshots of the ledger and of every part. */
import { constants, existsSync, fstatSync, fsyncSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { StoreFault } from "../store.ts";
import { type Listing, listDirectory, refuseForeign, syncDirectory } from "./directory.ts";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { catchUp, type Journal } from "./journal.ts";
import type { Entry, InternalBody } from "./line.ts";
import { snapshotAllParts } from "./parts.ts";
import { sealOf } from "./seal.ts";
import { entriesIn, segmentPath } from "./segment.ts";
import { type AnySeries, seriesIn } from "./series.ts";
import { SNAPSHOTS_KEPT, snapshotsOf, usableSnapshot } from "./snapshot.ts";
import { putInternal } from "./upkeep.ts";

interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

type SealBody = Extract<InternalBody, { readonly kind: "seal" }>;

/** Oldest first and without gaps: a segment missing in the middle was never pruned. */
export function prune(journal: Journal, now: number, retention: Retention): number | StoreFault {
  const foreign = refuseForeign(journal.directory);
  if (foreign) return foreign;
  const { segments } = listDirectory(journal.directory);
  if (segments.length === 0) return 0;
  const { pruned } = catchUp(journal);
  // A pruner recorded these and died before removing them.
  let dropped = segments.filter((segment) => segment <= pruned && drop(journal, segment)).length;
  let bytes = segments.reduce((sum, segment) => sum + (segment > pruned ? sizeOf(journal, segment) : 0), 0);
  const end = firstToKeep(journal);
  for (const segment of segments.filter((number) => number > pruned && number < end)) {
    const isPast = now - endTimeOf(journal.directory, segment) > retention.maxAgeMs || bytes > retention.maxBytes;
    if (!isPast) break;
    const size = sizeOf(journal, segment);
    const fault = promise(journal, segment, now);
    if (fault) return fault;
    if (drop(journal, segment)) dropped++;
    bytes -= size;
  }
  return dropped;
}

/** A segment that does not match its seal is evidence and is kept. */
function promise(journal: Journal, segment: number, now: number): StoreFault | undefined {
  const seal = recordedSeal(journal.directory, segment);
  const hash = seal && sealOf(journal.directory, segment, seal.prev);
  // Another process pruned it meanwhile.
  if (hash === undefined && !existsSync(segmentPath(journal.directory, segment))) return undefined;
  if (!seal || hash !== seal.hash) {
    return faultOf("corrupt", `Segment ${segment} in ${journal.directory} is not what was sealed, and is not pruned.`);
  }
  const fault = putInternal(journal, { kind: "prune", segment, seal: seal.hash }, now);
  // The names of the replacing snapshots must be durable before the segment is removed.
  if (!fault) syncDirectory(journal.directory);
  return fault;
}

function drop(journal: Journal, segment: number): boolean {
  return ifThere(() => unlinkSync(segmentPath(journal.directory, segment)) ?? true) ?? false;
}

/** Only segments before two snapshots of everything, so that one corrupt snapshot loses nothing. */
function firstToKeep(journal: Journal): number {
  const { directory, parts } = journal;
  // A part that wasn't requested lately may have old snapshots or none.
  snapshotAllParts(journal);
  const listing = listDirectory(directory);
  const behind = seriesIn(listing, parts, journal.authority).map((series) => behindTwo(directory, listing, series));
  return Math.min(...behind, catchUp(journal).sealed + 1);
}

function behindTwo(directory: string, listing: Listing, series: AnySeries): number {
  const usable = snapshotsOf(listing, series.part).filter(
    (name) =>
      (series.reducer ?? name.reducer) === name.reducer &&
      usableSnapshot(directory, listing, name, series) !== undefined,
  );
  const kept = usable.slice(0, SNAPSHOTS_KEPT);
  // The replacing snapshots must be on disk before the segment is removed.
  for (const { name } of kept) ifThere(() => withFile(join(directory, name), constants.O_RDONLY, fsyncSync));
  return kept[SNAPSHOTS_KEPT - 1]?.segment ?? 0;
}

function recordedSeal(directory: string, of: number): SealBody | undefined {
  for (const segment of listDirectory(directory).segments.filter((number) => number > of)) {
    const found = firstIn(directory, segment, (entry) => entry.kind === "seal" && entry.of === of);
    if (found?.kind === "seal") return found;
  }
  return undefined;
}

/** No record in a segment is newer than the first record of the next one. */
function endTimeOf(directory: string, segment: number): number {
  return firstIn(directory, segment + 1, () => true)?.t ?? Number.POSITIVE_INFINITY;
}

function firstIn(directory: string, segment: number, isWanted: (entry: Entry) => boolean): Entry | undefined {
  return ifThere(() =>
    withFile(segmentPath(directory, segment), constants.O_RDONLY, (fd) => {
      for (const { entry } of entriesIn(fd, fstatSync(fd).size)) if (entry && isWanted(entry)) return entry;
      return undefined;
    }),
  );
}

function sizeOf(journal: Journal, segment: number): number {
  return ifThere(() => statSync(segmentPath(journal.directory, segment)).size) ?? 0;
}
