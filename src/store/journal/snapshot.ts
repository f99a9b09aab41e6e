/** Snapshots: a fold up to a position in the journal, so that a process need not start from the beginning. */
import { constants, readFileSync, readSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../store.ts";
import { type Listing, listDirectory, type SnapshotName, snapshotName, UNFINISHED_PREFIX } from "./directory.ts";
import { guarded, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { checked, decodeChecked, decodeLine, RECORD_BYTES_MAX } from "./line.ts";
import { newRid } from "./rid.ts";
import { FIRST_SEGMENT, segmentPath } from "./segment.ts";

/** How far a fold has come: to the end of a line. `last` is that line's id, or empty if the line is damaged. */
export interface Place {
  readonly segment: number;
  readonly offset: number;
  readonly last: string;
}

/** The snapshots of one fold: the ledger's, or a part's. */
export interface Series<Fold extends Place> {
  /** Empty for the ledger. */
  readonly part: string;
  /** A hash of the reducers' code: other reducers can't use the snapshot. */
  readonly reducer: string;
  readonly isOne: (value: unknown) => value is Fold;
  /** Converts a snapshot of other reducers, for when the records before it are pruned. */
  readonly inherit: (old: Fold) => Fold;
}

/** Two, so that one corrupt snapshot does not force a fold from the beginning. */
export const SNAPSHOTS_KEPT = 2;

const UNFINISHED_AGE_MS = 60_000;
const LINE_FEED = 0x0a;
const LOOKS_MAX = 64;

export interface Start<Fold> {
  readonly listing: Listing;
  /** Undefined if the fold must begin with the oldest segment. */
  readonly fold: Fold | undefined;
}

/** Finds the newest usable snapshot at or before a place. */
export function startOf<Fold extends Place>(directory: string, series: Series<Fold>, upTo?: Place): Start<Fold> {
  const ours = ({ reducer }: SnapshotName): boolean => reducer === series.reducer;
  const look = (wanted: typeof ours): Start<Fold> => {
    const listing = listDirectory(directory);
    const names = snapshotsOf(listing, series.part).filter((name) => !(upTo && isAfter(name, upTo)) && wanted(name));
    return { listing, fold: firstUsable(directory, listing, names, series) };
  };
  let start = look(ours);
  // Without the beginning we need a snapshot, so look again if other processes replaced snapshots meanwhile.
  for (let looks = 1; !start.fold && !holdsBeginning(start.listing) && looks < LOOKS_MAX; looks++) {
    const earlier = namesOf(start.listing);
    start = look(ours);
    if (namesOf(start.listing) === earlier) break;
  }
  if (start.fold || holdsBeginning(start.listing)) return start;
  // The reducers changed and the beginning is pruned, so nothing can be folded again. The old snapshot is used.
  const { listing, fold } = look(() => true);
  return { listing, fold: fold && series.inherit(fold) };
}

function holdsBeginning({ segments }: Listing): boolean {
  return segments.length === 0 || segments[0] === FIRST_SEGMENT;
}

function namesOf({ snapshots }: Listing): string {
  return snapshots.map(({ name }) => name).join(" ");
}

/** An invalid snapshot is only a cache miss. */
function firstUsable<Fold extends Place>(
  directory: string,
  listing: Listing,
  names: readonly SnapshotName[],
  series: Series<Fold>,
): Fold | undefined {
  for (const name of names) {
    const fold = usableSnapshot(directory, listing, name, series);
    if (fold) return fold;
  }
  return undefined;
}

export function snapshotsOf(listing: Listing, part: string): readonly SnapshotName[] {
  return listing.snapshots.filter((name) => name.part === part);
}

export function isAfter(a: Omit<Place, "last">, b: Omit<Place, "last">): boolean {
  return a.segment > b.segment || (a.segment === b.segment && a.offset > b.offset);
}

/** The snapshot, if it is complete and the journal reaches as far. */
export function usableSnapshot<Fold extends Place>(
  directory: string,
  listing: Listing,
  name: SnapshotName,
  series: Pick<Series<Fold>, "isOne">,
): Fold | undefined {
  if (!listing.segments.includes(name.segment)) return undefined;
  const fold = readSnapshot(directory, name, series);
  return fold && joins(segmentPath(directory, name.segment), fold) ? fold : undefined;
}

export function readSnapshot<Fold extends Place>(
  directory: string,
  name: SnapshotName,
  { isOne }: Pick<Series<Fold>, "isOne">,
): Fold | undefined {
  const path = `${directory}/${name.name}`;
  const bytes = guarded(directory, () => withFile(path, constants.O_RDONLY, (fd) => readFileSync(fd)));
  if (isFault(bytes) || bytes.at(-1) !== LINE_FEED) return undefined;
  const fold = decodeChecked(bytes.subarray(0, -1));
  return isOne(fold) && fold.segment === name.segment && fold.offset === name.offset ? fold : undefined;
}

/**
 * Nothing is flushed: an incomplete snapshot fails its checksum, and one that outlived its records does not find the
 * last of them. Both are skipped.
 */
export function writeSnapshot<Fold extends Place>(directory: string, series: Series<Fold>, fold: Fold): void {
  const unfinished = join(directory, UNFINISHED_PREFIX + newRid());
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const fault = guarded(directory, () =>
    withFile(unfinished, O_WRONLY | O_CREAT | O_EXCL, (file) => {
      writeFileSync(file, checked(JSON.stringify(fold)));
    }),
  );
  if (fault) {
    ifThere(() => unlinkSync(unfinished));
    return;
  }
  renameSync(unfinished, join(directory, snapshotName(series.part, fold.segment, fold.offset, series.reducer)));
  removeOldSnapshots(directory, series);
}

/** Keeps the newest snapshot of another version, for a downgrade or a pruned beginning. */
function removeOldSnapshots(directory: string, { part, reducer: ours }: Pick<Series<Place>, "part" | "reducer">): void {
  const listing = listDirectory(directory);
  const snapshots = snapshotsOf(listing, part);
  const own = snapshots.filter(({ reducer }) => reducer === ours).slice(SNAPSHOTS_KEPT);
  const others = snapshots.filter(({ reducer }) => reducer !== ours).slice(1);
  for (const { name } of [...own, ...others]) ifThere(() => unlinkSync(join(directory, name)));
  for (const name of listing.unfinished) {
    const path = join(directory, name);
    const age = Date.now() - (ifThere(() => statSync(path).mtimeMs) ?? Date.now());
    if (age > UNFINISHED_AGE_MS) ifThere(() => unlinkSync(path));
  }
}

/** Whether the line that ends at the snapshot's position is still the same. */
function joins(path: string, { offset, last }: Place): boolean {
  if (offset === 0) return true;
  const found = ifThere(() =>
    withFile(path, constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(Math.min(offset, RECORD_BYTES_MAX));
      return readSync(fd, bytes, 0, bytes.length, offset - bytes.length) === bytes.length ? bytes : undefined;
    }),
  );
  if (found?.at(-1) !== LINE_FEED) return false;
  const line = found.subarray(0, -1);
  return last === "" || decodeLine(line.subarray(line.lastIndexOf(LINE_FEED) + 1))?.rid === last;
}
