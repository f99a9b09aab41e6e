/** The contract of every store: the journal is the truth, the state is its fold. */
import type { JournalRecord, RecordBody } from "../state/record.ts";
import type { State } from "../state/state.ts";

/** Why something could not be read or kept, in words a person can act on. */
export interface StoreFault {
  readonly fault: string;
  readonly code: "read-only" | "full" | "network-file-system" | "corrupt" | "io";
}

/** A record that is in the journal for good, with the state as it was just before it and just after it. */
export interface Kept {
  readonly rid: string;
  readonly before: State;
  readonly after: State;
}

export interface AppendOptions {
  /** Flushed to the disk before this returns. */
  readonly durable?: boolean;
}

export type Integrity = "intact" | "truncated" | "rewritten" | "incomplete" | "damaged";

export interface SegmentReport {
  readonly segment: number;
  readonly records: number;
  readonly integrity: Integrity;
  readonly detail: string;
}

export interface VerifyReport {
  /** The worst of the segments. */
  readonly integrity: Integrity;
  readonly segments: readonly SegmentReport[];
  /** The newest seal: what to compare with a copy kept elsewhere. */
  readonly head: string;
  readonly records: number;
  readonly unsealed: number;
}

/** What every event needs: to know, and to keep. */
export interface Keeper {
  /** The state as of now. */
  read(): State | StoreFault;
  /** Keeps a record, folds up to it, and only then returns. `now` is the record's time. */
  append(body: RecordBody, now: number, options?: AppendOptions): Kept | StoreFault;
  /** Lets go of open files. The store can still be used: it opens them again. */
  close(): void;
}

/** The whole contract, with what people need: to look back, to check, to give up what is old. */
export interface Store extends Keeper {
  /** Every record still held, oldest first. */
  records(): Iterable<JournalRecord>;
  verify(): VerifyReport | StoreFault;
  /** Drops sealed segments beyond the retention; returns how many. */
  prune(now: number, retention: { readonly maxAgeMs: number; readonly maxBytes: number }): number | StoreFault;
}

export function isFault<T>(value: T | StoreFault): value is StoreFault {
  return typeof value === "object" && value !== null && "fault" in value && "code" in value;
}
