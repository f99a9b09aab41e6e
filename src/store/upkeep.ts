/** What an appender does for everybody after its own record counts: close a full segment, seal it, take a snapshot. */
import { guarded } from "./errno.ts";
import { catchUp, type Journal, openToAdd, put } from "./journal.ts";
import { encodeLine, type InternalBody } from "./line.ts";
import { newRid } from "./rid.ts";
import { sealOf } from "./seal.ts";
import { addTo } from "./segment.ts";
import { writeSnapshot } from "./snapshot.ts";
import { isFault, type StoreFault } from "./store.ts";

/** Each costs a read of a whole segment: one call makes up for a few that dead writers left, the next for the others. */
const SEALS_AT_ONCE_MAX = 4;

/** Returns what went wrong, which is no reason to take back a record that is kept: the next appender tries again. */
export function tend(journal: Journal, now: number): StoreFault | undefined {
  const fault = guarded(journal.directory, () => {
    if (journal.size > journal.limits.segmentBytes) return rotate(journal, now);
    if (isSnapshotDue(journal)) return snapshot(journal);
    return sealIsMissing(journal) && Math.random() < journal.limits.sealChance ? seal(journal, now) : undefined;
  });
  return fault;
}

/** Adds a record of the journal's own, flushed before anything is built on it. */
export function putInternal(journal: Journal, body: InternalBody, now: number): StoreFault | undefined {
  const met = put(journal, { ...body, rid: newRid(), t: now }, { durable: true });
  return isFault(met) ? met : undefined;
}

/** Several may close at once: the first `close` ends the segment, the others are void like all that follows it. */
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

function isSnapshotDue({ ledger, recordsAtSnapshot, limits }: Journal): boolean {
  const tail = (ledger?.records ?? 0) - recordsAtSnapshot;
  return tail > limits.snapshotAlwaysAfter || (tail > limits.snapshotAfter && Math.random() < limits.snapshotChance);
}

/** Returns nothing: a snapshot that could not be written is one that was not taken. */
export function snapshot(journal: Journal): undefined {
  if (!journal.ledger || journal.ledger.records === journal.recordsAtSnapshot) return;
  writeSnapshot(journal.directory, journal.ledger);
  journal.recordsAtSnapshot = journal.ledger.records;
}
