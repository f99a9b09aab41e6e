export interface Query {
  readonly project: string;
  readonly args: readonly string[];
}
export interface Told {
  readonly code: number | null;
  /** The parsed output, or else the error. */
  readonly value?: unknown;
  readonly error?: string;
  /** The number of filler events that were left out. */
  readonly filler?: number;
}
export function queriesSince(begin: number): Readonly<Record<string, Query>>;
export function askAll(queries: Readonly<Record<string, Query>>, now: number): Readonly<Record<string, Told>>;
export function dataIn(value: unknown): unknown;
