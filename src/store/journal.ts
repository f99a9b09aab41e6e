/** The journal as one process sees it: how far it has folded, how it goes on, and how it adds a record. */
import { closeSync, constants, existsSync, fdatasyncSync, fstatSync, mkdirSync } from "node:fs";
import { type Listing, listDirectory, syncDirectory } from "./directory.ts";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { foldEntry, type Ledger, ledgerFrom, newLedger, nextSegment } from "./ledger.ts";
import { decodeLine, type Entry, encodeLine } from "./line.ts";
import { addTo, entriesIn, FIRST_SEGMENT, linesIn, openSegment, segmentPath } from "./segment.ts";
import { inheritedSnapshot, newestSnapshot } from "./snapshot.ts";
import type { StoreFault } from "./store.ts";

export interface Limits {
  /** A segment that has grown beyond this is closed. */
  readonly segmentBytes: number;
  /** Records folded since the last snapshot before another is thought of, and then how likely one writes it. */
  readonly snapshotAfter: number;
  readonly snapshotChance: number;
  readonly snapshotAlwaysAfter: number;
  /** How likely an appender makes up for a seal whose writer died. */
  readonly sealChance: number;
}

export interface Journal {
  readonly directory: string;
  readonly limits: Limits;
  /** Undefined until first used, and again when the files changed under our feet. */
  ledger: Ledger | undefined;
  /** The open file of the ledger's segment. */
  file: { readonly fd: number; readonly writable: boolean } | undefined;
  size: number;
  /** The newest segment seen in the directory. */
  newest: number;
  /** Records in the ledger when the last snapshot we know of was made. */
  recordsAtSnapshot: number;
  /** The last `close` we came by: whose it was and where the segment ended. */
  closed: { readonly rid: string; readonly segment: number; readonly end: number } | undefined;
}

/** The ledgers on either side of a record that was met. */
interface Met {
  readonly before: Ledger;
  readonly after: Ledger;
}

/** Restarts and rotations one call may go through before it is called a fault: no hook is held for ever. */
const ATTEMPTS_MAX = 64;

export function journalIn(directory: string, limits: Limits): Journal {
  return {
    directory,
    limits,
    ledger: undefined,
    file: undefined,
    size: 0,
    newest: 0,
    recordsAtSnapshot: 0,
    closed: undefined,
  };
}

/** Folds on to the end of the journal. */
export function catchUp(journal: Journal): Ledger {
  foldUntil(journal, undefined);
  journal.ledger ??= begin(journal);
  return journal.ledger;
}

/**
 * Adds a record and folds on until it is met: only then does it count. If the segment was closed first, the record is
 * void where it stands and is added again behind the close.
 */
export function put(journal: Journal, entry: Entry, options: { readonly durable: boolean }): Met | StoreFault {
  const line = encodeLine(entry);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const fd = openToAdd(journal);
    if (!addTo(fd, line)) return faultOf("full", `A record could not be written whole to ${journal.directory}.`);
    const met = foldUntil(journal, entry.rid);
    if (met) {
      if (options.durable) fdatasyncSync(fd);
      return met;
    }
    if (journal.file?.writable) {
      return faultOf("corrupt", `A record written to ${journal.directory} could not be read back.`);
    }
  }
  return faultOf("io", `A record was written ${ATTEMPTS_MAX} times to ${journal.directory} and never came to count.`);
}

/** The open file of the live segment, made if need be. */
export function openToAdd(journal: Journal): number {
  if (journal.file?.writable) return journal.file.fd;
  for (let attempt = 1; ; attempt++) {
    const { segment } = catchUp(journal);
    const { fd, isNew } = openSegmentToAdd(journal, segment);
    // While we slept it may have been made, filled and pruned by others, and what we made would be a ghost of it.
    const isGhost = isNew && listDirectory(journal.directory).segments.at(-1) !== segment;
    if (!isGhost || attempt === ATTEMPTS_MAX) return fd;
    forget(journal);
  }
}

function openSegmentToAdd(journal: Journal, segment: number): { readonly fd: number; readonly isNew: boolean } {
  release(journal);
  const { directory } = journal;
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const there = ifThere(() => openSegment(directory, segment, O_RDWR | O_APPEND));
  const isNew = there === undefined || fstatSync(there).size === 0;
  // Its maker may have died before either was done, so whoever finds it empty does both again.
  if (isNew) mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (isNew && segment > FIRST_SEGMENT) flushSegment(directory, segment - 1);
  const fd = there ?? openSegment(directory, segment, O_RDWR | O_APPEND | O_CREAT);
  journal.file = { fd, writable: true };
  if (isNew) syncDirectory(directory);
  return { fd, isNew };
}

export function release(journal: Journal): void {
  if (journal.file) closeSync(journal.file.fd);
  journal.file = undefined;
}

/** Starts again from what is on the disk now. */
function forget(journal: Journal): void {
  release(journal);
  journal.ledger = undefined;
}

/** Folds on up to and including the record `rid`, which it then returns, or to the end. */
function foldUntil(journal: Journal, rid: string | undefined): Met | undefined {
  for (let restarts = 0; restarts < ATTEMPTS_MAX; ) {
    if (!journal.ledger) restarts++;
    journal.ledger ??= begin(journal);
    const outcome = foldSegment(journal, journal.ledger, rid);
    if (typeof outcome === "object") return outcome;
    if (outcome === "end") return undefined;
  }
  return undefined;
}

/** At the newest snapshot, else at the beginning, else at the oldest segment still held. */
function begin(journal: Journal): Ledger {
  release(journal);
  let listing = listDirectory(journal.directory);
  let ledger = newestSnapshot(journal.directory, listing);
  // Snapshots that were replaced while we looked are not bad ones: without the beginning, much hangs on the difference.
  for (let attempt = 0; !ledger && !holdsBeginning(listing) && attempt < ATTEMPTS_MAX; attempt++) {
    const earlier = namesOf(listing);
    listing = listDirectory(journal.directory);
    ledger = newestSnapshot(journal.directory, listing);
    if (namesOf(listing) === earlier) break;
  }
  journal.newest = listing.segments.at(-1) ?? FIRST_SEGMENT;
  ledger ??= withoutSnapshot(journal.directory, listing);
  journal.recordsAtSnapshot = ledger.records;
  return ledger;
}

function withoutSnapshot(directory: string, listing: Listing): Ledger {
  if (holdsBeginning(listing)) return newLedger;
  return inheritedSnapshot(directory, listing) ?? ledgerFrom(listing.segments[0] ?? FIRST_SEGMENT);
}

function holdsBeginning({ segments }: Listing): boolean {
  return segments.length === 0 || segments[0] === FIRST_SEGMENT;
}

function namesOf({ snapshots }: Listing): string {
  return snapshots.map(({ name }) => name).join(" ");
}

/** Folds what is in the ledger's segment. `on`: there is more to fold, or everything must begin again. */
function foldSegment(journal: Journal, from: Ledger, rid: string | undefined): Met | "end" | "on" {
  const fd = openToRead(journal, from.segment);
  if (fd === undefined) return passGap(journal, from);
  const { size, nlink } = fstatSync(fd);
  journal.size = size;
  // A segment that was pruned has an end, and what stands before it counted; one without was taken away.
  if (size < from.offset || (nlink === 0 && !hasClose(fd, size))) {
    forget(journal);
    return "on";
  }
  let ledger = from;
  for (const { bytes, end } of linesIn(fd, from.offset, size)) {
    const entry = decodeLine(bytes);
    const before = ledger;
    ledger = foldEntry(before, entry, end);
    if (entry?.kind === "close") {
      journal.closed = { rid: entry.rid, segment: before.segment, end };
      enter(journal, ledger);
      return "on";
    }
    if (rid !== undefined && entry?.rid === rid) {
      journal.ledger = ledger;
      return { before, after: ledger };
    }
  }
  journal.ledger = ledger;
  if (journal.newest <= ledger.segment) return "end";
  // A later segment was there before we read this one to its end, and it has no `close`: it was cut short.
  enter(journal, { ...nextSegment(ledger), damaged: ledger.damaged + 1 });
  return "on";
}

/** The ledger's segment is not there: not made yet, pruned away, or taken away. */
function passGap(journal: Journal, ledger: Ledger): "end" | "on" {
  const { segments } = listDirectory(journal.directory);
  if (segments.includes(ledger.segment)) return "on";
  const later = segments.find((segment) => segment > ledger.segment);
  if (later === undefined) return "end";
  if (existsSync(segmentPath(journal.directory, ledger.segment - 1))) {
    // Pruning takes the older one first, so this was not pruning. What is left counts; `verify` tells of the gap.
    enter(journal, { ...ledger, segment: later, offset: 0, damaged: ledger.damaged + 1 });
  } else {
    forget(journal);
  }
  return "on";
}

function enter(journal: Journal, ledger: Ledger): void {
  release(journal);
  journal.ledger = ledger;
}

function openToRead(journal: Journal, segment: number): number | undefined {
  if (journal.file) return journal.file.fd;
  const fd = ifThere(() => openSegment(journal.directory, segment));
  if (fd !== undefined) journal.file = { fd, writable: false };
  return fd;
}

function hasClose(fd: number, size: number): boolean {
  for (const { entry } of entriesIn(fd, size)) if (entry?.kind === "close") return true;
  return false;
}

function flushSegment(directory: string, segment: number): void {
  ifThere(() => withFile(segmentPath(directory, segment), constants.O_RDONLY, fdatasyncSync));
}
