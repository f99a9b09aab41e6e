/** A settings file of the host as it is on the disk. Light: the gates read these files at many events. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

/** What is larger is no settings file, and would only hold every event up. */
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Undefined when there is no such file. One that is there and cannot be read is not known, and that is an error; its
 * message names the file.
 */
export function hostFileText(path: string): string | undefined {
  return hostFileBytes(path)?.toString("utf8");
}

/** For those who only look, and can do nothing about a file that nobody can read: it counts as none. */
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
  // Opening a pipe would wait for its other end, and reading it for ever.
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

/** Most of these files do not exist, and asking first is cheaper than an exception. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below what is no directory there is nothing.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
