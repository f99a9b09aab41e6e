/** How full a session's context is. The host reports it to the status line only, so it is recorded there. */

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { plainFile } from "../../disk/plain-file.ts";
import type { ContextUse } from "../../kernel/facts.ts";

/** Next to the session's pin and removed with it; session names contain no dot, so the suffix is unambiguous. */
function placeOf(directory: string, session: string): string {
  return `${directory}/${session}.context`;
}

/** Undefined when nothing was recorded or the content is not a percentage. */
export function contextUse(directory: string, session: string): ContextUse | undefined {
  const path = placeOf(directory, session);
  const file = plainFile(path, 3);
  const percent = file && !file.cut ? percentIn(Number(file.bytes.toString("utf8"))) : undefined;
  return file && percent !== undefined ? { percent, at: file.modified } : undefined;
}

/** Written only on change: the status line is drawn many times a minute, and the file's mtime says since when. */
export function keepContextUse(directory: string, session: string, told: unknown): void {
  const percent = percentIn(told);
  if (percent === undefined || contextUse(directory, session)?.percent === percent) return;
  const path = placeOf(directory, session);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, String(percent), { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    // The next status line tries again; until then only a hint is missing.
    void error;
    rmSync(temporary, { force: true });
  }
}

function percentIn(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.min(100, Math.max(0, Math.floor(value)));
}
