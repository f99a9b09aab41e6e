/** What an import would do. */
import type { Change } from "../state/change.ts";
import type { ImportRow } from "../views/import.ts";

export interface PlannedChange {
  readonly change: Change;
  /** Whose it is, where it is a session's. */
  readonly session?: string;
}

/** What would be recorded, a record for each change, and what that comes to. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
  readonly rows: readonly ImportRow[];
  /** What is here already and would be gone. */
  readonly replaces?: string;
}
