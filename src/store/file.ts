/** An open file that is closed again whatever happens. */
import * as fs from "node:fs";

/** Never follows a link, and never waits for the other end of a pipe. */
export function withFile<T>(path: string, flags: number, use: (fd: number) => T): T {
  const fd = fs.openSync(path, flags | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK, 0o600);
  try {
    return use(fd);
  } finally {
    fs.closeSync(fd);
  }
}
