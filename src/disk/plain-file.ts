/**
 * The one way to read a file that an agent can arrange: a pipe, a device or a file without end in its place must not hang
 * a gate. `test/plain-reads.test.ts` lists who may read otherwise.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

export interface PlainFile {
  readonly bytes: Buffer;
  /** The file is longer than the limit. */
  readonly cut: boolean;
  readonly modified: number;
  /** The ctime, which no tool can set back. */
  readonly changed: number;
  readonly mode: number;
}

/** Something is there that cannot be read. */
export interface Unreadable {
  readonly problem: string;
}

/** Undefined when there is nothing. */
export function readPlain(path: string, max: number): PlainFile | Unreadable | undefined {
  let fd: number;
  try {
    // Most files that are looked for don't exist, and an exception costs more than this question.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    // Without O_NONBLOCK, opening a pipe would block.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { problem: `cannot be read (${code})` };
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { problem: "is not a plain file" };
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, max));
    const length = filled(fd, bytes);
    const { mtimeMs: modified, ctimeMs: changed, mode } = stat;
    return { bytes: bytes.subarray(0, length), cut: stat.size > max, modified, changed, mode };
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  } finally {
    closeSync(fd);
  }
}

function filled(fd: number, bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const count = readSync(fd, bytes, at, bytes.length - at, at);
    if (count === 0) break;
    at += count;
  }
  return at;
}

/** The beginning of a file. Undefined when it is missing, not a regular file, or unreadable. */
export function plainFile(path: string, max: number): PlainFile | undefined {
  const file = readPlain(path, max);
  return file && "bytes" in file ? file : undefined;
}

/** The whole file, or undefined when it is longer than the limit. */
export function plainText(path: string, max: number): string | undefined {
  const file = plainFile(path, max);
  return file && !file.cut ? file.bytes.toString("utf8").replace(/^\uFEFF/, "") : undefined;
}
