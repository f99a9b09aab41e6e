/** Files that anybody may have put there: a pipe must not hold us, and nothing is read that has no end. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface PlainFile {
  /** As far as it was read. */
  readonly bytes: Buffer;
  /** There is more. */
  readonly cut: boolean;
  readonly modified: number;
}

/** The beginning of a file. Undefined: there is none, it is no plain one, or it is not ours to read. */
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

/** All of a file, or nothing: one that is longer was not written by hand. */
export function plainText(path: string, max: number): string | undefined {
  const file = plainFile(path, max);
  return file && !file.cut ? file.bytes.toString("utf8").replace(/^\uFEFF/, "") : undefined;
}
