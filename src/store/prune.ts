/** Gives up the oldest segments, once they are sealed and two snapshots hold what they said. */
import { constants, fstatSync, fsyncSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { listDirectory, refuseForeign, syncDirectory } from "./directory.ts";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { catchUp, type Journal } from "./journal.ts";
import type { Entry, InternalBody } from "./line.ts";
import { sealOf } from "./seal.ts";
import { entriesIn, segmentPath } from "./segment.ts";
import { REDUCER, SNAPSHOTS_KEPT, usableSnapshot } from "./snapshot.ts";
import type { StoreFault } from "./store.ts";
import { putInternal } from "./upkeep.ts";

interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

type SealBody = Extract<InternalBody, { readonly kind: "seal" }>;

/** Oldest first, and none is passed over: whatever is missing in the middle was never pruned. */
export function prune(journal: Journal, now: number, retention: Retention): number | StoreFault {
  const foreign = refuseForeign(journal.directory);
  if (foreign) return foreign;
  const { segments } = listDirectory(journal.directory);
  if (segments.length === 0) return 0;
  const { pruned } = catchUp(journal);
  // Whoever promised these died before keeping the promise.
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

/** A segment that its seal does not vouch for is evidence, and stays. */
function promise(journal: Journal, segment: number, now: number): StoreFault | undefined {
  const seal = recordedSeal(journal.directory, segment);
  if (!seal || sealOf(journal.directory, segment, seal.prev) !== seal.hash) {
    return faultOf("corrupt", `Segment ${segment} in ${journal.directory} is not what was sealed, and is not pruned.`);
  }
  const fault = putInternal(journal, { kind: "prune", segment, seal: seal.hash }, now);
  // The names of the snapshots that replace the segment must last before its own is gone.
  if (!fault) syncDirectory(journal.directory);
  return fault;
}

function drop(journal: Journal, segment: number): boolean {
  return ifThere(() => unlinkSync(segmentPath(journal.directory, segment)) ?? true) ?? false;
}

/** Behind two snapshots, so that a corrupt one does not make what is pruned unknown. */
function firstToKeep(journal: Journal): number {
  const { directory } = journal;
  const listing = listDirectory(directory);
  const usable = listing.snapshots.filter(
    (name) => name.reducer === REDUCER && usableSnapshot(directory, listing, name) !== undefined,
  );
  const kept = usable.slice(0, SNAPSHOTS_KEPT);
  // What is about to replace a segment must be on the disk before the segment is not.
  for (const { name } of kept) ifThere(() => withFile(join(directory, name), constants.O_RDONLY, fsyncSync));
  return Math.min(kept[SNAPSHOTS_KEPT - 1]?.segment ?? 0, catchUp(journal).sealed + 1);
}

function recordedSeal(directory: string, of: number): SealBody | undefined {
  for (const segment of listDirectory(directory).segments.filter((number) => number > of)) {
    const found = firstIn(directory, segment, (entry) => entry.kind === "seal" && entry.of === of);
    if (found?.kind === "seal") return found;
  }
  return undefined;
}

/** Nothing in a segment is newer than what the next one begins with. */
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
