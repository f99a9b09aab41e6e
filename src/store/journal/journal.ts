/** The journal as one process sees it: how far it has folded, how it continues, and how it appends a record. */
import { closeSync, constants, existsSync, fdatasyncSync, fstatSync, mkdirSync } from "node:fs";
import type { PartTable } from "../../state/part.ts";
import { FOLDED_KINDS } from "../../state/state.ts";
import type { Authority } from "../authority.ts";
import type { StoreFault } from "../store.ts";
import { listDirectory, syncDirectory } from "./directory.ts";
import { faultOf, ifThere } from "./errno.ts";
import { withFile } from "./file.ts";
import { foldEntry, type Ledger, ledgerFrom, newLedger, nextSegment } from "./ledger.ts";
import { decodeWanted, type Entry, encodeLine } from "./line.ts";
import { addTo, entriesIn, FIRST_SEGMENT, linesIn, openSegment, segmentPath } from "./segment.ts";
import { ledgersOf } from "./series.ts";
import { startOf } from "./snapshot.ts";

export interface Limits {
  /** A larger segment is closed. */
  readonly segmentBytes: number;
  /** Records folded since the last snapshot before another is considered, and the chance of writing one. */
  readonly snapshotAfter: number;
  readonly snapshotChance: number;
  readonly snapshotAlwaysAfter: number;
  /** A part gets a new snapshot when more than this was read since its last one. */
  readonly partTailBytes: number;
  /** Chance that an appender writes a seal whose writer died. */
  readonly sealChance: number;
}

export interface Journal {
  readonly directory: string;
  readonly limits: Limits;
  readonly parts: PartTable;
  /** Decides which actions of people count. */
  readonly authority: Authority;
  /** The parts that were requested, as far as each is folded. */
  readonly followed: Map<string, Followed>;
  /** Undefined until first use, and again when the files were changed by others. */
  ledger: Ledger | undefined;
  /** Open file of the ledger's segment. */
  file: { readonly fd: number; readonly writable: boolean } | undefined;
  size: number;
  /** Newest segment seen in the directory. */
  newest: number;
  /** Number of records in the ledger at the last known snapshot. */
  recordsAtSnapshot: number;
  /** Signatures verified before the last snapshot. */
  lookedAtSnapshot: number;
  /** The last `close` seen: its record id and where the segment ended. */
  closed: { readonly rid: string; readonly segment: number; readonly end: number } | undefined;
}

/** A part at a place in the journal. */
export interface Followed {
  readonly segment: number;
  readonly offset: number;
  readonly value: object;
  /** Bytes read since its last snapshot. */
  readonly tail: number;
}

/** The ledgers before and after a record. */
interface Met {
  readonly before: Ledger;
  readonly after: Ledger;
}

/** Maximum restarts and rotations in one call before it fails, so that no hook hangs. */
const ATTEMPTS_MAX = 64;

/** For other kinds the ledger needs only the id and the time. */
const WANTED: ReadonlySet<string> = new Set<Entry["kind"]>([...FOLDED_KINDS, "close", "seal", "prune"]);

export function journalIn(directory: string, limits: Limits, parts: PartTable, authority: Authority): Journal {
  return {
    directory,
    limits,
    parts,
    authority,
    followed: new Map(),
    ledger: undefined,
    file: undefined,
    size: 0,
    newest: 0,
    recordsAtSnapshot: 0,
    lookedAtSnapshot: 0,
    closed: undefined,
  };
}

/** Folds up to the end of the journal. */
export function catchUp(journal: Journal): Ledger {
  foldUntil(journal, undefined);
  journal.ledger ??= begin(journal);
  return journal.ledger;
}

/**
 * Appends a record and folds until it is found; only then does it count. If the segment was closed first, the record is
 * void and is appended again after the close.
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

/** Open file of the live segment, created if needed. */
export function openToAdd(journal: Journal): number {
  if (journal.file?.writable) return journal.file.fd;
  for (let attempt = 1; ; attempt++) {
    const { segment } = catchUp(journal);
    const { fd, isNew } = openSegmentToAdd(journal, segment);
    // Other processes may have created, filled and pruned this segment meanwhile; ours would then be a stale copy.
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
  // The creator may have died before both steps were done, so an empty segment gets both again.
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

/** Restarts from what is on disk now. */
function forget(journal: Journal): void {
  release(journal);
  journal.ledger = undefined;
  journal.followed.clear();
}

/** Folds up to the record `rid` and returns it, or folds to the end. */
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

/** Starts at the newest snapshot, else at the beginning, else at the oldest existing segment. */
function begin(journal: Journal): Ledger {
  release(journal);
  const { listing, fold } = startOf(journal.directory, ledgersOf(journal.authority));
  const [oldest = FIRST_SEGMENT] = listing.segments;
  const ledger = fold ?? (oldest === FIRST_SEGMENT ? newLedger : ledgerFrom(oldest));
  journal.newest = listing.segments.at(-1) ?? FIRST_SEGMENT;
  journal.recordsAtSnapshot = ledger.records;
  return ledger;
}

/** Folds the ledger's segment. `on`: there is more to fold, or everything must restart. */
function foldSegment(journal: Journal, from: Ledger, rid: string | undefined): Met | "end" | "on" {
  const fd = openToRead(journal, from.segment);
  if (fd === undefined) return passGap(journal, from);
  const { size, nlink } = fstatSync(fd);
  journal.size = size;
  // A pruned segment has a `close` and its records counted; a segment without one was removed in another way.
  if (size < from.offset || (nlink === 0 && !hasClose(fd, size))) {
    forget(journal);
    return "on";
  }
  let ledger = from;
  for (const { bytes, end } of linesIn(fd, from.offset, size)) {
    const entry = decodeWanted(bytes, WANTED);
    const before = ledger;
    ledger = foldEntry(before, entry, end, journal.authority);
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
  // A later segment already existed and this one has no `close`, so it was truncated.
  enter(journal, { ...nextSegment(ledger), damaged: ledger.damaged + 1 });
  return "on";
}

/** The ledger's segment is missing: not created yet, pruned or removed. */
function passGap(journal: Journal, ledger: Ledger): "end" | "on" {
  const { segments } = listDirectory(journal.directory);
  if (segments.includes(ledger.segment)) return "on";
  const later = segments.find((segment) => segment > ledger.segment);
  if (later === undefined) return "end";
  if (existsSync(segmentPath(journal.directory, ledger.segment - 1))) {
    // Pruning removes older segments first, so this gap has another cause. The rest counts; `verify` reports the gap.
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
