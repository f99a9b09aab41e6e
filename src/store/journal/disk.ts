/** The store on the local disk as an event uses it: an append-only journal with snapshots and seals. */
import { basename } from "node:path";
import type { WholeInput } from "../../kernel/whole-input.ts";
import { isSame } from "../../lib/same.ts";
import type { PartTable, StateWith } from "../../state/part.ts";
import { PARTS, type Parts } from "../../state/parts.ts";
import type { JournalRecord, RecordBody, VerdictRecord } from "../../state/record.ts";
import { authorityOf, type KeyInForce } from "../authority.ts";
import { keepBlob } from "../blobs/blobs.ts";
import { type AppendOptions, isFault, type Keeper, type Kept, type StoreFault } from "../store.ts";
import { prepareDirectory, refuseForeign } from "./directory.ts";
import { guarded } from "./errno.ts";
import { type FileSystemTypeOf, fileSystemTypeOf } from "./file-system.ts";
import { fitRecord, signedRecord } from "./fit.ts";
import { type Journal, journalIn, type Limits, put, release } from "./journal.ts";
import { bringToEnd, readParts, stateAt } from "./parts.ts";
import { stamped } from "./rid.ts";
import { tend } from "./upkeep.ts";

export interface JournalOptions<P extends PartTable = Parts> {
  readonly directory: string;
  readonly limits?: Partial<Limits>;
  readonly fileSystemTypeOf?: FileSystemTypeOf;
  /** By default the parts of this program. */
  readonly parts?: P;
  /** The person's key; by default there is none. */
  readonly key?: KeyInForce;
}

/** For a process that has just started, a snapshot costs about as much as folding twenty records. */
const LIMITS: Limits = {
  segmentBytes: 4 * 1024 * 1024,
  snapshotAfter: 8,
  snapshotChance: 1 / 3,
  snapshotAlwaysAfter: 24,
  partTailBytes: 64 * 1024,
  sealChance: 1 / 16,
};

/** The part that every event needs; `archive.ts` adds the rest. Touches nothing until first use. */
export function openKeeper<P extends PartTable = Parts>(
  options: JournalOptions<P>,
): Keeper<P> & { readonly journal: Journal } {
  const { directory } = options;
  const authority = authorityOf(options.key ?? {}, basename(directory));
  const journal = journalIn(directory, { ...LIMITS, ...options.limits }, options.parts ?? PARTS, authority);
  const typeOf = options.fileSystemTypeOf ?? fileSystemTypeOf;
  const keeper: Keeper<PartTable> & { readonly journal: Journal } = {
    journal,
    read: (needs) => guarded(directory, () => readState(journal, needs)),
    append: (body, now, how) => guarded(directory, () => append(journal, typeOf, body, now, how)),
    close: () => release(journal),
  };
  // The keys of `P` are the names in the table, and values are looked up by name.
  return keeper as Keeper<P> & { readonly journal: Journal };
}

function readState<Name extends string>(
  journal: Journal,
  needs: readonly Name[] = [],
): StateWith<PartTable, Name> | StoreFault {
  const foreign = refuseForeign(journal.directory);
  if (foreign) return foreign;
  return readParts(journal, needs);
}

function append<Name extends string>(
  journal: Journal,
  typeOf: FileSystemTypeOf,
  body: RecordBody,
  now: number,
  options: AppendOptions<Name> = {},
): Kept<StateWith<PartTable, Name>> | StoreFault {
  const { durable = false, needs = [], sign, whole } = options;
  const given = stamped(body, now);
  const fitted = signedRecord(given, basename(journal.directory), sign);
  if (isFault(fitted)) return fitted;
  // The file system is checked when a journal begins, and again for every durable record.
  const asked = journal.file && !durable ? undefined : typeOf;
  const unfit = journal.file?.writable ? undefined : prepareDirectory(journal.directory, asked);
  if (unfit) return unfit;
  const record = whole ? withWhole(journal.directory, given, fitted, whole) : fitted;
  bringToEnd(journal, needs);
  const met = put(journal, record, { durable });
  if (isFault(met)) return met;
  const [before, after] = [stateAt(journal, met.before, needs), stateAt(journal, met.after, needs)];
  if (!before || !after) {
    const fault = `The record is stored, but ${journal.directory} was pruned before ${needs.join(", ")} could be read.`;
    return { fault, code: "io" };
  }
  tend(journal, record.t);
  return { rid: record.rid, before, after };
}

/** Nothing is decided by the whole input, so a record that can't have it is kept without. */
function withWhole(
  directory: string,
  given: JournalRecord,
  fitted: JournalRecord,
  { isCut, text, isFlushed }: WholeInput,
): JournalRecord {
  if (given.kind !== "verdict" || !(isCut || !isSame((fitted as VerdictRecord).input, given.input))) return fitted;
  const json = text();
  const name = json === undefined ? undefined : keepBlob(directory, json, { isMasked: true, isFlushed });
  if (name === undefined || isFault(name)) return fitted;
  const named = fitRecord({ ...given, whole: name });
  return isFault(named) ? fitted : named;
}
