/** Reads a settings file of the host. Kept small, because the gates read these files at many events. */

import { statSync } from "node:fs";
import { readPlain } from "../../disk/plain-file.ts";

/** A larger file is not a settings file and would slow every event. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Undefined when there is no such file. Throws when it exists and cannot be read; the message names the file. */
export function hostFileText(path: string): string | undefined {
  return hostFileBytes(path)?.toString("utf8");
}

/** For callers that only look: an unreadable file counts as missing. */
export function readableHostFile(path: string): string | undefined {
  try {
    return hostFileText(path);
  } catch (error) {
    void error;
    return undefined;
  }
}

export function hostFileBytes(path: string): Buffer | undefined {
  if (!isThere(path)) return undefined;
  const file = readPlain(path, BYTES_MAX);
  if (!file) return undefined;
  if ("problem" in file) throw new Error(`${path} ${file.problem}`);
  if (file.cut) throw new Error(`${path} has more than ${BYTES_MAX} bytes, too many for a settings file`);
  return file.bytes;
}

/** Most of these files do not exist, and a check is cheaper than an exception. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A parent of the path is not a directory, so the file does not exist.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
