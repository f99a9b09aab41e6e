/** How full a session's context is: told by the client to its status line only, so that is where we hear of it. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ContextUse } from "../kernel/facts.ts";

/** Beside the session's pin, and removed with it when it is old; no session's name has a dot in it. */
function placeOf(directory: string, session: string): string {
  return `${directory}/${session}.context`;
}

/** Undefined when nobody has told us. What stands there is advice, and whatever is no percentage is nothing. */
export function contextUse(directory: string, session: string): ContextUse | undefined {
  const path = placeOf(directory, session);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > 3) return undefined;
    const percent = percentIn(Number(readFileSync(path, "utf8")));
    return percent === undefined ? undefined : { percent, at: stat.mtimeMs };
  } catch (error) {
    void error;
    return undefined;
  }
}

/** Written when it has become another one: the line is drawn many times a minute, and the file's date tells since when. */
export function keepContextUse(directory: string, session: string, told: unknown): void {
  const percent = percentIn(told);
  if (percent === undefined || contextUse(directory, session)?.percent === percent) return;
  const path = placeOf(directory, session);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, String(percent), { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    // It is tried again in a moment, and without it a hint is missing and nothing else.
    void error;
    rmSync(temporary, { force: true });
  }
}

function percentIn(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.min(100, Math.max(0, Math.floor(value)));
}
