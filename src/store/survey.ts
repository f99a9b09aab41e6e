/** Reads every segment once and notes what `verify` judges by. */
import { constants, fstatSync, readSync } from "node:fs";
import { type Listing, listDirectory } from "./directory.ts";
import { ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { foldEntry, type Ledger, newLedger } from "./ledger.ts";
import { type Entry, isInternal } from "./line.ts";
import { entriesIn, FIRST_SEGMENT, segmentPath } from "./segment.ts";
import { REDUCER, readSnapshot } from "./snapshot.ts";

export interface Scan {
  readonly segment: number;
  records: number;
  size: number;
  /** Offsets of the lines that could not be read. */
  readonly damaged: number[];
  /** Behind the `close`. */
  end: number | undefined;
  /** Bytes of a last line without its line feed. */
  unfinished: number;
}

export interface Survey {
  readonly listing: Listing;
  readonly scans: Scan[];
  /** The first seal of each segment. */
  readonly seals: Map<number, { readonly hash: string; readonly prev: string }>;
  /** Segments of which a later seal says something else than the first. */
  readonly contradicted: Set<number>;
  /** What pruning accounts for: the segment and its seal. */
  readonly prunes: Map<number, string>;
  /** Snapshots that do not say what the journal says up to their place. */
  readonly differing: Set<string>;
  /** Snapshots whose place is the end of a line, as it must be. */
  readonly placed: Set<string>;
  /** Snapshots that can be read. */
  readonly readable: Set<string>;
  /** The fold so far; undefined where it cannot be had, because what comes before is gone. */
  ledger: Ledger | undefined;
}

export function surveyOf(directory: string): Survey {
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
    ledger: undefined,
  };
  for (const segment of listing.segments) {
    survey.ledger = ledgerAt(survey, segment);
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
  let last = 0;
  for (const { entry, start, end } of entriesIn(fd, size)) {
    last = end;
    note(survey, found, entry, { start, end });
    if (survey.ledger) survey.ledger = foldEntry(survey.ledger, entry, end);
    for (const name of snapshots) if (name.offset === end) compare(survey, readSnapshot(directory, name), name);
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

/** Another version's reducers may rightly come to another state; where it stands and what is sealed they must agree on. */
function compare(survey: Survey, snapshot: Ledger | undefined, name: { reducer: string; name: string }): void {
  survey.placed.add(name.name);
  if (!snapshot) return;
  survey.readable.add(name.name);
  const { ledger } = survey;
  if (!ledger) {
    // What came before is gone: this is the oldest word there is, and the fold goes on from it.
    if (name.reducer === REDUCER) survey.ledger = snapshot;
    return;
  }
  const told = name.reducer === REDUCER ? snapshot : { ...snapshot, state: ledger.state };
  if (canonical(ledger) !== canonical(told)) survey.differing.add(name.name);
}

/** The order of keys says nothing: a fold that began at a snapshot may have met them in another one. */
function canonical(ledger: Ledger): string {
  return JSON.stringify(ledger, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function ledgerAt(survey: Survey, segment: number): Ledger | undefined {
  const previous = survey.scans.at(-1);
  if (!previous) return segment === FIRST_SEGMENT ? newLedger : undefined;
  return previous.segment === segment - 1 && previous.end !== undefined ? survey.ledger : undefined;
}

/** Line feeds alone are nothing; anything else behind the last one is the beginning of a line. */
function unfinishedAfter(fd: number, from: number, size: number): number {
  const rest = Buffer.alloc(Math.min(size - from, 4096));
  readSync(fd, rest, 0, rest.length, from);
  return rest.every((byte) => byte === 0x0a) ? 0 : size - from;
}
