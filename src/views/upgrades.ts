/** Which program the hooks started before the current one, derived from the journal. */
import type { ActionRecord, JournalRecord, StartedProgram } from "../state/record.ts";

export const UPGRADE = "upgrade";
export const ROLLBACK = "upgrade-back";

export function upgradeRecord(
  action: typeof UPGRADE | typeof ROLLBACK,
  moved: NonNullable<ActionRecord["moved"]>,
): ActionRecord {
  return { kind: "action", action, detail: `${moved.from.bundle} → ${moved.to.bundle}`, moved };
}

/**
 * The program that `upgrade` replaced with the current one. Rollbacks are skipped, or two of them would cancel each
 * other out.
 */
export function previousProgram(
  records: Iterable<JournalRecord>,
  file: string,
  now: StartedProgram,
): StartedProgram | undefined {
  let found: StartedProgram | undefined;
  for (const record of records) {
    if (record.kind !== "action" || record.action !== UPGRADE) continue;
    const { moved } = record;
    // A different Node for the same bundle is not a different version.
    if (moved?.file !== file || moved.to.bundle !== now.bundle || moved.from.bundle === now.bundle) continue;
    found = moved.from;
  }
  return found;
}
