/** Which program the hooks pointed to before, as the journal tells it. */
import type { ActionRecord, JournalRecord, StartedProgram } from "../state/record.ts";

export const UPGRADE = "upgrade";
export const ROLLBACK = "upgrade-back";

export function upgradeRecord(
  action: typeof UPGRADE | typeof ROLLBACK,
  moved: NonNullable<ActionRecord["moved"]>,
): ActionRecord {
  return { kind: "action", action, detail: `${moved.from.bundle} → ${moved.to.bundle}`, moved };
}

/** What stood there before the program that stands there now. Ways back do not count, or two of them would be none. */
export function previousProgram(
  records: Iterable<JournalRecord>,
  file: string,
  now: StartedProgram,
): StartedProgram | undefined {
  let found: StartedProgram | undefined;
  for (const record of records) {
    if (record.kind !== "action" || record.action !== UPGRADE) continue;
    const { moved } = record;
    // Another Node for the same program is no other version.
    if (moved?.file !== file || moved.to.bundle !== now.bundle || moved.from.bundle === now.bundle) continue;
    found = moved.from;
  }
  return found;
}
