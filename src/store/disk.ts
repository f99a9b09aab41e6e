/** The store on the local disk: an append-only journal, its snapshots and its seals. */
import { closeSync, fstatSync } from "node:fs";
import type { JournalRecord, RecordBody } from "../state/record.ts";
import type { State } from "../state/state.ts";
import { listDirectory, prepareDirectory, refuseForeign } from "./directory.ts";
import { guarded, ifThere } from "./errno.ts";
import { type FileSystemTypeOf, fileSystemTypeOf } from "./file-system.ts";
import { fitRecord } from "./fit.ts";
import { catchUp, type Journal, journalIn, type Limits, put, release } from "./journal.ts";
import { isInternal } from "./line.ts";
import { prune } from "./prune.ts";
import { stamped } from "./rid.ts";
import { entriesIn, openSegment } from "./segment.ts";
import { type AppendOptions, isFault, type Kept, type Store, type StoreFault } from "./store.ts";
import { tend } from "./upkeep.ts";
import { verify } from "./verify.ts";

interface JournalOptions {
  readonly directory: string;
  readonly limits?: Partial<Limits>;
  readonly fileSystemTypeOf?: FileSystemTypeOf;
}

/** A process that has just started folds about 40 records in a millisecond; a snapshot costs it four, once in a while. */
const LIMITS: Limits = {
  segmentBytes: 4 * 1024 * 1024,
  snapshotAfter: 24,
  snapshotChance: 1 / 4,
  snapshotAlwaysAfter: 48,
  sealChance: 1 / 16,
};

/** Touches nothing until it is used. */
export function openJournal(options: JournalOptions): Store {
  const { directory } = options;
  const journal = journalIn(directory, { ...LIMITS, ...options.limits });
  const typeOf = options.fileSystemTypeOf ?? fileSystemTypeOf;
  return {
    read: () => guarded(directory, () => readState(journal)),
    append: (body, now, how) => guarded(directory, () => append(journal, typeOf, body, now, how)),
    records: () => recordsIn(directory),
    verify: () => guarded(directory, () => verify(directory)),
    prune: (now, retention) => guarded(directory, () => prune(journal, now, retention)),
    close: () => release(journal),
  };
}

function readState(journal: Journal): State | StoreFault {
  const foreign = refuseForeign(journal.directory);
  if (foreign) return foreign;
  return catchUp(journal).state;
}

function append(
  journal: Journal,
  typeOf: FileSystemTypeOf,
  body: RecordBody,
  now: number,
  options: AppendOptions = {},
): Kept | StoreFault {
  const record = fitRecord(stamped(body, now));
  if (isFault(record)) return record;
  const unfit = journal.file?.writable ? undefined : prepareDirectory(journal.directory, typeOf);
  if (unfit) return unfit;
  const met = put(journal, record, { durable: options.durable === true });
  if (isFault(met)) return met;
  tend(journal, record.t);
  return { rid: record.rid, before: met.before.state, after: met.after.state };
}

/** From the oldest segment on; one that is pruned while we read is passed over. */
function* recordsIn(directory: string): Generator<JournalRecord> {
  for (const segment of listDirectory(directory).segments) {
    const fd = ifThere(() => openSegment(directory, segment));
    if (fd === undefined) continue;
    try {
      for (const { entry } of entriesIn(fd, fstatSync(fd).size)) if (entry && !isInternal(entry)) yield entry;
    } finally {
      closeSync(fd);
    }
  }
}
