/** The store on the local disk, as an event uses it: an append-only journal, its snapshots and its seals. */
import type { RecordBody } from "../state/record.ts";
import type { State } from "../state/state.ts";
import { prepareDirectory, refuseForeign } from "./directory.ts";
import { guarded } from "./errno.ts";
import { type FileSystemTypeOf, fileSystemTypeOf } from "./file-system.ts";
import { fitRecord } from "./fit.ts";
import { catchUp, type Journal, journalIn, type Limits, put, release } from "./journal.ts";
import { stamped } from "./rid.ts";
import { type AppendOptions, isFault, type Keeper, type Kept, type StoreFault } from "./store.ts";
import { tend } from "./upkeep.ts";

export interface JournalOptions {
  readonly directory: string;
  readonly limits?: Partial<Limits>;
  readonly fileSystemTypeOf?: FileSystemTypeOf;
}

/** To a process that has just started, a snapshot costs about as much as folding twenty records does. */
const LIMITS: Limits = {
  segmentBytes: 4 * 1024 * 1024,
  snapshotAfter: 8,
  snapshotChance: 1 / 3,
  snapshotAlwaysAfter: 24,
  sealChance: 1 / 16,
};

/** The half that every event needs; `archive.ts` adds the other. Touches nothing until it is used. */
export function openKeeper(options: JournalOptions): Keeper & { readonly journal: Journal } {
  const { directory } = options;
  const journal = journalIn(directory, { ...LIMITS, ...options.limits });
  const typeOf = options.fileSystemTypeOf ?? fileSystemTypeOf;
  return {
    journal,
    read: () => guarded(directory, () => readState(journal)),
    append: (body, now, how) => guarded(directory, () => append(journal, typeOf, body, now, how)),
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
  // Where a journal is, it was asked when it began, and is asked again at whatever must last.
  const asked = journal.file && !options.durable ? undefined : typeOf;
  const unfit = journal.file?.writable ? undefined : prepareDirectory(journal.directory, asked);
  if (unfit) return unfit;
  const met = put(journal, record, { durable: options.durable === true });
  if (isFault(met)) return met;
  tend(journal, record.t);
  return { rid: record.rid, before: met.before.state, after: met.after.state };
}
