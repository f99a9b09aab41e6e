/** Maintenance by an appender after its own record counts: closes and seals a full segment, and takes a snapshot. */

import { isFault, type StoreFault } from "../store.ts";
import { guarded } from "./errno.ts";
import { catchUp, type Journal, openToAdd, put } from "./journal.ts";
import { encodeLine, type InternalBody } from "./line.ts";
import { snapshotParts } from "./parts.ts";
import { newRid } from "./rid.ts";
import { sealOf } from "./seal.ts";
import { addTo } from "./segment.ts";
import { ledgersOf } from "./series.ts";
import { writeSnapshot } from "./snapshot.ts";

/** Each seal reads a whole segment, so one call adds only a few missing ones and later calls add the rest. */
const SEALS_AT_ONCE_MAX = 4;

/** Returns the fault. The record stays stored, and the next appender tries again. */
export function tend(journal: Journal, now: number): StoreFault | undefined {
  const fault = guarded(journal.directory, () => {
    if (journal.size > journal.limits.segmentBytes) return rotate(journal, now);
    if (isSnapshotDue(journal)) return snapshotLedger(journal);
    return sealIsMissing(journal) && Math.random() < journal.limits.sealChance ? seal(journal, now) : undefined;
  });
  return guarded(journal.directory, () => snapshotParts(journal)) ?? fault;
}

/** Appends one of the journal's own records and flushes it. */
export function putInternal(journal: Journal, body: InternalBody, now: number): StoreFault | undefined {
  const met = put(journal, { ...body, rid: newRid(), t: now }, { durable: true });
  return isFault(met) ? met : undefined;
}

/** Several processes may close at once: the first `close` ends the segment, and the others are void. */
function rotate(journal: Journal, now: number): StoreFault | undefined {
  const segment = journal.ledger?.segment ?? 0;
  const rid = newRid();
  addTo(openToAdd(journal), encodeLine({ kind: "close", next: segment + 1, rid, t: now }));
  catchUp(journal);
  if (journal.closed?.segment !== segment) return undefined;
  openToAdd(journal);
  return journal.closed.rid === rid || Math.random() < journal.limits.sealChance ? seal(journal, now) : undefined;
}

function seal(journal: Journal, now: number): StoreFault | undefined {
  for (let count = 0; count < SEALS_AT_ONCE_MAX; count++) {
    catchUp(journal);
    const { ledger, closed } = journal;
    if (!ledger || !sealIsMissing(journal)) return undefined;
    const of = ledger.sealed + 1;
    const hash = sealOf(journal.directory, of, ledger.seal, closed?.segment === of ? closed.end : undefined);
    if (hash === undefined) return undefined;
    const fault = putInternal(journal, { kind: "seal", of, hash, prev: ledger.seal }, now);
    if (fault) return fault;
  }
  return undefined;
}

function sealIsMissing({ ledger }: Journal): boolean {
  return ledger !== undefined && ledger.sealed + 1 < ledger.segment;
}

/** A signature costs as much as many records, so what was verified is kept at once. */
function isSnapshotDue({ ledger, recordsAtSnapshot, lookedAtSnapshot, limits, authority }: Journal): boolean {
  const tail = (ledger?.records ?? 0) - recordsAtSnapshot;
  return (
    authority.looked() > lookedAtSnapshot ||
    tail > limits.snapshotAlwaysAfter ||
    (tail > limits.snapshotAfter && Math.random() < limits.snapshotChance)
  );
}

/** Returns nothing: a snapshot that could not be written simply does not exist. */
function snapshotLedger(journal: Journal): undefined {
  if (!journal.ledger || journal.ledger.records === journal.recordsAtSnapshot) return;
  writeSnapshot(journal.directory, ledgersOf(journal.authority), journal.ledger);
  journal.recordsAtSnapshot = journal.ledger.records;
  journal.lookedAtSnapshot = journal.authority.looked();
}

/** Called when no event waits for an answer. */
export function snapshot(journal: Journal): void {
  snapshotLedger(journal);
  snapshotParts(journal);
}
