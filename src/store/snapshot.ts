/** Snapshots: the fold up to a place in the journal, kept so that a process need not begin at the beginning. */
import { constants, readFileSync, readSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newState } from "../state/state.ts";
import { type Listing, listDirectory, type SnapshotName, UNFINISHED_PREFIX } from "./directory.ts";
import { guarded, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { type Ledger, newLedger } from "./ledger.ts";
import { checked, decodeChecked, decodeLine, RECORD_BYTES_MAX } from "./line.ts";
import { newRid } from "./rid.ts";
import { segmentPath } from "./segment.ts";
import { isFault } from "./store.ts";

/** Set by the build from the sources of `state/`: a snapshot is only as good as the reducers that made it. */
declare const __REDUCER_HASH__: string | undefined;

export const REDUCER = typeof __REDUCER_HASH__ === "string" ? __REDUCER_HASH__ : "dev";

/** Two, so that one that turns out to be corrupt does not send anybody back to the beginning. */
export const SNAPSHOTS_KEPT = 2;

const UNFINISHED_AGE_MS = 60_000;
const LINE_FEED = 0x0a;

/** The newest snapshot that can be trusted. A bad one is no error, only a cache that missed. */
export function newestSnapshot(directory: string, listing: Listing): Ledger | undefined {
  for (const name of listing.snapshots) {
    const ledger = name.reducer === REDUCER ? usableSnapshot(directory, listing, name) : undefined;
    if (ledger) return ledger;
  }
  return undefined;
}

/**
 * When the reducers have changed and the beginning is pruned, nothing can be folded again: what the old reducers left
 * is taken over, with the newer fields empty.
 */
export function inheritedSnapshot(directory: string, listing: Listing): Ledger | undefined {
  for (const name of listing.snapshots) {
    const ledger = usableSnapshot(directory, listing, name);
    if (ledger) return { ...ledger, state: { ...newState, ...ledger.state } };
  }
  return undefined;
}

/** The snapshot of that name, if it is whole and the journal reaches as far as it does. */
export function usableSnapshot(directory: string, listing: Listing, name: SnapshotName): Ledger | undefined {
  if (!listing.segments.includes(name.segment)) return undefined;
  const ledger = readSnapshot(directory, name);
  return ledger && joins(segmentPath(directory, name.segment), ledger) ? ledger : undefined;
}

export function readSnapshot(directory: string, name: SnapshotName): Ledger | undefined {
  const path = `${directory}/${name.name}`;
  const bytes = guarded(directory, () => withFile(path, constants.O_RDONLY, (fd) => readFileSync(fd)));
  if (isFault(bytes) || bytes.at(-1) !== LINE_FEED) return undefined;
  const ledger = decodeChecked(bytes.subarray(0, -1));
  return isLedger(ledger) && ledger.segment === name.segment && ledger.offset === name.offset ? ledger : undefined;
}

/**
 * Nothing is flushed: a snapshot that did not reach the disk whole fails its checksum, and one that outlived the
 * records it knows of does not find the last of them where it should be. Both are passed over.
 */
export function writeSnapshot(directory: string, ledger: Ledger): void {
  const name = `snap.${String(ledger.segment).padStart(8, "0")}.${ledger.offset}.${REDUCER}`;
  const unfinished = join(directory, UNFINISHED_PREFIX + newRid());
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const fault = guarded(directory, () =>
    withFile(unfinished, O_WRONLY | O_CREAT | O_EXCL, (file) => {
      writeFileSync(file, checked(JSON.stringify(ledger)));
    }),
  );
  if (fault) {
    ifThere(() => unlinkSync(unfinished));
    return;
  }
  renameSync(unfinished, join(directory, name));
  removeOldSnapshots(directory);
}

/** Of another version's snapshots the newest stays: a downgrade, or a pruned beginning, may need it. */
function removeOldSnapshots(directory: string): void {
  const { snapshots, unfinished } = listDirectory(directory);
  const own = snapshots.filter(({ reducer }) => reducer === REDUCER).slice(SNAPSHOTS_KEPT);
  const others = snapshots.filter(({ reducer }) => reducer !== REDUCER).slice(1);
  for (const { name } of [...own, ...others]) ifThere(() => unlinkSync(join(directory, name)));
  for (const name of unfinished) {
    const path = join(directory, name);
    const age = Date.now() - (ifThere(() => statSync(path).mtimeMs) ?? Date.now());
    if (age > UNFINISHED_AGE_MS) ifThere(() => unlinkSync(path));
  }
}

/** Does the line that ends where the snapshot ends still say what it said? */
function joins(path: string, { offset, last }: Ledger): boolean {
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

function isLedger(value: unknown): value is Ledger {
  if (typeof value !== "object" || value === null) return false;
  const ledger = value as Readonly<Record<string, unknown>>;
  return Object.entries(newLedger).every(([key, empty]) => typeof ledger[key] === typeof empty);
}
