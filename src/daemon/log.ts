/** The daemon's log file, truncated when it gets too long. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";

const BYTES_MAX = 1024 * 1024;

/** Undefined when the log cannot be opened, which must not prevent the start. Links and pipes are rejected. */
export function openLog(path: string): number | undefined {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    void error;
  }
  return undefined;
}

/** All writers append, so the file can be truncated while it is open. */
export function shortenLog(fd: number): void {
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && stat.size > BYTES_MAX) ftruncateSync(fd);
  } catch (error) {
    // For example a terminal, which needs no truncation.
    void error;
  }
}
