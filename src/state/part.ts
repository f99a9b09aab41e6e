/**
 * A part of the state that not every event needs, such as an inbox or a pipeline. A reader names the parts it needs. Other
 * parts are neither loaded nor folded, so a large part costs nothing to events that don't need it. See ADR 0028.
 */
import type { Stamp } from "./record.ts";
import type { State } from "./state.ts";

export interface PartRecord extends Stamp {
  readonly kind: string;
}

export interface Part<Value extends object = object> {
  /** The record kinds it folds. It may share a kind with `State` or with another part. */
  readonly kinds: readonly string[];
  /** The value before the first record. Every value must be plain JSON, because snapshots store it. */
  readonly empty: Value;
  /** Total and pure. Gets only records of its own kinds, in the order of the journal. */
  fold(value: Value, record: PartRecord): Value;
}

/** Parts by name. A name consists of lower case letters and dashes, and isn't a field of `State`. */
export type PartTable = Readonly<Record<string, Part>>;

/** The state with the requested parts. A part that wasn't requested isn't there. */
export type StateWith<Parts extends PartTable, Name extends keyof Parts> = State & {
  readonly [Each in Name]: Parts[Each]["empty"];
};

/** Folds the records that belong to the part and ignores the others. */
export function foldPart(part: Part, records: readonly PartRecord[], from: object = part.empty): object {
  return records.reduce((value, record) => (part.kinds.includes(record.kind) ? part.fold(value, record) : value), from);
}

export function partNamed(parts: PartTable, name: string): Part {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (!part) throw new Error(`The state has no part ${name}.`);
  return part;
}
