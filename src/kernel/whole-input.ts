/** A tool's input in full, for a record that has only the beginning of it. */
export interface WholeInput {
  /** The record has less already. Otherwise it is stored only if the record doesn't fit. */
  readonly isCut: boolean;
  /** Masked JSON. Undefined if the input is longer than any that a model writes. */
  readonly text: () => string | undefined;
  /** Flushed before the record. */
  readonly isFlushed: boolean;
}
