/** Reads every segment once and collects what `verify` needs. */
import { constants, fstatSync, readSync } from "node:fs";
import type { PartTable } from "../../state/part.ts";
import type { Authority } from "../authority.ts";
import { type Account, accountsIn } from "./account.ts";
import { type Listing, listDirectory, type SnapshotName } from "./directory.ts";
import { ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { type Entry, isInternal } from "./line.ts";
import { entriesIn, FIRST_SEGMENT, segmentPath } from "./segment.ts";
import { type Place, readSnapshot } from "./snapshot.ts";

export interface Scan {
  readonly segment: number;
  records: number;
  size: number;
  /** Offsets of unreadable lines. */
  readonly damaged: number[];
  /** Offset after the `close`. */
  end: number | undefined;
  /** Length in bytes of a last line without a line feed. */
  unfinished: number;
}

export interface Survey {
  readonly listing: Listing;
  readonly scans: Scan[];
  /** The first seal of each segment. */
  readonly seals: Map<number, { readonly hash: string; readonly prev: string }>;
  /** Segments whose later seal contradicts the first. */
  readonly contradicted: Set<number>;
  /** Pruned segments and their seals. */
  readonly prunes: Map<number, string>;
  /** Snapshots that differ from the journal up to their position. */
  readonly differing: Set<string>;
  /** Snapshots whose position is the end of a line, as it must be. */
  readonly placed: Set<string>;
  /** Readable snapshots. */
  readonly readable: Set<string>;
  readonly accounts: readonly Account[];
  /** The folds so far, by part. A fold is missing while the records before it are gone. */
  readonly folds: Map<string, Place>;
}

export function surveyOf(directory: string, parts: PartTable, authority: Authority): Survey {
  const listing = listDirectory(directory);
  const survey: Survey = {
    listing,
    scans: [],
    seals: new Map(),
    contradicted: new Set(),
    prunes: new Map(),
    differing: new Set(),
    placed: new Set(),
    readable: new Set(),
    accounts: accountsIn(listing, parts, authority),
    folds: new Map(),
  };
  for (const segment of listing.segments) {
    enter(survey, segment);
    ifThere(() =>
      withFile(segmentPath(directory, segment), constants.O_RDONLY, (fd) => scan(survey, directory, segment, fd)),
    );
  }
  return survey;
}

function scan(survey: Survey, directory: string, segment: number, fd: number): void {
  const { size } = fstatSync(fd);
  const found: Scan = { segment, records: 0, size, damaged: [], end: undefined, unfinished: 0 };
  const snapshots = survey.listing.snapshots.filter((name) => name.segment === segment);
  const compareAt = (offset: number): void => {
    for (const name of snapshots) if (name.offset === offset) compare(survey, directory, name);
  };
  let last = 0;
  compareAt(0);
  for (const { entry, start, end } of entriesIn(fd, size)) {
    last = end;
    note(survey, found, entry, { start, end });
    for (const { part, step } of survey.accounts) {
      const fold = survey.folds.get(part);
      if (fold) survey.folds.set(part, step(fold, entry, end));
    }
    compareAt(end);
  }
  if (found.end === undefined) found.unfinished = unfinishedAfter(fd, last, size);
  survey.scans.push(found);
}

function note(survey: Survey, found: Scan, entry: Entry | undefined, at: { start: number; end: number }): void {
  if (!entry) found.damaged.push(at.start);
  else if (!isInternal(entry)) found.records++;
  else if (entry.kind === "close") found.end = at.end;
  else if (entry.kind === "prune") survey.prunes.set(entry.segment, entry.seal);
  else {
    const first = survey.seals.get(entry.of);
    if (!first) survey.seals.set(entry.of, entry);
    else if (first.hash !== entry.hash || first.prev !== entry.prev) survey.contradicted.add(entry.of);
  }
}

function compare(survey: Survey, directory: string, name: SnapshotName): void {
  survey.placed.add(name.name);
  const account = survey.accounts.find(({ part }) => part === name.part);
  const snapshot = account && readSnapshot(directory, name, account);
  if (!snapshot) return;
  survey.readable.add(name.name);
  const fold = survey.folds.get(name.part);
  const isOwn = name.reducer === account.reducer;
  if (!fold) {
    // Earlier segments are gone, so the fold continues from this oldest snapshot.
    if (isOwn) survey.folds.set(name.part, snapshot);
    return;
  }
  const told = isOwn ? snapshot : account.agreed(snapshot, fold);
  if (canonical(fold) !== canonical(told)) survey.differing.add(name.name);
}

/** Sorts keys, because a fold from a snapshot may have added them in another order. */
function canonical(fold: Place): string {
  return JSON.stringify(fold, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The folds continue from the previous segment if it is complete. Otherwise each waits for a snapshot. */
function enter({ scans, accounts, folds }: Survey, segment: number): void {
  const previous = scans.at(-1);
  if (!previous && segment === FIRST_SEGMENT) for (const { part, start } of accounts) folds.set(part, start);
  if (previous && (previous.segment !== segment - 1 || previous.end === undefined)) folds.clear();
}

/** Line feeds alone are nothing; anything else after the last line is an unfinished line. */
function unfinishedAfter(fd: number, from: number, size: number): number {
  const rest = Buffer.alloc(Math.min(size - from, 4096));
  readSync(fd, rest, 0, rest.length, from);
  return rest.every((byte) => byte === 0x0a) ? 0 : size - from;
}
