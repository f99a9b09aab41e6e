/** Reads files from untrusted sources: never blocks on a pipe and never reads without a limit. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface PlainFile {
  readonly bytes: Buffer;
  /** The file is longer than the limit. */
  readonly cut: boolean;
  readonly modified: number;
}

/** The beginning of a file. Undefined when it is missing, not a regular file, or unreadable. */
export function plainFile(path: string, max: number): PlainFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, max));
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, length), cut: stat.size > max, modified: stat.mtimeMs };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** The whole file, or undefined when it is longer than the limit. */
export function plainText(path: string, max: number): string | undefined {
  const file = plainFile(path, max);
  return file && !file.cut ? file.bytes.toString("utf8").replace(/^\uFEFF/, "") : undefined;
}
