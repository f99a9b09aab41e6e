/** The planned effects of an import. */
import type { Change } from "../../state/change.ts";
import type { ImportRow } from "../../views/import.ts";

export interface PlannedChange {
  readonly change: Change;
  /** The session that the change belongs to, if any. */
  readonly session?: string;
}

/** The planned changes, one record each, and a preview of the result. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
  readonly rows: readonly ImportRow[];
  /** Settings for this person in this project, as typed. */
  readonly settings?: readonly (readonly [string, string])[];
  /** A description of existing data that the import would replace. */
  readonly replaces?: string;
}
