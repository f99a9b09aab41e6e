/** Opens a transcript only if it is a regular file, since its path comes from outside. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * Undefined when the file does not exist yet. Throws when it is not a regular file: reading could block or lead
 * elsewhere.
 */
export function withTranscriptFile<T>(path: string, read: (fd: number, size: number) => T): T | undefined {
  const fd = opened(path);
  if (fd === undefined) return undefined;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("the transcript is not a plain file");
    return read(fd, stat.size);
  } finally {
    closeSync(fd);
  }
}

/** Does not block on a pipe, and refuses a link: the host writes a regular file. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    // The host creates the transcript with the first answer.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`the transcript cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

export function bytesAt(fd: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let count = 0;
  while (count < length) {
    const read = readSync(fd, bytes, count, length - count, start + count);
    if (read === 0) break;
    count += read;
  }
  return bytes.subarray(0, count);
}
