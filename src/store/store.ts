/** Contract of every store: the journal is the source of truth, and the state is its fold. */

import type { WholeInput } from "../kernel/whole-input.ts";
import type { PartTable, StateWith } from "../state/part.ts";
import type { Parts } from "../state/parts.ts";
import type { JournalRecord, RecordBody } from "../state/record.ts";
import type { Voided } from "../state/signed.ts";
import type { State } from "../state/state.ts";
import type { Sign } from "./signature.ts";

/** Why something could not be read or stored, in words a person can act on. */
export interface StoreFault {
  readonly fault: string;
  readonly code: "read-only" | "full" | "network-file-system" | "corrupt" | "io";
}

/** A stored record, with the state just before and just after it. */
export interface Kept<Seen extends State = State> {
  readonly rid: string;
  readonly before: Seen;
  readonly after: Seen;
}

export interface AppendOptions<Name extends string = never> {
  /** Flush to disk before returning. */
  readonly durable?: boolean;
  /** Stored beside the journal if the record has not all of its input. */
  readonly whole?: WholeInput | undefined;
  /** Signs the record as it will be stored. Only for actions of a person. */
  readonly sign?: Sign | undefined;
  /** The parts to include in `before` and `after`. */
  readonly needs?: readonly Name[];
}

export type Integrity = "intact" | "truncated" | "rewritten" | "incomplete" | "damaged";

export interface SegmentReport {
  readonly segment: number;
  readonly records: number;
  readonly integrity: Integrity;
  readonly detail: string;
}

export interface VerifyReport {
  /** The worst result of all segments. */
  readonly integrity: Integrity;
  readonly segments: readonly SegmentReport[];
  /** The newest seal, for comparison with a copy kept elsewhere. */
  readonly head: string;
  readonly records: number;
  readonly unsealed: number;
  /** The newest records that claim a person's authority and do not count. */
  readonly voided: readonly Voided[];
}

/** The operations that every event needs: read and append. `NoInfer` keeps a caller's expected type from adding parts. */
export interface Keeper<P extends PartTable = Parts> {
  /** The current state, with the named parts. */
  read<Name extends keyof P & string = never>(needs?: readonly Name[]): StateWith<P, NoInfer<Name>> | StoreFault;
  /** Stores a record and folds up to it before returning. `now` is the record's time. */
  append<Name extends keyof P & string = never>(
    body: RecordBody,
    now: number,
    options?: AppendOptions<Name>,
  ): Kept<StateWith<P, NoInfer<Name>>> | StoreFault;
  /** Closes open files. The store can still be used and opens them again. */
  close(): void;
}

/** The full contract for people's commands: read back, verify and prune. */
export interface Store<P extends PartTable = Parts> extends Keeper<P> {
  /** All existing records, oldest first. */
  records(): Iterable<JournalRecord>;
  verify(): VerifyReport | StoreFault;
  /** Removes sealed segments beyond the retention and returns how many. */
  prune(now: number, retention: { readonly maxAgeMs: number; readonly maxBytes: number }): number | StoreFault;
}

export function isFault<T>(value: T | StoreFault): value is StoreFault {
  return typeof value === "object" && value !== null && "fault" in value && "code" in value;
}
