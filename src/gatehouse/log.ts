/** The gatehouse's log: one file that is its own, and that does not grow for ever. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";

const BYTES_MAX = 1024 * 1024;

/** Undefined when it cannot be had: it is no reason not to start. A link or a pipe in its place is not it. */
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

/** Everybody appends to it, so it can be emptied under their hands. */
export function shortenLog(fd: number): void {
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && stat.size > BYTES_MAX) ftruncateSync(fd);
  } catch (error) {
    // A terminal, perhaps: it keeps itself short.
    void error;
  }
}
