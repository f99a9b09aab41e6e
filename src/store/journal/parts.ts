/**
 * Folds a part of the state when a reader asks for it. A part follows the ledger: it is folded up to the ledger's place by
 * reading the same lines again and skipping the kinds it doesn't fold.
 */
import { constants, fstatSync } from "node:fs";
import { type Part, type PartRecord, type PartTable, partNamed, type StateWith } from "../../state/part.ts";
import { listDirectory } from "./directory.ts";
import { ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { catchUp, type Followed, type Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import { decodeLine, kindOf } from "./line.ts";
import { FIRST_SEGMENT, linesIn, segmentPath } from "./segment.ts";
import { seriesOf } from "./series.ts";
import { isAfter, type Place, snapshotsOf, startOf, writeSnapshot } from "./snapshot.ts";

/** Looks that a reader takes at a journal that others prune meanwhile. */
const LOOKS_MAX = 64;

/** The current state with the requested parts. */
export function readParts<Name extends string>(journal: Journal, needs: readonly Name[]): StateWith<PartTable, Name> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    bringToEnd(journal, needs);
    const state = stateAt(journal, catchUp(journal), needs);
    if (state) return state;
  }
  throw new Error(`The parts ${needs.join(", ")} could not be read: other processes prune the journal all the time.`);
}

/** The ledger's state with the requested parts at the same place; undefined if a part cannot be had there any more. */
export function stateAt<Name extends string>(
  journal: Journal,
  ledger: Ledger,
  needs: readonly Name[],
): StateWith<PartTable, Name> | undefined {
  if (needs.length === 0) return ledger.state as StateWith<PartTable, Name>;
  const values: [Name, object][] = [];
  for (const name of needs) {
    const there = bring(journal, name, ledger);
    if (!there) return undefined;
    values.push([name, there.value]);
  }
  return { ...ledger.state, ...Object.fromEntries(values) } as StateWith<PartTable, Name>;
}

/**
 * Before a record is added, so that the parts just before it need no snapshot: by the time it is added, other processes
 * may have replaced all snapshots by newer ones.
 */
export function bringToEnd(journal: Journal, needs: readonly string[]): void {
  for (const name of needs) {
    // If every snapshot is newer than the ledger, the ledger goes on too.
    for (let look = 0; look < LOOKS_MAX && !bring(journal, name, catchUp(journal)); look++);
  }
}

/** Takes a snapshot of each part that was requested here and is far from its last snapshot. */
export function snapshotParts(journal: Journal): void {
  for (const [name, { tail }] of [...journal.followed]) {
    if (tail > journal.limits.partTailBytes) snapshotPart(journal, name, catchUp(journal));
  }
}

/** Takes a snapshot of every part at the end, and one at the start of the newest segment unless that segment has one. */
export function snapshotAllParts(journal: Journal): void {
  const ledger = catchUp(journal);
  const { segment } = ledger;
  const { snapshots } = listDirectory(journal.directory);
  for (const name of Object.keys(journal.parts)) {
    const { reducer } = seriesOf(name, partNamed(journal.parts, name));
    const hasOne = snapshots.some(
      (one) => one.part === name && one.reducer === reducer && one.segment === segment && isAfter(ledger, one),
    );
    if (!hasOne) snapshotPart(journal, name, { segment, offset: 0, last: "" });
    snapshotPart(journal, name, ledger);
  }
}

function snapshotPart(journal: Journal, name: string, place: Place): void {
  const there = bring(journal, name, place);
  if (!there) return;
  const { segment, offset, last } = place;
  const { value } = there;
  writeSnapshot(journal.directory, seriesOf(name, partNamed(journal.parts, name)), { segment, offset, last, value });
  journal.followed.set(name, { segment, offset, value, tail: 0 });
}

/** Folds a part up to a place. Undefined if the records before it are pruned and every snapshot is newer. */
function bring(journal: Journal, name: string, to: Place): Followed | undefined {
  const known = journal.followed.get(name);
  let from = known && !isAfter(known, to) ? known : begin(journal, name, to);
  for (let look = 0; from && look < LOOKS_MAX; look++) {
    const there = follow(journal.directory, partNamed(journal.parts, name), from, to);
    const again = there.isWhole ? from : begin(journal, name, to);
    // Segments may be pruned while we read, and then newer snapshots cover them. A gap that stays was no pruning.
    if (again && !isAfter(again, from) && !isAfter(from, again)) {
      journal.followed.set(name, there);
      return there;
    }
    from = again;
  }
  return undefined;
}

/** Like the ledger: from the newest snapshot, or else from the oldest segment. */
function begin(journal: Journal, name: string, to: Place): Followed | undefined {
  const part = partNamed(journal.parts, name);
  const { listing, fold } = startOf(journal.directory, seriesOf(name, part), to);
  if (fold) return { segment: fold.segment, offset: fold.offset, value: fold.value, tail: 0 };
  const [segment = FIRST_SEGMENT] = listing.segments;
  const isPruned = segment !== FIRST_SEGMENT && snapshotsOf(listing, name).some((newer) => isAfter(newer, to));
  return isPruned ? undefined : { segment, offset: 0, value: part.empty, tail: 0 };
}

/** `isWhole` is false when a segment on the way is gone. */
function follow(directory: string, part: Part, from: Followed, to: Place): Followed & { readonly isWhole: boolean } {
  let { value, tail } = from;
  let isWhole = true;
  for (let segment = from.segment; segment <= to.segment; segment++) {
    const start = segment === from.segment ? from.offset : 0;
    const end = segment === to.segment ? to.offset : undefined;
    if (start === end) break;
    const read = ifThere(() =>
      withFile(segmentPath(directory, segment), constants.O_RDONLY, (fd) => {
        const size = end ?? fstatSync(fd).size;
        value = foldLines(fd, part, value, start, size);
        return size - start;
      }),
    );
    if (read === undefined) isWhole = false;
    tail += read ?? 0;
  }
  return { segment: to.segment, offset: to.offset, value, tail, isWhole };
}

/** Lines of other kinds aren't checked or parsed. The ledger reads every line and counts the damaged ones. */
function foldLines(fd: number, part: Part, from: object, start: number, size: number): object {
  let value = from;
  for (const { bytes } of linesIn(fd, start, size)) {
    const told = kindOf(bytes);
    if (told !== undefined && told !== "close" && !part.kinds.includes(told)) continue;
    const entry = decodeLine(bytes);
    if (entry?.kind === "close") return value;
    if (entry && part.kinds.includes(entry.kind)) value = part.fold(value, entry as PartRecord);
  }
  return value;
}
