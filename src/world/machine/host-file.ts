/** Reads a settings file of the host. Kept small, because the gates read these files at many events. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

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
  // Without O_NONBLOCK, opening a pipe would block.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${path} is not a plain file`);
    if (stat.size > BYTES_MAX) throw new Error(`${path} has ${stat.size} bytes, too many for a settings file`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
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
