/** Opens a file and always closes it. */
import { closeSync, constants, openSync } from "node:fs";

/** Never follows a link and never waits for the other end of a pipe. */
export function withFile<T>(path: string | Buffer, flags: number, use: (fd: number) => T): T {
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
