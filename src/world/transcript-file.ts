/** A transcript as a file: opened only where it is a plain one, since its path is whatever the host was told. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Undefined when there is none yet. Throws for what is no plain file: it would hold us, or lead elsewhere. */
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

/** A pipe must not hold us, and a link is not the file that the host writes. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    // Before the first answer there is none yet.
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
